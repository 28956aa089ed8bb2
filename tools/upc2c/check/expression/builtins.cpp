// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "tools/upc2c/check/expression/calls.hpp"

namespace upc2c {
namespace {

struct Builtin {
  std::string_view name;  // without __builtin_ or __
  char result;
};

/* clang-format off */
constexpr Builtin kBuiltins[] = {  // sorted
  {"abort", 'v'}, {"abs", 'i'}, {"alloca", 'p'}, {"alloca_with_align", 'p'}, {"apply", 'p'}, {"assume_aligned", 'p'},
  {"atan2", 'd'}, {"bcmp", 'i'}, {"bswap16", 's'}, {"bswap32", 'u'}, {"bswap64", 'U'}, {"calloc", 'p'}, {"ceil", 'd'},
  {"clrsb", 'i'}, {"clrsbl", 'i'}, {"clz", 'i'}, {"clzl", 'i'}, {"clzll", 'i'}, {"constant_p", 'i'}, {"copysign", 'd'},
  {"copysignf", 'f'}, {"copysignl", 'D'}, {"cos", 'd'}, {"ctz", 'i'}, {"ctzl", 'i'}, {"ctzll", 'i'}, {"exit", 'v'},
  {"exp", 'd'}, {"expect", 'l'}, {"expect_with_probability", 'l'}, {"extract_return_addr", 'p'}, {"fabs", 'd'},
  {"fabsf", 'f'}, {"fabsl", 'D'}, {"ffs", 'i'}, {"ffsl", 'i'}, {"ffsll", 'i'}, {"floor", 'd'}, {"fmax", 'd'}, {"fmin", 'd'},
  {"fpclassify", 'i'}, {"fprintf", 'i'}, {"frame_address", 'p'}, {"free", 'v'}, {"huge_val", 'd'}, {"huge_valf", 'f'},
  {"huge_vall", 'D'}, {"inf", 'd'}, {"inff", 'f'}, {"infl", 'D'}, {"isfinite", 'i'}, {"isgreater", 'i'},
  {"isgreaterequal", 'i'}, {"isinf", 'i'}, {"isinf_sign", 'i'}, {"isless", 'i'}, {"islessequal", 'i'}, {"islessgreater", 'i'},
  {"isnan", 'i'}, {"isnormal", 'i'}, {"isunordered", 'i'}, {"labs", 'l'}, {"log", 'd'}, {"longjmp", 'v'}, {"malloc", 'p'},
  {"memchr", 'p'}, {"memcmp", 'i'}, {"memcpy", 'p'}, {"memmove", 'p'}, {"memset", 'p'}, {"nan", 'd'}, {"nanf", 'f'},
  {"nanl", 'D'}, {"object_size", 'z'}, {"parity", 'i'}, {"popcount", 'i'}, {"popcountl", 'i'}, {"popcountll", 'i'},
  {"pow", 'd'}, {"powi", 'd'}, {"prefetch", 'v'}, {"printf", 'i'}, {"putchar", 'i'}, {"puts", 'i'}, {"realloc", 'p'},
  {"return_address", 'p'}, {"setjmp", 'i'}, {"signbit", 'i'}, {"sin", 'd'}, {"snprintf", 'i'}, {"sprintf", 'i'},
  {"sqrt", 'd'}, {"sqrtf", 'f'}, {"stpcpy", 'c'}, {"strcat", 'c'}, {"strchr", 'c'}, {"strcmp", 'i'}, {"strcpy", 'c'},
  {"strcspn", 'z'}, {"strdup", 'c'}, {"strlen", 'z'}, {"strncat", 'c'}, {"strncmp", 'i'}, {"strncpy", 'c'}, {"strpbrk", 'c'},
  {"strrchr", 'c'}, {"strspn", 'z'}, {"strstr", 'c'}, {"trap", 'v'}, {"unreachable", 'v'}, {"va_arg_pack", 'i'},
  {"va_arg_pack_len", 'i'}, {"va_copy", 'v'}, {"va_end", 'v'}, {"va_start", 'v'}, {"vsnprintf", 'i'},
};
/* clang-format on */
static_assert(std::is_sorted(std::begin(kBuiltins), std::end(kBuiltins),
                             [](const Builtin& a, const Builtin& b) { return a.name < b.name; }));

bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// __sync_fetch_and_add, __atomic_load_n and others that work on what their first argument points to.
char atomic_result(std::string_view name) {
  if (has(name, "synchronize") || has(name, "fence") || has(name, "lock_release") || has(name, "clear"))
    return 'v';
  if (has(name, "bool_compare") || has(name, "compare_exchange") || has(name, "test_and_set_n") ||
      has(name, "lock_free"))
    return 'b';
  if (has(name, "atomic_test_and_set")) return 'b';
  if (has(name, "atomic_load") || has(name, "atomic_store") || has(name, "atomic_exchange"))
    return has(name, "_n") && !has(name, "store") ? '*' : 'v';
  return '*';
}

}  // namespace

char builtin_result(std::string_view name) {
  if (name.starts_with("__sync_") || name.starts_with("__atomic_")) return atomic_result(name);
  if (!name.starts_with("__builtin_")) return '?';
  name.remove_prefix(10);
  if (name.starts_with("__")) name.remove_prefix(2);  // __builtin___memcpy_chk
  if (name.ends_with("_chk")) name.remove_suffix(4);
  const auto* found =
      std::lower_bound(std::begin(kBuiltins), std::end(kBuiltins), name,
                       [](const Builtin& row, std::string_view wanted) { return row.name < wanted; });
  return found != std::end(kBuiltins) && found->name == name ? found->result : '?';
}

}  // namespace upc2c
