#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# preinclude.sh COMPILER INCLUDE_DIR BUILD_INCLUDE_DIR: what a UPC front end reads from upcr_preinclude/. The
# compiler stands for it: its preprocessor is what front ends use, and with `shared` as a macro the
# declarations are C. Headers without functions must do without the system's. (Each name with its type: front_end.py.)
compiler=$1 source=$2 build=$3
hosted="-I$source/upcr_preinclude -x c -std=gnu99
  -D__BERKELEY_UPC_FIRST_PREPROCESS__=1 -D__UPC__=1 -D__UPC_VERSION__=201311L"
first="-nostdinc -isystem $($compiler -print-file-name=include) $hosted"
failed=0
fail() { echo "FAILED: $*"; failed=$((failed + 1)); }
text() { printf "$1" | "$compiler" $hosted -DBUPC_DISABLE_EXTENSIONS -E -P -; }  # what the front end gets for this source

# UPC 1.3, 7.2: the functions, each with its result and parameters, whose names are reserved ones (__dst).
all=$(text '#include <upc.h>\n' | tr '\n' ' ')
reserved=$(echo "$all" | sed 's/[ *]__\([a-z]*[,)]\)/\n\1/g' | wc -l)
[ "$reserved" -gt 40 ] || fail "parameters with names that a program may define as macros"
all=$(echo "$all" | sed 's/\([ *]\)__\([a-z]*[,)]\)/\1\2/g')
while read -r declaration; do
  [ -z "$declaration" ] && continue
  case $all in *"extern $declaration;"*) ;; *) fail "upc.h has no '$declaration'" ;; esac
done <<LIST
void upc_global_exit(int status)
shared void *upc_global_alloc(size_t nblocks, size_t nbytes)
shared void *upc_all_alloc(size_t nblocks, size_t nbytes)
shared void *upc_alloc(size_t nbytes)
void upc_free(shared void *ptr)
void upc_all_free(shared void *ptr)
size_t upc_threadof(shared void *ptr)
size_t upc_phaseof(shared void *ptr)
shared void *upc_resetphase(shared void *ptr)
size_t upc_addrfield(shared void *ptr)
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid)
upc_lock_t *upc_global_lock_alloc(void)
upc_lock_t *upc_all_lock_alloc(void)
void upc_lock_free(upc_lock_t *ptr)
void upc_all_lock_free(upc_lock_t *ptr)
void upc_lock(upc_lock_t *ptr)
int upc_lock_attempt(upc_lock_t *ptr)
void upc_unlock(upc_lock_t *ptr)
void upc_memcpy(shared void *restrict dst, shared const void *restrict src, size_t n)
void upc_memget(void *restrict dst, shared const void *restrict src, size_t n)
void upc_memput(shared void *restrict dst, const void *restrict src, size_t n)
void upc_memset(shared void *dst, int c, size_t n)
LIST
case $all in *"typedef shared void upc_lock_t;"*) ;; *) fail "upc_lock_t is not shared void" ;; esac
case $all in *upcr*) fail "upc.h shows runtime names to the front end" ;; esac

# Access modes: upc.h sets none, the others one at each inclusion.
modes() { text "$1" | sed -n 's/^ *#pragma upc //p' | tr '\n' ' '; }
[ "$(modes '#include <upc.h>\n')" = "" ] || fail "upc.h sets an access mode"
[ "$(modes '#include <upc_strict.h>\n')" = "strict " ] || fail "upc_strict.h: no strict mode"
[ "$(modes '#include <upc_relaxed.h>\n')" = "relaxed " ] || fail "upc_relaxed.h: no relaxed mode"
[ "$(modes '#include <upc_relaxed.h>\n#include <upc_strict.h>\n#include <upc_relaxed.h>\n')" = \
  "relaxed strict relaxed " ] || fail "the last inclusion does not count"

# Without the system's headers. (All headers as C: prototypes.py.)
for header in upc_types.h upc_bits.h upc_collective_bits.h upc_castable_bits.h \
  bupc_collectivev.h; do
  printf "#include <$header>\nextern int used;\n" |
    "$compiler" $first -Dshared= -Wall -Wextra -Werror -Wno-unknown-pragmas -fsyntax-only - || fail "$header"
done

