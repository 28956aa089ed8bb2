# SPDX-License-Identifier: BSD-3-Clause
# The command line: outputs, stages, what goes to the compiler and what to the linker, bad input.
. "$(dirname "$0")/lib.sh"
exists() { # NAME FILE...
    for file in "${@:2}"; do [ -e "$file" ] || { status=1; : > "$work/output"; report "$1" "no $file"; }; done
    checks=$((checks + 1))
    rm -f "${@:2}"
}

# Outputs.
cp "$FIXTURES/upc2c.c" one.c; cp "$FIXTURES/whirl2c.trans.c" two.trans.c; cp "$FIXTURES/embed.c" plain.c
quiet "several files with -c" "$UPCC" -c one.c two.trans.c plain.c
exists "several files with -c" one.o two.trans.o plain.o
quiet "-o with -c" "$UPCC" -c one.c -o deep.o
exists "-o with -c" deep.o
quiet "joined -o" "$UPCC" -c one.c -ojoined.o
exists "joined -o" joined.o
quiet "-S" "$UPCC" -S one.c
exists "-S" one.s
prints "-E" "upcr_startup_pshalloc" "$UPCC" -E one.c
quiet "-E -o" "$UPCC" -E one.c -o one.i
exists "-E -o" one.i
quiet "-fsyntax-only" "$UPCC" -fsyntax-only one.c
refuses "-o for two objects" "-o x.o names one output, but 2 files are compiled without a link; " "$UPCC" -c one.c plain.c -o x.o
mkdir other && cp one.c other/
refuses "two objects of one name" "one.c and other/one.c would both become one.o" "$UPCC" -c one.c other/one.c

# Dependencies name the original.
prints "-M" "one.o: one.c|^ one.c|one.o:.* one.c" "$UPCC" -M one.c
prints_no "-MM has no system header" "stdio.h" "$UPCC" -MM one.c
quiet "-MD" "$UPCC" -MD -c one.c -o sub.o
prints "-MD" "^sub.o:.* one.c|^ one.c" cat sub.d
prints_no "-MD names no copy" "upcc-" cat sub.d
quiet "-MMD -MF -MT -MP" "$UPCC" -MMD -MP -MF deps -MT target -c one.c
prints "-MT" "^target:" cat deps
mkdir "a b" && cp one.c "a b/one.c"
quiet "-MD and blanks" "$UPCC" -MD -c "a b/one.c"
prints "-MD and blanks" 'a\\ b/one.c' cat one.d
quiet "-MD of other C" "$UPCC" -MD -MF plain.deps -c plain.c
prints "-MD of other C" "plain.c" cat plain.deps

# Options for the compiler and the linker.
echo "int x;" > anything
prints "language" "-DX=1 .*-x c .*anything" "$UPCC" --show -DX=1 -x c -c anything
printf -- '-c\n"-DWORD=a b" one.c' > response
prints "response file" "'-DWORD=a b'" "$UPCC" --show @response
prints "quoting" "'-DQ=it'\\\\''s'" "$UPCC" --show "-DQ=it's" -c one.c
prints "options for both" "^cc .*-funroll-loops.*-c" "$UPCC" --show -funroll-loops one.c -o p
prints "options for the link" "-Wl,-z,now .*-lfoo -L libs -Xlinker --as-needed .* -o p$" \
    "$UPCC" --show -Wl,-z,now one.c -lfoo -L libs -Xlinker --as-needed -o p
prints_no "link options are not for the compiler" "-lfoo.* -c " "$UPCC" --show one.c -lfoo -o p
prints "C++ links with c++" "^c\\+\\+ .* -o p$" "$UPCC" --show one.c "$FIXTURES/mixed/more.cpp" -o p
prints "--link-with" "^mpicc -x .* -o p$" "$UPCC" --show --link-with "mpicc -x" one.c -o p
prints "--link-with CXX" "^c\\+\\+ .* -o p$" "$UPCC" --show --link-with=CXX one.c -o p
prints "the debug library" "libupcr_debug.so" "$UPCC" --show -g one.c -o p
prints_no "-g1 is not the debug library" "libupcr_debug.so" "$UPCC" --show -g1 one.c -o p
prints "optimised" "-O2" "$UPCC" --show -c one.c
prints_no "not optimised for debuggers" "-O2" "$UPCC" --show -g -c one.c
prints_no "the user's level" "-O2" "$UPCC" --show -O0 -c one.c
prints "UPCC_CC" "^my-cc -q .*UPCRI_CC=\"my-cc\"" env UPCC_CC="my-cc -q" "$UPCC" --show -c one.c
prints "-v runs too" "^cc .*one.c" "$UPCC" -v -c one.c
exists "-v runs too" one.o
prints "asking the compiler" "." "$UPCC" -dumpmachine
prints "--help" "Usage: upcc" "$UPCC" --help
prints "--version" "upcc \(upcr\) [0-9.]+" "$UPCC" --version

