// SPDX-License-Identifier: BSD-3-Clause
// C that was not written for this front end: the C sources of this repository, among them what three
// translators of UPC wrote, and the C dialects of decades in small. Nothing in it is an error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

std::vector<std::string> c_files() {
  std::vector<std::string> out;
  for (const char* folder : {"/tests", "/docs/examples", "/bench"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(UPC2C_SOURCE_DIR + std::string(folder))) {
      const std::string path = entry.path();
      const auto in = [&](const char* name) { return path.find(name) != std::string::npos; };
      // These need macros and headers of their own, or are wrong on purpose.
      if (entry.path().extension() != ".c" || in("/gasnet/tools/") || in("/gupc/") || in("/ring/") ||
          in("/upcc/fixtures/") || in("/install/") || in("/allv_front_end"))
        continue;
      out.push_back(path);
    }
  std::sort(out.begin(), out.end());
  return out;
}

// One in eight, or all with UPC2C_ALL.
TEST(Corpus, OfThisRepository) {
  const std::vector<std::string> files = c_files();
  ASSERT_GE(files.size(), 100u);
  const std::size_t step = std::getenv("UPC2C_ALL") != nullptr ? 1 : 8;
  const std::string source = UPC2C_SOURCE_DIR, build = UPC2C_BUILD_DIR,
                    old = "</usr/local/berkeley_upc/opt/include/";
  for (std::size_t i = 0; i < files.size(); i += step) {
    std::string text = "#pragma upc c_code\n# 1 \"" + files[i] + "\"\n" + read_file(files[i]);
    for (std::size_t at; (at = text.find(old)) != std::string::npos;) text.replace(at, old.size(), "<");
    const std::string folder = std::filesystem::path(files[i]).parent_path();
    const Checked checked(
        preprocessed("",
                     "-std=gnu11 -D_GNU_SOURCE -DGASNET_SEQ -DEXPECT_DEBUG=0 -I" + source + "/include -I" +
                         build + "/include -I" + source + " -I" + folder + " -I" + folder + "/.. " +
                         "-I/usr/lib/x86_64-linux-gnu/openmpi/include",
                     text),
        files[i]);
    EXPECT_EQ(checked.diagnostics.errors(), 0u) << files[i] << "\n" << checked.messages();
  }
}

struct Dialect {
  const char *options, *text;
};

/* clang-format off */
const Dialect kDialects[] = {
  // K&R.
  {"gnu89", "foo(a, b) char *a; { return *a + b; } main(argc, argv) char **argv; { register i; extern double atof(); i = foo(argv[0], argc); return i; }"},
  {"gnu89", "struct s { int a; } f(x) struct s x; { return x; } int (*g())(); static h(); static h() { return g()(); } inline int k(void) { return 1; }"},
  {"gnu89", "typedef int T; struct s { T T; } v; f(n) T n; { T T = n; return T; } *y, z[3]; g(a, b, c) T a, c; { return a; }"},
  // C99, C11, C17.
  {"gnu99", "inline int f(int n, int a[static restrict n], int b[*]); int f(int n, int a[static restrict n], int b[n]) { for (int i = 0; i < n; i++) { int v[n][i + 1]; v[0][0] = sizeof v; (void)v; } return (int[]){1, 2}[n & 1]; }"},
  {"gnu99", "struct p { int x, y[3]; struct { int a, b; } in; }; struct p q = {.y = {[1] = 2}, .in.b = 3, .x = 1, .y[2] = 5}; int a[] = {[3] = 1, 2, [0] = 4}; _Complex double z = 1.0 + 2.0i; _Bool b = 3;"},
  {"gnu99", "long double d = 0x1.8p3L; unsigned long long u = 0xFFFFFFFFFFFFFFFFull; char c = '\\xff', *s = L\"a\" L\"b\" == 0 ? \"\" : \"x\" \"y\"; int \\u00e9t\\u00e9 = 1;"},
  {"gnu11", "_Static_assert(sizeof(int) == 4, \"int\"); struct s { union { int i; float f; }; _Alignas(16) char c; struct { int j; }; } x = {.i = 1, .j = 2}; int f(void) { return _Generic(x.f, float: 1, double: 2, default: 3) + (int)_Alignof(struct s) + x.j; }"},
  {"gnu11", "_Atomic int a; _Atomic(long) b; _Noreturn void stop(void); _Thread_local static int t; static _Thread_local int u; char16_t; int f(void) { return a++ + b + t; }"},
  {"gnu17", "int f(int n) { switch (n) { case 1: __attribute__((fallthrough)); case 2: return 1; default:; } return n; } const char *s = u8\"x\"; __CHAR16_TYPE__ w[] = u\"xy\"; __CHAR32_TYPE__ v[] = U\"z\";"},
  // GNU.
  {"gnu11", "int f(int n) { __label__ a, b; int g(int m) { return n + m; } static void *t[] = {&&a, &&b}; goto *t[n]; a: return g(1); b: return ({ int k = n ?: 3; goto c; c: k; }); }"},
  {"gnu11", "int f(int n) { switch (n) { case 1 ... 5: return 1; case 'a' ... 'z': return 2; } int x[3] = {[0 ... 2] = n}; struct { int a, b; } s = {a: 1, b: 2}; return x[0] + s.a; }"},
  {"gnu11", "typedef float v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { v4 c = a * b + (v4){1, 2, 3, 4}; c[1] = a[0]; return (v4)(c > a) + -b; } typedef int v2 __attribute__((__vector_size__(8), aligned(4)));"},
  {"gnu11", "#define max(a, b) __extension__ ({ __auto_type x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })\nint f(int a, long b) { return max(a, b) + __builtin_choose_expr(1, a, (void)0) + __builtin_types_compatible_p(int, long); }"},
  {"gnu11", "int f(int x) { asm volatile goto (\"\" : : \"r\"(x) : \"memory\" : out); __asm__ __volatile__ (\"nop\" : [o] \"+r\"(x), \"=m\"(*&x) : [i] \"i\"(3) : \"cc\"); register int r asm(\"ebx\") = 1; return r; out: return x; } asm(\".text\"); extern int g(void) __asm__(\"other\");"},
  {"gnu11", "__attribute__((noinline, cold)) extern int __attribute__((unused)) f(const char *a __attribute__((unused)), ...) __attribute__((format(printf, 1, 2), weak)); struct __attribute__((packed)) s { char c; int i __attribute__((aligned(2))); } __attribute__((may_alias)); int x __attribute__((section(\".data\"))) = 1, y __attribute__((weak));"},
  {"gnu11", "typedef int (*cb)(void *, int (*)(const char *), char *[]); cb table[2], *(*make(int))(void); int (*(*fp)(int))[3]; const int *const volatile *restrict p; unsigned long int long ll; short unsigned us; double long dl; int typedef I;"},
  {"gnu11", "struct flex { int n; char data[]; } f = {1, \"abc\"}; struct zero { int z[0]; }; union u { struct flex *p; int i; } __attribute__((transparent_union)); void g(union u); typedef union { int *p; long l; } arg __attribute__((transparent_union)); void k(arg); void h(void) { g((struct flex *)0); k(0); } struct empty {}; enum e { A, B = A + 2, C, } e = C;"},
  {"gnu11", "__int128 i; unsigned __int128 u; __float128 q = 1.0q; _Float128 r = 2.0f128; _Float32x s = 1.0f32x; _Decimal64 d = 1.5dd; _Float16 *h; __complex__ int ci = 3i; int f(void) { return __real__ ci + __imag__ ci + ~ci; }"},
  {"gnu11", "int f(int n, int (*a)[n]) { typeof(a) b = a; typeof(int[n]) c; return sizeof(c) + sizeof *b + __builtin_offsetof(struct { int x; char y[4]; }, y[n]) + __alignof__(c) + __builtin_object_size(a, 0); }"},
  {"gnu11", "#include <stdarg.h>\nint f(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int x = va_arg(a, int) + *va_arg(b, int *); va_end(a); va_end(b); return x; } static inline __attribute__((always_inline, gnu_inline)) int g(int n, ...) { return __builtin_va_arg_pack_len(); }"},
  {"gnu11", "#include <stdatomic.h>\n#include <tgmath.h>\n#include <complex.h>\natomic_int a; double complex z; int f(float x) { atomic_fetch_add(&a, 1); z = csqrt(z) + I * sin(x) + pow(x, 2.0L); return atomic_load(&a) + isnan(x) + signbit(x) + fpclassify(creal(z)); }"},
  {"gnu11", "#include <stdio.h>\n#include <string.h>\n#include <errno.h>\n#include <assert.h>\n#include <sys/select.h>\nint f(char *s, fd_set *set) { char b[10]; FD_ZERO(set); FD_SET(3, set); assert(s != NULL && strlen(s) < sizeof b); strcpy(b, s); snprintf(b, sizeof b, \"%d\", errno); memset(b, 0, 3); return FD_ISSET(3, set) + putc('x', stdout); }"},
};
/* clang-format on */

TEST(Corpus, DialectsOfC) {
  for (const Dialect& row : kDialects)
    for (const char* options : {"-O0", "-O2 -D_FORTIFY_SOURCE=2"}) {
      const Checked checked(
          preprocessed("", std::string(options) + " -std=" + row.options, std::string(row.text) + "\n"),
          "dialect.c");
      EXPECT_EQ(checked.diagnostics.errors(), 0u) << row.text << "\n" << checked.messages();
    }
}

// Every private declaration that may hold nothing of UPC is C for the C compiler as well.
TEST(Corpus, DialectsAreC) {
  for (const Dialect& row : kDialects) {
    std::string output;
    EXPECT_TRUE(compiles(std::string(row.text) + "\n", output, std::string("-std=") + row.options))
        << row.text << "\n"
        << output;
  }
}

}  // namespace
}  // namespace upc2c