# Constants of UPC 1.3, as the front end and as translated code see them: they are baked into programs.
constants='
UPC_ADD==1 && UPC_MULT==2 && UPC_AND==4 && UPC_OR==8 && UPC_XOR==16 && UPC_LOGAND==32 && UPC_LOGOR==64 &&
UPC_MIN==128 && UPC_MAX==256 && UPC_IN_ALLSYNC==1 && UPC_IN_MYSYNC==2 && UPC_IN_NOSYNC==4 &&
UPC_OUT_ALLSYNC==8 && UPC_OUT_MYSYNC==16 && UPC_OUT_NOSYNC==32 && UPC_CHAR==1 && UPC_UCHAR==2 &&
UPC_SHORT==3 && UPC_USHORT==4 && UPC_INT==5 && UPC_UINT==6 && UPC_LONG==7 && UPC_ULONG==8 && UPC_LLONG==9 &&
UPC_ULLONG==10 && UPC_INT8==11 && UPC_UINT8==12 && UPC_INT16==13 && UPC_UINT16==14 && UPC_INT32==15 &&
UPC_UINT32==16 && UPC_INT64==17 && UPC_UINT64==18 && UPC_FLOAT==19 && UPC_DOUBLE==20 && UPC_LDOUBLE==21 &&
UPC_PTS==22 && sizeof(upc_op_t)==8 && (upc_op_t)-1>0 && sizeof(upc_flag_t)==sizeof(int) &&
sizeof(upc_type_t)==sizeof(int)'
program="$(printf '_Static_assert(%s, "constants");' "$(echo "$constants" | tr '\n' ' ')")"
printf '#include <upc_types.h>\n%s\n' "$program" | "$compiler" $first -Dshared= -fsyntax-only - ||
  fail "constants, front end"
printf '#include <upcr_preinclude/upc_types.h>\n%s\n' "$program" |
  "$compiler" -x c -std=gnu99 -I"$source" -fsyntax-only - || fail "constants, translated code"


# The same for the libraries, all in one file as translated code has them.
constants='
UPC_FUNC==65536 && UPC_NONCOMM_FUNC==131072 && UPC_RDONLY==1 && UPC_WRONLY==2 && UPC_RDWR==4 &&
UPC_INDIVIDUAL_FP==8 && UPC_COMMON_FP==16 && UPC_APPEND==32 && UPC_CREATE==64 && UPC_EXCL==128 &&
UPC_STRONG_CA==256 && UPC_TRUNC==512 && UPC_DELETE_ON_CLOSE==1024 && UPC_SEEK_SET==1 && UPC_SEEK_CUR==2 &&
UPC_SEEK_END==4 && UPC_GET_CA_SEMANTICS==1 && UPC_SET_WEAK_CA_SEMANTICS==2 &&
UPC_SET_STRONG_CA_SEMANTICS==4 && UPC_GET_FP==8 && UPC_SET_COMMON_FP==16 && UPC_SET_INDIVIDUAL_FP==32 &&
UPC_GET_FL==64 && UPC_GET_FN==128 && UPC_GET_HINTS==256 && UPC_SET_HINT==512 && UPC_ASYNC_OUTSTANDING==1024 &&
sizeof(upc_off_t)==8 && (upc_off_t)-1<0 && UPC_CASTABLE_ALL_ALLOC==1 && UPC_CASTABLE_GLOBAL_ALLOC==2 &&
UPC_CASTABLE_ALLOC==4 && UPC_CASTABLE_STATIC==8 && UPC_CASTABLE_ALL==15 &&
sizeof(upc_thread_info_t)==2*sizeof(int) && sizeof(((upc_thread_info_t *)0)->guaranteedCastable)==sizeof(int)'
program="$(printf '_Static_assert(%s, "constants");' "$(echo "$constants" | tr '\n' ' ')")"
bits() { printf "#include <$1upc_%s_bits.h>\n" collective io castable; printf '%s\n' "$program"; }
bits '' | "$compiler" $hosted -Dshared= -fsyntax-only - || fail "constants of libraries, front end"
bits upcr_preinclude/ | "$compiler" -x c -std=gnu99 -I"$source" -I"$build" -fsyntax-only - ||
  fail "constants of libraries, translated code"

# The clock's type and its ends, on both sides.
program='_Static_assert((upc_tick_t)-1 > 0 && sizeof(upc_tick_t) == 8 && UPC_TICK_MIN == 0 && UPC_TICK_MAX == (upc_tick_t)-1 &&
  sizeof(UPC_TICK_MIN) == 8 && sizeof(UPC_TICK_MAX) == 8, "ticks");'
