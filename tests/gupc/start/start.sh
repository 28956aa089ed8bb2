#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Links and starts of programs of GCC-UPC and Clang-UPC: options of upcc, descriptions of threads in objects, the
# switches, other ways to link. Environment as for tests/upcc/lib.sh, SOURCE and BUILD: the trees.
. "$SOURCE/tests/upcc/lib.sh"
# The checks run commands by timeout(1), so these are no functions.
mkdir "$work/bin"
command_is() { # NAME SCRIPT
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
command_is gupc 'exec "$UPCC" --abi=gupc -O0 -Wall -Wextra -I "$SOURCE" "$@"'
command_is run 'exec "$UPCRUN" "$@"'
export UPCC UPCRUN SOURCE FIXTURES INCLUDES LIBDIR SANITIZE PATH=$work/bin:$PATH
probe=$FIXTURES/probe.c

# --- forms and encodings -------------------------------------------------------------------------
quiet "default" gupc -o prog "$probe"
prints "address first" '^format 0 30/3ffffffff 20/3ff 0/fffff$' run -n 2 ./prog
prints "1.3" '^encoding 0$' run -n 2 ./prog
prints "heap of a program without a size" '^heap 65536 KiB$' run -n 2 ./prog
prints "the first 256 bytes are unused" 'offset (25[6-9]|2[6-9][0-9]|[3-9][0-9][0-9]), thread 1 0x1$' run -n 2 ./prog
quiet "last" gupc --shared-heap 3M --pts-vaddr-order last --encoding gupc-2012 -o last "$probe"
prints "address last" '^format 1 0/3ffffffff 34/3ff 44/fffff$' run -n 2 ./last
prints "--shared-heap" '^heap 3072 KiB$' run -n 2 ./last
prints "2012" '^encoding 2012$' run -n 2 ./last
prints "offset" 'offset [1-9][0-9]*, thread 1 0x1$' run -n 2 ./last
quiet "bits, in the compiler's words" gupc -fupc-pts=packed -fupc-packed-bits=20,1,36 -o bits "$probe"
prints "bits" '^format 0 21/fffffffff 20/1 0/fffff$' run -n 2 ./bits
refuses "too many threads for the field" "3 UPC threads, but 2 is the most that the compiler's packed" run -n 3 ./bits
quiet "struct" gupc --pts struct --pts-vaddr-order=last -o struct "$probe"
prints "struct" 'offset [1-9][0-9]*, thread 1 0x1$' run -n 2 ./struct
prints "a program contains its form" 'UPCRGupc: struct vaddr-last gupc-1.3 ' grep -a UPCRGupc struct
refuses "no form" "--pts: 'wide' is neither packed nor struct" gupc --pts wide "$probe"
refuses "no order" 'neither first nor last' gupc -fupc-pts-vaddr-order=middle "$probe"
refuses "too many bits" "--packed-bits: '30,20,20' does not divide 64 bits" gupc --packed-bits 30,20,20 "$probe"
refuses "no encoding" "'upc-1.3' is neither gupc-1.3 nor gupc-2012" gupc --encoding upc-1.3 "$probe"
refuses "for --abi=gupc only" '-fupc-pts=struct is an option of --abi=gupc, which is not given; ' "$UPCC" -fupc-pts=struct "$probe"
refuses "no such ABI" "--abi: 'gcc' is neither" "$UPCC" --abi=gcc "$probe"

# --- switches ------------------------------------------------------------------------------------
prints "-n N" '^threads 3 of 1 ' ./prog -n 3
prints "-nN" '^threads 2 of 1 ' ./prog -n2
prints "-fupc-threads-N" '^threads 2 of 1 ' ./prog -fupc-threads-2
prints "threads twice" '^threads 2 of 1 ' run -n 2 ./prog -n 2
refuses "other threads" 'switches ask for 3 UPC threads, but it was started with 2' run -n 2 ./prog -n 3
refuses "no number" "-n: '0' is no number of UPC threads" ./prog -n 0
refuses "no argument" '-n: its argument is missing' ./prog -n
prints "heap" '^heap 2048 KiB$' ./prog -fupc-heap-2M
prints "-heap" '^heap 1024 KiB$' ./prog -heap 1048576
prints "-heap before the environment" '^heap 1024 KiB$' env UPC_SHARED_HEAP_SIZE=8MB ./prog -heap 1024k
prints "a heap of 64 KiB at least" '^heap 64 KiB$' ./prog -fupc-heap-3K
refuses "no size" "-heap: '1X' is no size" ./prog -heap 1X
prints "what means nothing here" '^arguments \[a\]$' ./prog -sched-policy cpu -sched-policy=strict -mem-policy node \
    -sched-cpu-avoid=0,1 -g a
refuses "no policy" "-mem-policy: 'cpu' is none of node, strict, auto" ./prog -mem-policy cpu
prints "words after --" '^arguments \[-n\] \[2\]$' ./prog -g -- -n 2
prints "the first word that is none ends them" '^arguments \[a\] \[-n\] \[2\]$' ./prog a -n 2
attempt run -n 2 ./prog fail
[ "$status" = 7 ] || report "exit status" run -n 2 ./prog fail

# --- descriptions of threads in the files -----------------------------------------------------------------
quiet "static threads" gupc -DINFO='"staticthreads=3 process"' -o static "$probe"
prints "starts as many" '^threads 3 of 1 ' ./static
refuses "another number" 'compiled for 3 UPC threads, but the job has 2' run -n 2 ./static
refuses "another number, by switch" 'compiled for 3 UPC threads, but the job has 2' ./static -n 2
quiet "linked for another number" gupc -T 4 -DINFO='"staticthreads=3 process"' -o differ "$probe"
refuses "linked for another number" 'linked for 4 UPC threads .*compiled for 3' ./differ
quiet "THREADS at compile time" gupc -fupc-threads-2 -o static2 "$probe"
prints "starts two" '^threads 2 of 1 ' ./static2
# As the compilers write them: two blanks before staticthreads=, and two strings in an object of Clang-UPC, whose
# first one comes from a header.
strings() { # NAME STRING...: NAME.o with these strings, and nothing else
    { printf '\t.section upc_pgm_info,"a",@progbits\n'; printf '\t.asciz "%s"\n' "${@:2}"
      printf '\t.section .note.GNU-stack,"",@progbits\n'; } >"$1.s"
    quiet "strings $1" gupc -c -o "$1.o" "$1.s"
}
strings gcc4 '$GCCUPCConfig: (gcc4.upc)  staticthreads=4 process$'
strings gcc3 '$GCCUPCConfig: (gcc3.upc)  staticthreads=3 process$'
strings gcc '$GCCUPCConfig: (gcc.upc) dynamicthreads process$'
strings clang4 '$GCCUPCConfig: (<built-in>)  staticthreads=4 process$' '$GCCUPCConfig: (clang4.upc) staticthreads=4 process$'
strings clang3 '$GCCUPCConfig: (<built-in>)  staticthreads=3 process$' '$GCCUPCConfig: (clang3.upc) staticthreads=3 process$'
strings clang '$GCCUPCConfig: (<built-in>) dynamicthreads process$' '$GCCUPCConfig: (clang.upc) dynamicthreads process$'
strings tls2 '$GCCUPCConfig: (tls2.upc)  staticthreads=4  pthreads-tls  staticpthreads=2$'
quiet "no object of the program describes its threads" gupc -DNO_INFO -c -o silent.o "$probe"
for objects in gcc4 clang4 "gcc clang4" "gcc4 clang" "clang gcc gcc4 clang4"; do
    quiet "$objects" gupc -o fixed silent.o $(printf '%s.o ' $objects)
    prints "$objects: starts as many" '^threads 4 of 1 ' ./fixed
    refuses "$objects: another number" 'compiled for 4 UPC threads, but the job has 2' run -n 2 ./fixed
done
for objects in gcc clang "gcc clang"; do
    quiet "$objects" gupc -o any silent.o $(printf '%s.o ' $objects)
    prints "$objects: any number" '^threads 3 of 1 ' run -n 3 ./any
done
disagree() { # "OBJECTS" WHAT WHAT
    quiet "$1 disagree" gupc -o differ silent.o $(printf '%s.o ' $1)
    refuses "$1 disagree" "error: the files of this program do not agree about threads: $2, $3; compile all files alike" \
        run -n 4 ./differ
    [ "$(grep -c 'UPC Runtime error' "$work/output")" = 1 ] || report "$1 disagree, said once"
}
disagree "gcc clang4 gcc3 clang" 'clang4.upc was compiled for 4 UPC threads' 'gcc3.upc for 3 UPC threads'
disagree "gcc4 clang3" 'gcc4.upc was compiled for 4 UPC threads' 'clang3.upc for 3 UPC threads'
disagree "clang gcc4 tls2" 'clang.upc was compiled for one UPC thread per process' 'tls2.upc for 2 UPC threads per process'
quiet "models" gupc -DINFO='"dynamicthreads process"' -DSECOND_INFO='"dynamicthreads pthreads-tls dynamicpthreads"' \
    -o differ "$probe"
refuses "models differ" 'probe.upc was compiled for one UPC thread per process, other \(2\).upc for any number of' run -n 2 ./differ
quiet "not a string" gupc -DINFO='"sometimes process"' -o differ "$probe"
refuses "not a string" 'a string that does not describe a file.s threads' ./differ
refuses "pthreads with code for processes" 'cannot run 2 UPC threads in a process: .*probe.c was compiled for one' \
    run -n 2 --pthreads 2 ./prog
quiet "nothing said" gupc -DNO_INFO -o silent "$probe"
refuses "MYTHREAD is a plain variable" 'MYTHREAD is a plain variable' run -n 2 --pthreads 2 ./silent
quiet "an object of the pthreads model" gupc -D__UPC_PTHREADS_MODEL_TLS__=1 \
    -DINFO='"dynamicthreads pthreads-tls staticpthreads=2"' -c -o tls.o "$probe"
quiet "is seen" gupc -o tls tls.o
prints "static pthreads" '^threads 2 of 2 ' ./tls
prints "and threads" '^threads 4 of 2 ' ./tls -n 4
prints "not for all processes alike" '^threads 3 of 2 ' ./tls -n 3 -fupc-pthreads-2
prints "fewer threads than that" '^threads 1 of 1 ' ./tls -n 1 -fupc-pthreads-2
refuses "other pthreads" 'compiled for 2 UPC threads per process, but there are 1' run -n 2 ./tls
quiet "dynamic pthreads" gupc -fupc-pthreads-model-tls -o tls "$probe"
refuses "other pthreads, by switch" 'ask for 3 UPC threads per process, but it was started with 2' \
    run -n 4 --pthreads 2 ./tls -fupc-pthreads-3
prints "-fupc-pthreads-N" '^threads 3 of 3 ' ./tls -fupc-pthreads-3

# --- other ways to link -----------------------------------------------------------------------------
quiet "objects" gupc -c -o probe.o "$probe"
folder=$LIBDIR/upcr/gupc/packed
quiet "the compilers' drivers" cc -no-pie -B "$folder/" "$folder/upc-crtbegin.o" probe.o -lupc "$folder/upc-crtend.o" \
    -Wl,-rpath,"$LIBDIR" $SANITIZE -o own
prints "by another driver" '^threads 2 of 1 ' run -n 2 ./own
for name in upc gupc; do
    quiet "the same for pthreads" cc -no-pie -B "$folder/" "$folder/upc-crtbegin.o" tls.o -l${name}_pt "$folder/upc-crtend.o" \
        -Wl,-rpath,"$LIBDIR" $SANITIZE -o own
    prints "pthreads by another driver" '^threads 2 of 2 ' run -n 2 --pthreads 2 ./own
done
quiet "the end first" cc -no-pie "$folder/upc-crtend.o" probe.o "$folder/upc-crtbegin.o" -L"$folder" -lupc \
    -Wl,-rpath,"$LIBDIR" $SANITIZE -o wrong
refuses "the end first" 'section upc_shared ends \(.*before it begins' run -n 2 ./wrong
quiet "no end" cc -no-pie "$folder/upc-crtbegin.o" probe.o -L"$folder" -lupc -Wl,-rpath,"$LIBDIR" $SANITIZE -o wrong
refuses "no end" 'marks only the beginning of the linker section upc_shared' run -n 2 ./wrong

# The names that the compilers' drivers search for.
quiet "an object of the struct form" "$UPCC" --abi=gupc --pts struct -O0 -I "$SOURCE" -c -o struct.o "$probe"
driver() { # NAME FOLDER OBJECT KIND FORMAT WORD...: links with these arguments, and the program contains this form
    quiet "$1 in $2" cc -B "$LIBDIR/upcr/gupc/$2/" "$LIBDIR/upcr/gupc/$2/upc-crtbegin$4.o" "$3" -L"$LIBDIR/upcr/gupc/$2" \
        "${@:6}" "$LIBDIR/upcr/gupc/$2/upc-crtend$4.o" -Wl,-rpath,"$LIBDIR" $SANITIZE -o driver
    prints "$1 in $2: runs" '^threads 2 of 1 a process, offset [1-9][0-9]*, thread 1 0x1$' run -n 2 ./driver
    grep -q "^format $5\$" "$work/output" || report "$1 in $2: its form is not $5"
}
usual='0 30/3ffffffff 20/3ff 0/fffff' last='1 0/3ffffffff 34/3ff 44/fffff'
for name in gupc upc upc-20-10-34; do driver "-l$name" packed probe.o "" "$usual" -no-pie "-l$name"; done
for name in gupc upc upc-s; do driver "-l$name" struct struct.o "" "$usual" -no-pie "-l$name"; done
driver -lupc-l packed probe.o "" "$last" -no-pie -lupc-l
driver -lupc-s packed struct.o "" "$usual" -no-pie -lupc-s
driver -lupc-s-l packed struct.o T "$last" -no-pie -lupc-s-l
driver -lupc-12-16-36 packed probe.o T '0 28/fffffffff 12/ffff 0/fff' -no-pie -lupc-12-16-36
quiet "position-independent objects" cc -fPIE -O0 $INCLUDES -I "$SOURCE" -c -o pie.o "$probe"
driver "-pie -lupc" packed pie.o S "$usual" -pie -lupc
driver "-pie -lupc-18-14-32" packed pie.o S '0 32/ffffffff 18/3fff 0/3ffff' -pie -lupc-18-14-32

rm -f libprobe.a
ar rc libprobe.a probe.o
quiet "all of the program in an archive" gupc -o archived libprobe.a
quiet "and by another driver" cc -no-pie "$folder/upc-crtbegin.o" libprobe.a -L"$folder" -lupc "$folder/upc-crtend.o" \
    -Wl,-rpath,"$LIBDIR" $SANITIZE -o own
prints "from an archive" '^threads 2 of 1 ' run -n 2 ./archived

quiet "shared variables in a section without contents" gupc -o nobits "$probe" "$FIXTURES/nobits.c"
prints "are in the one section" '^offset of 100000 bytes [0-9]+ of [0-9]+$' run -n 2 ./nobits

# Static shared arrays are not in the program's file, however it is linked.
quiet "12 MB of zeros in an object" gupc -c -o large.o "$FIXTURES/large.c"
quiet "a section without contents" gupc -c -o nobits.o "$FIXTURES/nobits.c"
[ "$(stat -c %s large.o)" -gt 12000000 ] || report "the object has them"
small() { # NAME LINK-COMMAND...: links ./small, which has no such contents and runs
    rm -f small
    quiet "$@"
    [ "$(stat -c %s small)" -lt 6000000 ] || report "$1: the program has $(stat -c %s small) bytes"
    prints "$1: runs" '^section of 12 MB$' run -n 2 ./small
}
ends=("$folder/upc-crtbegin.o" probe.o)
rest=(-L"$folder" -lupc "$folder/upc-crtend.o" -Wl,-rpath,"$LIBDIR" $SANITIZE -o small)
small "upcc" gupc -o small probe.o large.o
small "upcc, two kinds of sections" gupc -o small probe.o large.o nobits.o
small "a driver" cc -no-pie -B "$folder/" "${ends[@]}" large.o "${rest[@]}"
small "a driver and -T" cc -no-pie -Wl,-T,"$folder/../upc-shared.ld" "${ends[@]}" large.o nobits.o "${rest[@]}"
small "a driver, two kinds of sections" cc -no-pie -B "$folder/" "${ends[@]}" large.o nobits.o "${rest[@]}"
others=("cc -fuse-ld=bfd" "cc -fuse-ld=lld")
[ -n "$SANITIZE" ] || others+=("clang" "clang -fuse-ld=lld") # a sanitizer's library is the compiler's own
for other in "${others[@]}"; do
    $other -x c -o probed - >"$work/output" 2>&1 <<<'int main(void) { return 0; }' || { echo "not here: $other"; continue; }
    small "$other" $other -no-pie -B "$folder/" "${ends[@]}" large.o "${rest[@]}"
done
quiet "an object of several" cc -nostdlib -r -B "$folder/" probe.o large.o -o several.o
small "linked before" gupc -o small several.o
if cc -fuse-ld=gold -x c -o probed - >/dev/null 2>&1 <<<'int main(void) { return 0; }'; then
    quiet "gold" gupc -fuse-ld=gold -o small probe.o large.o
    prints "gold: runs" '^section of 12 MB$' run -n 2 ./small
fi
rm -f large.o several.o small

quiet "a link file of Berkeley UPC" cc -no-pie -fno-pie $INCLUDES "$FIXTURES/first.c" probe.o "$FIXTURES/link_file.c" \
    "$FIXTURES/last.c" -L"$folder" -lupc -Wl,-rpath,"$LIBDIR" $SANITIZE -o bupc
prints "its reserve" '^threads 2 of 1 a process, offset 6[5-9][0-9][0-9][0-9], ' run -n 2 ./bupc
prints "its arguments" '^arguments \[-n\] \[3\]$' run -n 2 ./bupc -n 3
quiet "main of its own" gupc -DOWN_MAIN -o own "$probe"
prints "own main" '^own main$' run -n 2 ./own
prints "calls __upc_start" '^threads 2 of 1 ' run -n 2 ./own

quiet "a section and no hooks" cc -fno-toplevel-reorder -O1 $INCLUDES "$FIXTURES/linkaddrs.c" -L"$LIBDIR" -lupcr \
    -Wl,-rpath,"$LIBDIR" $SANITIZE -o sections
prints "a copy for each thread" '^sum 26$' run -n 4 --pthreads 2 ./sections
quiet "position-independent" cc -fPIE -pie -D__UPC_PTS_STRUCT_REP__=1 $INCLUDES -I "$SOURCE" "$folder/upc-crtbegin.o" "$probe" \
    -L"${folder%packed}struct" -lupc "$folder/upc-crtend.o" -Wl,-rpath,"$LIBDIR" $SANITIZE -o pie
refuses "position-independent" 'link it with -no-pie' run -n 2 ./pie
quiet "the linker may not throw sections away" gupc -Wl,--gc-sections -ffunction-sections -DINFO='"staticthreads=3 process"' \
    -o kept "$probe"
prints "and does not" '^threads 3 of 1 ' ./kept

# --- link addresses that are none -----------------------------------------------------------------------
quiet "misuse" gupc -o misuse "$FIXTURES/misuse.c"
quiet "no misuse" run -n 2 ./misuse
refuses "no link address" 'upcr_linkaddr_to_local: 0x[0-9a-f]+ is no link address' run -n 2 ./misuse linkaddr
refuses "no copy" 'upcr_local_to_linkaddr: offset .* is no static data' run -n 2 ./misuse local
refuses "no thread" 'there is no UPC thread 2, the last is 1' run -n 2 ./misuse thread
refuses "null" 'upcr_shared_to_linkaddr: offset 0 .* is no static data' run -n 2 ./misuse null
finish
