/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors that the UPC library must report. library_misuse.sh reads this file: each line
 *   expect NAME both|debug: PATTERN
 * runs case NAME in the debug library, and for "both" in the release library too; the job must end with a
 * runtime error that matches the pattern, in debug with the line that is marked "HERE: NAME".
 */
#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"

static upcr_shared_ptr_t p; /* the neighbour's memory, one page */
static upcr_pshared_ptr_t ints, doubles, points;
static int x = 1;

/* expect type both: upc_all_atomicdomain_alloc: 1 is not a type of atomic operations */
static void type(void) { (void)upc_all_atomicdomain_alloc(UPC_CHAR, UPC_ADD, 0); /* HERE: type */ }
/* expect float_bits both: upc_all_atomicdomain_alloc: UPC_XOR is not an operation on UPC_DOUBLE */
static void float_bits(void) {
    (void)upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_XOR, 0); /* HERE: float_bits */
}
/* expect add_pointers both: UPC_ADD is not an operation on UPC_PTS .requested: UPC_ADD.UPC_GET. */
static void add_pointers(void) {
    (void)upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_ADD, 0); /* HERE: add_pointers */
}
/* expect logical both: UPC_LOGOR is not an operation on UPC_INT */
static void logical(void) { (void)upc_all_atomicdomain_alloc(UPC_INT, UPC_LOGOR, 0); /* HERE: logical */ }
/* expect no_operation both: 0x10000 is not an operation on UPC_INT */
static void no_operation(void) {
    (void)upc_all_atomicdomain_alloc(UPC_INT, UPC_GET | 0x10000, 0); /* HERE: no_operation */
}
/* expect disagree debug: UPC thread 1 requests a domain of UPC_INT with UPC_OR and hints 0, UPC thread 0 of UPC_INT with UPC_AND and hints 0 */
static void disagree(void) {
    (void)upc_all_atomicdomain_alloc(UPC_INT, upcr_mythread() ? UPC_OR : UPC_AND, 0); /* HERE: disagree */
}
/* expect not_in_set both: upc_atomic_relaxed: UPC_MULT is not in the domain's set of operations on UPC_INT .UPC_ADD.UPC_GET.UPC_CSWAP. */
static void not_in_set(void) { upc_atomic_relaxed(ints, NULL, UPC_MULT, p, &x, NULL); /* HERE: not_in_set */ }
/* expect two_operations both: upc_atomic_strict: 0x201 is not in the domain's set */
static void two_operations(void) {
    upc_atomic_strict(ints, &x, UPC_ADD | UPC_GET, p, &x, NULL); /* HERE: two_operations */
}
/* expect no_result both: upc_atomic_strict: fetch_ptr is null, which UPC_GET needs */
static void no_result(void) { upc_atomic_strict(ints, NULL, UPC_GET, p, NULL, NULL); /* HERE: no_result */ }
/* expect no_operand both: operand1 is null, which UPC_ADD needs */
static void no_operand(void) {
    upc_atomic_relaxed(ints, NULL, UPC_ADD, p, NULL, NULL); /* HERE: no_operand */
}
/* expect no_second both: operand2 is null, which UPC_CSWAP needs */
static void no_second(void) { upc_atomic_relaxed(ints, NULL, UPC_CSWAP, p, &x, NULL); /* HERE: no_second */ }
/* expect spare_operand debug: operand1 is not null, but UPC_GET takes no operands */
static void spare_operand(void) {
    upc_atomic_relaxed(ints, &x, UPC_GET, p, &x, NULL); /* HERE: spare_operand */
}
/* expect spare_second debug: operand2 is not null, but UPC_ADD takes operand1 only */
static void spare_second(void) { upc_atomic_relaxed(ints, &x, UPC_ADD, p, &x, &x); /* HERE: spare_second */ }
/* expect freed both: an atomic domain that was freed */
static void freed(void) {
    upc_all_atomicdomain_free(doubles);
    double d;
    upc_atomic_relaxed(doubles, &d, UPC_GET, p, NULL, NULL); /* HERE: freed */
}
/* expect freed_twice both: upc_all_atomicdomain_free: .*an atomic domain that was freed */
static void freed_twice(void) {
    upc_all_atomicdomain_free(doubles);
    upc_all_atomicdomain_free(doubles); /* HERE: freed_twice */
}
/* expect no_domain both: is not an atomic domain; upc_all_atomicdomain_alloc allocates them */
static void no_domain(void) {
    upc_atomic_relaxed(upcr_shared_to_pshared(p), &x, UPC_GET, p, NULL, NULL); /* HERE: no_domain */
}
/* expect null_domain both: upc_atomic_relaxed: the domain is null */
static void null_domain(void) {
    upc_atomic_relaxed(upcr_null_pshared, &x, UPC_GET, p, NULL, NULL); /* HERE: null_domain */
}
/* expect null_target debug: upc_atomic_relaxed: 4 bytes at <NULL> */
static void null_target(void) {
    upc_atomic_relaxed(ints, &x, UPC_GET, upcr_null_shared, NULL, NULL); /* HERE: null_target */
}
/* expect misaligned_target debug: upc_atomic_strict.*misaligned */
static void misaligned_target(void) {
    upc_atomic_strict(points, &x, UPC_GET, spmd_part(p, 0, 4), NULL, NULL); /* HERE: misaligned_target */
}
/* expect typed_misaligned debug: bupc_atomicL_fetchadd_relaxed: 8 bytes.*misaligned */
static void typed_misaligned(void) {
    (void)bupc_atomicL_fetchadd_relaxed(spmd_part(p, 1, 4), 1); /* HERE: typed_misaligned */
}
/* expect typed_null debug: bupc_atomicF_set_strict: 4 bytes at <NULL> */
static void typed_null(void) { bupc_atomicF_set_strict(upcr_null_shared, 1); /* HERE: typed_null */ }
/* expect private_null debug: bupc_atomicX64_mswap_private: the private address is null */
static void private_null(void) { (void)bupc_atomicX64_mswap_private(NULL, 1, 1); /* HERE: private_null */ }
/* expect private_misaligned debug: bupc_atomicI_read_private: the object at .* is misaligned */
static void private_misaligned(void) {
    static char bytes[16] __attribute__((aligned(8)));
    (void)bupc_atomicI_read_private(bytes + 2); /* HERE: private_misaligned */
}
/* expect strict_over_nb debug: bupc_atomicU64_swap_strict.*a strict access while 1 explicit */
static void strict_over_nb(void) {
    (void)upcr_put_nb_shared_val(p, 0, 1, 8);
    (void)bupc_atomicU64_swap_strict(p, 1); /* HERE: strict_over_nb */
}