printf '#include <upc_tick.h>\n%s\n' "$program" | "$compiler" $hosted -Dshared= -fsyntax-only - || fail "ticks, front end"
printf '#include <upcr.h>\n%s\n' "$program" |
  "$compiler" -x c -std=gnu99 -I"$source" -I"$build" -fsyntax-only - || fail "ticks, translated code"

# Feature macros, and upc_types.h with each library.
for library in tick:TICK nb:NB castable:CASTABLE collective:COLLECTIVE atomic:ATOMIC; do
  printf "#include <upc_${library%:*}.h>\n#if __UPC_${library#*:}__ != 1 || !defined(UPC_ADD)\n#error\n#endif\n" |
    "$compiler" $hosted -fsyntax-only -Dshared= - || fail "${library%:*}: feature macro or upc_types.h"
done

# UPC-IO: 26 functions under the runtime's names, with as many parameters as the runtime has.
io=$(printf '#include <upc_io.h>\n' | "$compiler" $hosted -DBUPC_DISABLE_EXTENSIONS -E -P - | tr '\n' ' ' | tr -s ' ' | tr ';' '\n')
calls=$(echo "$io" | sed -n 's/^ *extern \(int\|void\|upc_off_t\|upc_file_t \*\) *\(bupc_all_f[a-z_]*\)(.*/\2/p')
[ "$(echo "$calls" | sort -u | wc -l)" -eq 26 ] || fail "functions of upc_io.h: $calls"
runtime=$(printf '#include <upcr/io.h>\n' | "$compiler" -x c -std=gnu99 -I"$source" -I"$build" -E -P - |
  tr '\n' ' ' | tr -s ' ' | tr ';' '\n')
commas() { echo "$1" | grep "[ *]$2(" | tr -cd , | wc -c; }
for call in $calls; do
  [ "$(commas "$io" "$call")" -eq "$(commas "$runtime" "_upcr_${call#bupc_}")" ] || fail "parameters of $call"
done
{
  printf '#include <upc_io.h>\n#if __UPC_IO__ != 2 || !defined(UPC_ADD)\n#error\n#endif\n'
  echo 'struct upc_hint a = {"k", "v"}; struct upc_local_memvec b = {0, 1}; struct upc_filevec d = {(upc_off_t)0, 1};'
  echo 'struct upc_shared_memvec c = {0, 1, 2}; _Static_assert(sizeof b.len == sizeof c.blocksize, "size_t");'
} |
  "$compiler" $hosted -Dshared= -fsyntax-only - || fail "__UPC_IO__"

# The expansions of the macros of bupc_collectivev.h: expressions that a front end of 1989 parses, without
# compound literals.
uses='(bupc_allv_broadcast(TYPE, val, root), bupc_allv_scatter(TYPE, root, array), bupc_allv_gather(TYPE, val, root,
  array), bupc_allv_gather_all(TYPE, val, array), bupc_allv_permute(TYPE, val, tothread), bupc_allv_reduce(TYPE, val,
  root, op), bupc_allv_reduce_all(TYPE, val, op), bupc_allv_prefix_reduce(TYPE, val, op))'
became=$(printf '%s\n' "#include <bupc_collectivev.h>" "USES $uses" | "$compiler" $hosted -E -P - | tr -d ' \n' | sed 's/.*USES//')
case $became in *bupc* | *"{"* | "") fail "bupc_allv_*: $became" ;; esac
cat <<PROGRAM | "$compiler" $first -Dshared= -std=gnu89 -Wall -Wextra -pedantic -Wno-long-long -Wno-unused-value -Werror -fsyntax-only - ||
#include <bupc_collectivev.h>
#if BUPC_COLLECTIVEV_VERSION_MAJOR != 1 || BUPC_COLLECTIVEV_VERSION_MINOR != 2
#error
#endif
struct p { int x, y; };
extern struct p f(struct p, struct p *);
struct p f(struct p v, struct p *a) {
  bupc_allv_gather(struct p, v, 1, a);
  v = bupc_allv_scatter(struct p, 0, bupc_allv_gather_all(struct p, v, a));
  return bupc_allv_permute(struct p, bupc_allv_broadcast(struct p, v, 2), 0);
}
extern double g(int);
double g(int v) {
  return bupc_allv_reduce_all(double, v, UPC_ADD) + bupc_allv_reduce(long, v, 0, UPC_MIN) +
         bupc_allv_prefix_reduce(float, bupc_allv_reduce_all(int, v, UPC_MAX), UPC_ADD);
}
PROGRAM
  fail "bupc_allv_*, as C89"

echo "upcr_preinclude as a front end reads it: $failed failed"
[ "$failed" -eq 0 ]