# Options in makefiles for other UPC drivers.
shown=$("$UPCC" --show -c two.trans.c 2>&1)
for option in -network=smp -network=mpi -network=ibv --network=smp "-network smp" -norc -nolink-cache -lines; do
    quiet "$option makes no difference" sh -c '[ -n "$2" ] && [ "$("$0" $1 --show -c two.trans.c 2>&1)" = "$2" ]' "$UPCC" "$option" "$shown"
done
refuses "-network of no conduit" "-network=udp: upcr has the conduits smp, mpi, ibv and ofi; " "$UPCC" -network=udp -c one.c
prints "-version" "upcc \(upcr\) [0-9.]+" "$UPCC" -version
prints "-show-sizes" "^shared_ptr $POINTER_BYTES" "$UPCC" -show-sizes
prints "-Wc" "^cc .*-fno-inline -DWC=1 .*one" "$UPCC" --show -Wc,-fno-inline,-DWC=1 -c one.c
prints "-Wc is for both" "-m64.*startup" "$UPCC" --show -Wc,-m64 one.c -o p
prints_no "-Wc,-g is not the debug library" "libupcr_debug" "$UPCC" --show -Wc,-g one.c -o p
refuses "-Wc without an option" "-Wc,-O1,: an option for the compiler is empty" "$UPCC" -Wc,-O1, -c one.c
{ cat one.c; echo '#if WP != 7'; echo '#error -Wp'; echo '#endif'; } > wp.c
quiet "-Wp" "$UPCC" -Wp,-DWP=7 -c wp.c
prints "-Wl" "-Wl,-O1,--no-such .* -o p$" "$UPCC" --show -Wl,-O1,--no-such one.c -o p
{ echo '#line 41 "source.upc"'; cat one.c; echo '# 7 "other.upc" 1'; echo 'int mistake = no_such_name;'; } > lines.c
refuses "-lines" "^other.upc:7:[0-9]+: error" "$UPCC" -nolines -lines -c lines.c
refuses "-nolines" "^lines.c:$(wc -l < lines.c):[0-9]+: error" "$UPCC" -nolines -c lines.c
quiet "-trans" "$UPCC" -trans one.c
quiet "-trans can be compiled" "$UPCC" -c one.trans.c
prints "-trans keeps the program" "upcr_startup_pshalloc" cat one.trans.c
rm one.trans.c one.trans.o
quiet "-trans -o" "$UPCC" -trans "$FIXTURES/absolute.trans.c" -o three.c
prints "-trans rewrites" "#include *<upcr_preinclude/" cat three.c
refuses "-trans over its input" "two.trans.c: -trans would write over its input" "$UPCC" -trans two.trans.c
refuses "-trans of other C" "plain.c: -trans is for C that a UPC-to-C translator wrote" "$UPCC" -trans plain.c

# --sizes.
for line in "shared_ptr $POINTER_BYTES 8" "pshared_ptr $POINTER_BYTES 8" "mem_handle 8 8" "reg_handle 8 8" "int 4 4" \
    "long 8 8" "double 8 8" "alignof_double_1st 8" "alignof_double 8" "alignof_char 1" "alignof_void_ptr 8" "alignof_longlong 8" "maxblocksz [0-9]+" "UPCRConfig VERSION=.*" "GASNetConfig .*" \
    "runtime_spec 3\.[0-9]+" "upc_header_dir /upcr_preinclude/" "use_type_interface 0" "system_header_dirs :/.*"; do
    prints "--sizes" "^$line\$" "$UPCC" --sizes
done

# --front-end: the macros and headers that UPC source may rely on.
for word in -D__UPC__=1 -D__UPC_VERSION__=201311L -D__UPC_DYNAMIC_THREADS__=1 '-DUPC_MAX_BLOCK_SIZE=[0-9]+' -D__UPC_IO__=2; do
    prints "--front-end" "^$word\$" "$UPCC" --front-end