/* expect sem_kinds both: bupc_sem_alloc: BUPC_SEM_BOOLEAN and BUPC_SEM_INTEGER exclude each other .flags 0x3. */
static void sem_kinds(void) {
    (void)bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_INTEGER); /* HERE: sem_kinds */
}
/* expect sem_producers both: BUPC_SEM_SPRODUCER and BUPC_SEM_MPRODUCER exclude each other */
static void sem_producers(void) {
    (void)bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_MPRODUCER); /* HERE: sem_producers */
}
/* expect sem_consumers both: BUPC_SEM_SCONSUMER and BUPC_SEM_MCONSUMER exclude each other */
static void sem_consumers(void) {
    (void)bupc_sem_alloc(BUPC_SEM_MCONSUMER | BUPC_SEM_SCONSUMER); /* HERE: sem_consumers */
}
/* expect sem_bits both: flags 0x42 have bits that are no BUPC_SEM_ flags: 0x40 */
static void sem_bits(void) { (void)bupc_sem_alloc(BUPC_SEM_INTEGER | 64); /* HERE: sem_bits */ }
/* expect sem_null both: bupc_sem_post: the semaphore is null */
static void sem_null(void) { bupc_sem_post(upcr_null_pshared); /* HERE: sem_null */ }
/* expect sem_none both: no semaphore */
static void sem_none(void) {
    bupc_sem_post(upcr_shared_to_pshared(p));
    upcr_poll();
    spmd_barrier();
}
/* expect sem_freed both: bupc_sem_wait: .* a semaphore that was freed */
static void sem_freed(void) {
    const upcr_pshared_ptr_t s = bupc_sem_alloc(0);
    bupc_sem_free(s);
    bupc_sem_wait(s); /* HERE: sem_freed */
}
/* expect sem_boolean debug: a post: 1 at once on a semaphore that was allocated with BUPC_SEM_BOOLEAN */
static void sem_boolean(void) { bupc_sem_postN(bupc_sem_alloc(BUPC_SEM_BOOLEAN), 1); /* HERE: sem_boolean */ }
/* expect sem_boolean_signal debug: a post: 2 at once on a semaphore that was allocated with BUPC_SEM_BOOLEAN */
static void sem_boolean_signal(void) {
    const upcr_pshared_ptr_t s = bupc_sem_alloc(BUPC_SEM_BOOLEAN);
    bupc_memput_signal(spmd_part(p, upcr_mythread(), 0), &x, sizeof x, s, 2); /* HERE: sem_boolean_signal */
}
/* expect sem_boolean_wait debug: a wait: 2 at once on a semaphore that was allocated with BUPC_SEM_BOOLEAN */
static void sem_boolean_wait(void) {
    const upcr_pshared_ptr_t s = bupc_sem_alloc(BUPC_SEM_BOOLEAN);
    (void)bupc_sem_tryN(s, 2); /* HERE: sem_boolean_wait */
}
/* expect sem_amount debug: bupc_sem_postN: 65536 is more than a semaphore's value can be, BUPC_SEM_MAXVALUE = 65535 */
static void sem_amount(void) { bupc_sem_postN(bupc_sem_alloc(0), 65536); /* HERE: sem_amount */ }
/* expect sem_overflow debug: a post of 1 by UPC thread [01] takes a semaphore from 65535 beyond BUPC_SEM_MAXVALUE */
static void sem_overflow(void) {
    const upcr_pshared_ptr_t s = bupc_sem_alloc(0);
    bupc_sem_postN(s, BUPC_SEM_MAXVALUE);
    bupc_sem_post(s); /* HERE: sem_overflow */
}
/* expect signal_elsewhere debug: bupc_memput_signal_async: the destination is UPC thread [01]'s, the semaphore UPC thread [01]'s */
static void signal_elsewhere(void) {
    bupc_memput_signal_async(p, &x, sizeof x, bupc_sem_alloc(0), 1); /* HERE: signal_elsewhere */
}
/* expect two_producers debug: a post: UPC thread [01], after UPC thread [01], on a semaphore that was allocated with BUPC_SEM_SPRODUCER */
static void two_producers(void) {
    upcr_pshared_ptr_t s = bupc_sem_alloc(BUPC_SEM_SPRODUCER);
    upcr_put_shared(spmd_part(p, upcr_mythread(), 0), 0, &s, sizeof s);
    spmd_barrier();
    upcr_get_shared(&s, spmd_part(p, 0, 0), 0, sizeof s);
    bupc_sem_post(s);
    spmd_barrier();
}
/* expect two_consumers debug: a wait: UPC thread [01], after UPC thread [01], on a semaphore that was allocated with BUPC_SEM_SCONSUMER */
static void two_consumers(void) {
    upcr_pshared_ptr_t s = bupc_sem_alloc(BUPC_SEM_SCONSUMER);
    upcr_put_shared(spmd_part(p, upcr_mythread(), 0), 0, &s, sizeof s);
    spmd_barrier();
    upcr_get_shared(&s, spmd_part(p, 0, 0), 0, sizeof s);
    (void)bupc_sem_try(s);
    spmd_barrier();
}

