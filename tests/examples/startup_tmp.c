/* SPDX-License-Identifier: BSD-3-Clause */
/* A start-up file in the shape that another upcc generates for a program of one file (docs/examples/flags),
 * with the translator's helper file appended. It must compile against upcr.h as it is, and link
 * with libupcr by plain cc. */
#define UPCR_NO_SRCPOS
#include <upcr.h>

extern void UPCRI_ALLOC_flags_1907738514(void);
extern void UPCRI_INIT_flags_1907738514(void);

static void perfile_allocs(void) {
    UPCRI_ALLOC_flags_1907738514();
}

static void perfile_inits(void) {
    UPCRI_INIT_flags_1907738514();
}

/* tentative: merge with the initialised ones of the helper file */
void (*UPCRL_trans_extra_procinit)();
void (*UPCRL_trans_extra_threadinit)();

static void static_init(void *start, uintptr_t len)
{
    UPCR_BEGIN_FUNCTION();

    if (UPCRL_trans_extra_procinit) {
	upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
	upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
	if (upcri_mypthread() == 0) (*UPCRL_trans_extra_procinit)();
	upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
	upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
    }

    perfile_allocs();

    upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
    upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);

    perfile_inits();

    if (UPCRL_trans_extra_threadinit) {
	upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
	upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
	(*UPCRL_trans_extra_threadinit)();
	upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
	upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
    }
}

upcr_thread_t   UPCRL_static_thread_count               = 0;
uintptr_t       UPCRL_default_shared_size               = (uintptr_t)64 << 20;
uintptr_t       UPCRL_default_shared_offset             = (uintptr_t)0 << 20;
uint64_t        gasnet_max_segsize                      = 0;
int             UPCRL_progress_thread                   = 0;
uintptr_t       UPCRL_default_cache_size                = 0;
int             UPCRL_attach_flags                      = UPCR_ATTACH_ENV_OVERRIDE|UPCR_ATTACH_SIZE_WARN;
const char *    UPCRL_main_name                         = "user_main";
upcr_thread_t   UPCRL_default_pthreads_per_node         = 0;
int             UPCRL_segsym_pow2_opt                   = 0;

void (*UPCRL_pre_spawn_init)(void)                      = NULL;
void (*UPCRL_per_pthread_init)(void)                    = NULL;
void (*UPCRL_static_init)(void *, uintptr_t)            = &static_init;
void (*UPCRL_heap_init)(void * start, uintptr_t len)    = &upcri_init_heaps;
void (*UPCRL_cache_init)(void *start, uintptr_t len)    = &upcri_init_cache;
void (*UPCRL_mpi_init)(int *pargc, char ***pargv)       = NULL;
void (*UPCRL_mpi_finalize)(void)                        = NULL;
void (*UPCRL_profile_finalize)(void)                    = NULL;

GASNETT_IDENT(UPCRI_IdentString_link_GASNetConfig,
 "$GASNetConfig: (<link>) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_link_UPCRConfig,
 "$UPCRConfig: (<link>) " UPCR_CONFIG_STRING ",dynamicthreads $");

extern int user_main(int, char**);

int main(int argc, char **argv)
{
    bupc_init_reentrant(&argc, &argv, &user_main);
    return 0;
}

/* ---- the translator's helper file ---- */
int32_t UPCR_TLD_DEFINE_TENTATIVE(upcrt_forall_control, 4, 4);
#define upcr_forall_control upcrt_forall_control

int upcrt_gcd(int _a, int _b) { return (_b == 0) ? _a : upcrt_gcd(_b, _a % _b); }

int _upcrt_forall_start(int start_thread, int step, int lo, int scale)
{
    UPCR_BEGIN_FUNCTION();
    int threads = (int)upcr_threads(), k;
    for (k = 0; k < threads; k++)
	if (((start_thread + k * step * scale) % threads + threads) % threads == (int)upcr_mythread())
	    return lo + k * step;
    return step > 0 ? INT_MAX : INT_MIN;
}

void _upcrt_memput_nb(upcr_shared_ptr_t _dst, const void *_src, size_t _n) { upcr_memput(_dst, _src, _n); }

static int procinits, threadinits;
static void proc_hook(void) { procinits++; }
static void thread_hook(void)
{
    threadinits++;
    if (procinits != 1 || threadinits != 1 || upcrt_gcd(12, 18) != 6 ||
        _upcrt_forall_start(0, 1, 0, 1) != (int)upcr_mythread())
	upcri_err("start-up hooks: %d before, %d after the static data", procinits, threadinits);
}
void (*UPCRL_trans_extra_procinit)() = &proc_hook;
void (*UPCRL_trans_extra_threadinit)() = &thread_hook;