done
prints "--front-end -T" "^-DTHREADS=3\$" "$UPCC" --front-end -T3
prints_no "--front-end -T" "DYNAMIC" "$UPCC" --front-end -T3
mapfile -t front_end < <("$UPCC" --front-end)
cat > uses.upc <<'EOF'
#include <upc_relaxed.h>
#include <bupc_extensions.h>
#if __UPC_COLLECTIVE__ + __UPC_TICK__ + __UPC_ATOMIC__ + __UPC_CASTABLE__ + __UPC_IO__ + __UPC_NB__ != 7
#error a library is missing
#endif
#if __UPC__ != 1 || __UPC_VERSION__ != 201311L || UPC_MAX_BLOCK_SIZE < 1024
#error the language
#endif
#if !defined(__UPC_DYNAMIC_THREADS__) || defined(__UPC_STATIC_THREADS__) || !defined(__BERKELEY_UPC_RUNTIME__)
#error threads
#endif
EOF
# A program's own headers win over ours, in its folder and in its -I.
mkdir -p own/inc && echo '#define MINE 1' | tee own/upc_collective.h > own/inc/upc_tick.h
printf '#include <upc_collective.h>\n#include <upc_tick.h>\n#if !MINE || defined(upc_all_broadcast) || defined(UPC_TICK_MAX)\n#error ours\n#endif\n' > own/own.upc
mapfile -t with_folder < <("$UPCC" --front-end own/own.upc)
attempt cc "${with_folder[@]}" -Iown/inc -E -x c own/own.upc
[ "$status" = 0 ] || report "own headers before upcr's"
prints "--front-end of a file here" "^-I\\.\$" sh -c 'cd own && exec "$UPCC" --front-end own.upc'
# Other headers of the program's folder are for "..." only, as for any compiler.
mkdir -p plain && echo '#error mine' | tee plain/math.h > plain/string.h && echo 'int mine;' > plain/own.h
printf '#include <math.h>\n#include <string.h>\n#include <upc.h>\n#include "own.h"\n' > plain/plain.upc
mapfile -t with_folder < <("$UPCC" --front-end plain/plain.upc)
prints "<math.h> is the system's" "int mine;" cc "${with_folder[@]}" -E -x c plain/plain.upc
prints_no "<math.h> is the system's" "mine/|#error" cc "${with_folder[@]}" -E -x c plain/plain.upc
# Names that older programs use as statements, and other programs for something else.
printf '#include <upc.h>\nint f(void) { barrier; forall(;;) fence; }\n' > legacy.upc
prints "legacy names" "upc_barrier; upc_forall\(;;\) upc_fence" cc "${front_end[@]}" -E -P -x c legacy.upc
prints "no legacy names" " barrier; forall\(;;\) fence" cc "${front_end[@]}" -DUPC_DISABLE_LEGACY_NAMES -E -P -x c legacy.upc
prints_no "no extensions" "bupc_memput_async" cc "${front_end[@]}" -DBUPC_DISABLE_EXTENSIONS -E -P -x c legacy.upc
prints "--front-end preprocesses" "shared void \*upc_all_alloc" cc "${front_end[@]}" -E -x c uses.upc
prints "libraries for translated C" "-D__UPC_ATOMIC__=1 .*-D__UPC_NB__=1" "$UPCC" --show -c one.c
prints_no "libraries are for translated C only" "-D__UPC_ATOMIC__" "$UPCC" --show -c plain.c

# Bad input.
refuses "no files" "upcc: no input files" "$UPCC"
refuses "no such source" "upcc: nowhere.c: cannot read" "$UPCC" nowhere.c
refuses "no such object" "upcc: nowhere.o: cannot read this file; does it exist" "$UPCC" nowhere.o
refuses "a missing argument" "upcc: -o: its argument is missing" "$UPCC" one.c -o
for bad in 0 -1 x 3x 99999999999 ""; do
    refuses "-T '$bad'" "upcc: -T: '$bad' is not a number from 1 to" "$UPCC" -T "$bad" one.c
done
for bad in 0 -5 64X MB 1e6 99999999999G ""; do
    refuses "--shared-heap '$bad'" "upcc: --shared-heap: '$bad' is not a size" "$UPCC" --shared-heap "$bad" one.c
done
refuses "--pthreads=0" "upcc: --pthreads: '0' is not a number from 1 to" "$UPCC" --pthreads=0 one.c
for bad in -fpack-struct -fpack-struct=2 -fshort-enums -fshort-wchar -m32 -Wc,-mms-bitfields -fsso-struct=big-endian; do
    refuses "$bad" "upcc: ${bad#-Wc,}: changes the layout of types" "$UPCC" "$bad" -c one.c
done
quiet "a layout that is undone" "$UPCC" -fshort-enums -m32 -fno-short-enums -m64 -mlong-double-80 -c one.c
refuses "compiler that is not there" "upcc: cannot run 'no-such-compiler'" env UPCC_CC=no-such-compiler "$UPCC" -c one.c
refuses "temporary folder that is not there" "upcc: cannot make the temporary folder" env TMPDIR=/no/such "$UPCC" -c one.c
finish