static const struct spmd_case cases[] = {
    CASE(type),
    CASE(float_bits),
    CASE(add_pointers),
    CASE(logical),
    CASE(no_operation),
    CASE(disagree),
    CASE(not_in_set),
    CASE(two_operations),
    CASE(no_result),
    CASE(no_operand),
    CASE(no_second),
    CASE(spare_operand),
    CASE(spare_second),
    CASE(freed),
    CASE(freed_twice),
    CASE(no_domain),
    CASE(null_domain),
    CASE(null_target),
    CASE(misaligned_target),
    CASE(typed_misaligned),
    CASE(typed_null),
    CASE(private_null),
    CASE(private_misaligned),
    CASE(strict_over_nb),
    CASE(sem_kinds),
    CASE(sem_producers),
    CASE(sem_consumers),
    CASE(sem_bits),
    CASE(sem_null),
    CASE(sem_none),
    CASE(sem_freed),
    CASE(sem_boolean),
    CASE(sem_boolean_signal),
    CASE(sem_boolean_wait),
    CASE(sem_amount),
    CASE(sem_overflow),
    CASE(signal_elsewhere),
    CASE(two_producers),
    CASE(two_consumers),
};

static int run_case(int argc, char **argv) {
    const upcr_shared_ptr_t all = spmd_alloc(4096);
    const upcr_pshared_ptr_t i = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET | UPC_CSWAP, 0),
                             d = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_GET, 0),
                             s = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET, 0);
    if (upcri_mypthread() == 0) {
        p = spmd_part(all, 1 - upcr_mythread(), 0);
        ints = i;
        doubles = d;
        points = s;
    }
    spmd_barrier();
    const struct spmd_case *const found = spmd_find_case(CASES(cases), argc, argv);
    if (found == NULL) return SPMD_NO_CASE;
    found->run(); /* on both threads, because some cases are collective */
    spmd_barrier();
    return 0;
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_case); }
