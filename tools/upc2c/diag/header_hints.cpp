// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/diag/header_hints.hpp"

#include <algorithm>
#include <cctype>

#include "conduits/core/base/config/edit_distance.hpp"

namespace upc2c {
namespace {

struct Header {
  std::string_view file;
  std::string_view names;  // with a blank before and behind each; `name*`: all that begin so
};

// The first row that has a name counts: exceptions stand before what begins alike.
/* clang-format off */
constexpr Header kHeaders[] = {
  {"upc.h",
   " upc_all_alloc upc_all_free upc_all_lock_alloc upc_all_lock_free upc_global_alloc upc_alloc upc_free upc_local_alloc"
   " upc_global_exit upc_threadof upc_phaseof upc_resetphase upc_addrfield upc_affinitysize upc_lock_t"
   " upc_global_lock_alloc upc_lock_free upc_lock upc_lock_attempt upc_unlock upc_memcpy upc_memget upc_memput"
   " upc_memset upc_poll bupc_poll upc_op_t upc_flag_t upc_type_t UPC_ADD UPC_MULT UPC_AND UPC_OR UPC_XOR UPC_LOGAND"
   " UPC_LOGOR UPC_MIN UPC_MAX UPC_IN_* UPC_OUT_* UPC_CHAR UPC_UCHAR UPC_SHORT UPC_USHORT UPC_INT UPC_UINT UPC_LONG"
   " UPC_ULONG UPC_LLONG UPC_ULLONG UPC_INT8 UPC_UINT8 UPC_INT16 UPC_UINT16 UPC_INT32 UPC_UINT32 UPC_INT64 UPC_UINT64"
   " UPC_FLOAT UPC_DOUBLE UPC_LDOUBLE UPC_PTS "},
  {"upc_atomic.h",
   " upc_atomic* upc_all_atomicdomain* UPC_ATOMIC_* UPC_GET UPC_SET UPC_CSWAP UPC_SUB UPC_INC UPC_DEC "},
  {"upc_castable.h", " upc_cast upc_thread_info upc_thread_info_t UPC_CASTABLE_* "},
  {"upc_tick.h", " upc_tick* UPC_TICK_* "},
  {"upc_nb.h",
   " upc_memcpy_nb* upc_memget_nb* upc_memput_nb* upc_memset_nb* upc_sync* upc_handle_t UPC_COMPLETE_HANDLE "},
  {"upc_io.h",
   " upc_all_f* upc_file_t upc_off_t upc_hint upc_filevec upc_local_memvec upc_shared_memvec UPC_APPEND UPC_ASYNC*"
   " UPC_COMMON_FP UPC_CREATE UPC_DELETE_ON_CLOSE UPC_EXCL UPC_GET_* UPC_INDIVIDUAL_FP UPC_RDONLY UPC_RDWR UPC_SEEK_*"
   " UPC_SET_* UPC_STRONG_CA UPC_TRUNC UPC_WRONLY "},
  {"upc_collective.h", " upc_all_broadcast upc_all_scatter upc_all_gather upc_all_gather_all upc_all_exchange upc_all_permute upc_all_sort"
   " upc_all_reduce* upc_all_prefix_reduce* UPC_FUNC UPC_NONCOMM_FUNC "},
  {"bupc_collectivev.h", " bupc_allv_* BUPC_COLLECTIVEV_* "},
  {"bupc_atomics.h", " bupc_atomic* "},
  {"bupc_extensions.h",
   " bupc_all_free bupc_all_lock_free bupc_cast* bupc_thread_* bupc_dump_shared bupc_local_to_shared bupc_inverse_cast"
   " bupc_ptradd bupc_tick* BUPC_* bupc_handle_t bupc_mem* bupc_waitsync* bupc_trysync* bupc_begin_accessregion"
   " bupc_end_accessregion bupc_pmemvec_t bupc_smemvec_t bupc_sem_* bupc_coll_*"
   " bupc_load_coll_tuning_file bupc_store_coll_tuning_file bupc_stats_* bupc_team_* bupc_trace_* "},
  {"stdio.h",
   " FILE stdin stdout stderr EOF printf fprintf sprintf snprintf vprintf vfprintf vsnprintf scanf fscanf sscanf fopen"
   " fclose fflush fread fwrite fgets fputs fgetc fputc getc getchar putc putchar puts fseek ftell rewind feof ferror"
   " perror remove rename setbuf setvbuf getline popen pclose BUFSIZ SEEK_SET SEEK_CUR SEEK_END "},
  {"stdlib.h",
   " malloc calloc realloc free exit abort atexit atoi atol atoll atof strtol strtoul strtoll strtoull strtod rand srand"
   " random srandom drand48 srand48 lrand48 qsort bsearch abs labs llabs getenv setenv system posix_memalign RAND_MAX"
   " EXIT_SUCCESS EXIT_FAILURE "},
  {"string.h",
   " memcpy memmove memset memcmp memchr strlen strcpy strncpy strcat strncat strcmp strncmp strchr strrchr strstr"
   " strtok strtok_r strdup strspn strcspn strpbrk strerror "},
  {"strings.h", " bzero bcopy bcmp strcasecmp strncasecmp ffs "},
  {"math.h",
   " sqrt sqrtf cbrt pow powf exp expf exp2 log logf log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh fabs"
   " fabsf floor ceil round lround trunc rint fmod hypot fmin fmax ldexp frexp modf isnan isinf isfinite M_PI M_E"
   " M_SQRT2 HUGE_VAL INFINITY NAN "},
  {"stdbool.h", " bool true false "},
  {"stddef.h", " NULL size_t ptrdiff_t wchar_t offsetof "},
  {"stdint.h",
   " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t INT8_MAX"
   " INT16_MAX INT32_MIN INT32_MAX INT64_MIN INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX INTPTR_MAX"
   " UINTPTR_MAX "},
  {"inttypes.h", " PRId64 PRIu64 PRIx64 PRId32 PRIu32 PRIx32 PRIuPTR PRIxPTR strtoimax strtoumax "},
  {"limits.h",
   " CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX UCHAR_MAX SHRT_MAX SHRT_MIN USHRT_MAX INT_MAX INT_MIN UINT_MAX LONG_MAX"
   " LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX PATH_MAX "},
  {"float.h", " FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON DBL_DIG LDBL_MAX LDBL_EPSILON "},
  {"assert.h", " assert static_assert "},
  {"ctype.h",
   " isalpha isdigit isalnum isspace isupper islower isprint ispunct isxdigit iscntrl tolower toupper "},
  {"errno.h", " errno EINTR EINVAL ENOMEM ENOENT EAGAIN "},
  {"time.h",
   " time time_t clock clock_t CLOCKS_PER_SEC clock_gettime CLOCK_MONOTONIC CLOCK_REALTIME nanosleep difftime ctime"
   " localtime gmtime mktime strftime "},
  {"sys/time.h", " gettimeofday getitimer setitimer "},
  {"sys/types.h", " pid_t off_t ssize_t "},
  {"unistd.h",
   " sleep usleep getpid getppid fork execv execvp close read write lseek unlink access gethostname sysconf isatty"
   " getopt optarg optind chdir getcwd STDIN_FILENO STDOUT_FILENO STDERR_FILENO _SC_NPROCESSORS_ONLN "},
  {"getopt.h", " getopt_long "},
  {"signal.h", " signal raise kill sigaction SIGINT SIGTERM SIGSEGV SIGABRT SIGALRM SIGUSR1 SIG_DFL SIG_IGN "},
  {"setjmp.h", " jmp_buf setjmp longjmp "},
  {"stdarg.h", " va_list va_start va_end va_arg va_copy "},
  {"complex.h", " complex cabs creal cimag conj cexp csqrt carg "},
  {"sched.h", " sched_yield "},
  {"fcntl.h", " open O_RDONLY O_WRONLY O_RDWR O_CREAT O_TRUNC "},
  {"pthread.h", " pthread_* "},
};
/* clang-format on */

constexpr std::string_view kKeywords =
    " THREADS MYTHREAD UPC_MAX_BLOCK_SIZE upc_forall upc_barrier upc_notify upc_wait upc_fence upc_localsizeof"
    " upc_blocksizeof upc_elemsizeof ";

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

// f(name) for each of the names, without those that only begin alike.
template <typename F>
void for_each_name(std::string_view names, F f) {
  for (std::size_t begin = 1, end; (end = names.find(' ', begin)) != std::string_view::npos; begin = end + 1)
    if (const std::string_view name = names.substr(begin, end - begin); !name.ends_with('*')) f(name);
}

// UPC's name that was meant: MYTHREAD for mythread, upc_barrier for upc_barier.
std::string_view similar_name(std::string_view name) {
  std::string_view same_letters;
  upcr::MostSimilar<std::string_view> similar(name, name.size() < 8 ? 1 : 2);
  const auto consider = [&](std::string_view candidate) {
    if (lower(candidate) == lower(name)) same_letters = candidate;
    if (candidate.substr(0, 3) == name.substr(0, 3)) similar.consider(candidate, candidate);
  };
  for_each_name(kKeywords, consider);
  for (const Header& header : kHeaders)
    if (is_upc_header(header.file)) for_each_name(header.names, consider);
  return same_letters.empty() ? similar.found() : same_letters;
}

bool has(std::string_view names, std::string_view name) {
  const std::string whole = " " + std::string(name) + " ";
  if (names.find(whole) != std::string_view::npos) return true;
  for (std::size_t star = names.find('*'); star != std::string_view::npos; star = names.find('*', star + 1)) {
    const std::size_t begin = names.rfind(' ', star) + 1;
    if (name.starts_with(names.substr(begin, star - begin))) return true;
  }
  return false;
}

}  // namespace

std::string_view header_of(std::string_view name) {
  for (const Header& header : kHeaders)
    if (has(header.names, name)) return header.file;
  return {};
}

bool is_upc_header(std::string_view header) {
  return header.starts_with("upc") || header.starts_with("bupc");
}

std::string header_hint(std::string_view name) {
  if (const std::string_view header = header_of(name); !header.empty())
    return "; <" + std::string(header) + "> declares it";
  const std::string_view similar = similar_name(name);
  return similar.empty() ? "" : "; did you mean '" + std::string(similar) + "'?";
}

}  // namespace upc2c
