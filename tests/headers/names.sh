#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# names.sh LIST: writes a C and C++ program that uses every name of the list (names.txt) with its type. It
# must compile without a warning and link; run, it prints how many uses it holds. None of them is executed.
cat <<'HEAD'
#include <upcr.h>
#include <whirl2c.h>
#include <upcr_proxy.h>
#ifdef __cplusplus
#include <type_traits>
#define SAME_TYPE(T, ...) static_assert(std::is_same<std::decay<decltype(__VA_ARGS__)>::type, T>::value, #T)
#define STATIC_ASSERT(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
extern "C" {
#else
#define SAME_TYPE(T, ...) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(__VA_ARGS__), T), #T " from " #__VA_ARGS__)
#define STATIC_ASSERT(...) _Static_assert(__VA_ARGS__, #__VA_ARGS__)
#endif
#define VARIABLES                                                                                     \
    upcr_shared_ptr_t s = upcr_null_shared, *sp = &s;                                                 \
    upcr_pshared_ptr_t p = upcr_null_pshared, *pp = &p;                                               \
    upcr_handle_t h = UPCR_INVALID_HANDLE;                                                            \
    upcr_valget_handle_t vh = 0;                                                                      \
    size_t n = 0;                                                                                     \
    ptrdiff_t d = 0;                                                                                  \
    int i = 0, array[4] = {0, 0, 0, 0};                                                               \
    float f = 0;                                                                                      \
    double g = 0;                                                                                     \
    char buf[256] = "", *args[1] = {0}, **argvp = args;                                               \
    const char *cbuf = buf;                                                                           \
    void *v = 0;                                                                                      \
    static upcr_startup_arrayinit_diminfo_t diminfos[2];                                              \
    static upcr_startup_shalloc_t shallocs[1];                                                        \
    static upcr_startup_pshalloc_t pshallocs[1];                                                      \
    (void)sp, (void)pp, (void)h, (void)vh, (void)n, (void)d, (void)i, (void)array, (void)f, (void)g, (void)argvp; \
    (void)cbuf, (void)v, (void)diminfos, (void)shallocs, (void)pshallocs
upcr_shared_ptr_t shared_proxy;
upcr_pshared_ptr_t pshared_proxy;
static void hook(void) {}
static void range_hook(void *start, uintptr_t len) { (void)start, (void)len; }
static int main_hook(int argc, char **argv) { return argc + (argv != 0); }
void names_hooks(void);
void names_hooks(void) { hook(), range_hook(0, 0), main_hook(0, 0); }
HEAD

awk '
  function body(code) { printf "void use_%d(void);\nvoid use_%d(void) { VARIABLES; %s }\n", NR, NR, code; uses++ }
  function finish() { if (title != "" && found != expected) { printf "#error %s: %d names instead of %d\n", title, found, expected } }
  /^#/ || /^$/ { next }
  /^group / {
    finish(); title = $0; sub(/^group /, "", title); sub(/: *[0-9]+$/, "", title)
    expected = $NF; found = 0; next
  }
  {
    found++
    kind = $1; rest = $0; sub(/^[^ ]+ /, "", rest)
    type = rest; sub(/: .*/, "", type); text = rest; sub(/^[^:]*: /, "", text)
    printf "#line %d \"names.txt\"\n", NR
    if (kind == "type") body("static " rest " x, y; x = y; (void)x;")
    else if (kind == "true") printf "STATIC_ASSERT(%s);\n", rest
    else if (kind == "if") printf "#if !(%s)\n#error %s\n#endif\n", rest, rest
    else if (kind == "string") printf "extern const char string_%d[];\nconst char string_%d[] = \"a\" %s \"z\";\n", NR, NR, rest
    else if (kind == "init") printf "extern %s init_%d;\n%s init_%d = %s;\n", type, NR, type, NR, text
    else if (kind == "value") body("SAME_TYPE(" type ", " text "); (void)(" text ");")
    else if (kind == "statement") body(rest)
    else if (kind == "redeclare") print rest
    else if (kind == "undefined") printf "#ifdef %s\n#error %s is defined\n#endif\n", rest, rest
    else printf "#error names.txt:%d: %s\n", NR, kind
    total++
  }
  END {
    finish()
    printf "#ifdef __cplusplus\n}\n#endif\nint main(void)\n{\n    printf(\"%d uses of names compile and link\\n\");\n    return 0;\n}\n", total
  }' "$1"
