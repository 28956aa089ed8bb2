# SPDX-License-Identifier: BSD-3-Clause
# Command lines of makefiles for Berkeley UPC's upcc, UPCC_FLAGS and ~/.upccrc, names that are misspelt.
. "$(dirname "$0")/lib.sh"
export HOME=$work/home
mkdir "$HOME"
unset UPCC_FLAGS
cp "$FIXTURES/segment.trans.c" prog.c

plain=$("$UPCC" --show -c prog.c 2>&1)
same() { # OPTION...: makes no difference, and upcc says nothing
    # shellcheck disable=SC2016
    quiet "$* makes no difference" sh -c 'want=$1 upcc=$2; shift 2; [ -n "$want" ] && [ "$("$upcc" "$@" --show -c prog.c 2>&1)" = "$want" ]' \
        sh "$plain" "$UPCC" "$@"
}
same -q
same -quiet
same -nopthreads
same -heap-offset 64MB
same -heap-offset=64MB
same -link-cache
same -smart-output
same -translator=http://upc-translator.example.org
same -opt
same -opt-enable=forall
same -uses-threads
same -nostats
same -norc
prints "-trace is answered" "^upcc: warning: -trace has no effect: upcrun --trace records a timeline" "$UPCC" -trace --show -c prog.c
prints_no "-stats has an effect" "warning" "$UPCC" -stats --show -c prog.c
prints "-require-size is answered" "UPC_REQUIRE_SHARED_SIZE=yes at the start" "$UPCC" -require-size --show -c prog.c
prints "-save-all-temps is answered" "--keep-trans keeps" "$UPCC" -save-all-temps --show -c prog.c
prints "-uses-mpi is answered" "--link-with=mpicc" "$UPCC" -uses-mpi --show -c prog.c
refuses "-network udp" "-network=udp: upcr has the conduits smp, mpi, ibv and ofi; .*; on several hosts, upcrun --conduit ofi and --conduit mpi work over TCP" \
    "$UPCC" -network=udp -c prog.c
refuses "-network aries" "-network=aries: .* works on every network that an MPI library knows, --conduit ofi on those of libfabric" "$UPCC" -network aries -c prog.c
for option in -V -version --version; do prints "$option" "^upcc \(upcr\) [0-9.]+$" "$UPCC" $option; done
for option in -h -help --help; do prints "$option" "^Usage: upcc" "$UPCC" $option; done
for option in -show --show --dry-run; do
    prints "$option" "^cc .*prog.c" "$UPCC" $option -c prog.c
    quiet "$option runs nothing" test ! -e prog.o
done

# Sizes of heaps without a unit are megabytes.
quiet "megabytes" "$UPCC" -shared-heap=8 prog.c -o heap
prints "megabytes" "^segment 8388608$" "$UPCRUN" -n 1 ./heap
prints "the environment, too" "^segment 16777216$" env UPC_SHARED_HEAP_SIZE=16 "$UPCRUN" -n 1 ./heap
quiet "bytes" "$UPCC" -shared-heap=8388608B prog.c -o heap
prints "bytes" "^segment 8388608$" "$UPCRUN" -n 1 ./heap
refuses "bytes without a unit" "--shared-heap: '67108864' is not a size; expected .* of megabytes below 1048576" \
    "$UPCC" -shared-heap 67108864 prog.c

# A program with a fixed number of threads needs no -n.
quiet "-T 3" "$UPCC" -T 3 prog.c -o three
counts "-T 3 without -n" 3 "^segment" "$UPCRUN" ./three
counts "in the current folder" 3 "^segment" "$UPCRUN" three
prints "-i" "^UPC threads: 3, fixed" "$UPCRUN" -i ./three

# Options in addition to the command line.
prints "UPCC_FLAGS" "^cc .*-DONE .*-DTWO=a\\ b|^cc .*-DONE '-DTWO=a b'" env UPCC_FLAGS="-DONE '-DTWO=a b'" "$UPCC" --show -c prog.c
quiet "the command line comes last" env UPCC_FLAGS="-T 2 -o other" "$UPCC" -T 5 prog.c -o last
prints "the command line comes last" "^UPC threads: 5," "$UPCRUN" -i ./last
printf '# mine\ntranslator = http://x\ndefault_options = -DRC "-DRD=1 2"  # comment\n' > "$HOME/.upccrc"
prints "rc file" "^cc .*-DRC '-DRD=1 2'" "$UPCC" --show -c prog.c
prints_no "rc file with comments" "comment" "$UPCC" --show -c prog.c
prints_no "-norc" "-DRC" "$UPCC" -norc --show -c prog.c
echo 'default_options = -DOTHER' > other.conf
prints "-conf" "-DOTHER" "$UPCC" -conf=other.conf --show -c prog.c
prints_no "-conf" "-DRC" "$UPCC" -conf other.conf --show -c prog.c
refuses "-conf of no file" "-conf nowhere: the file cannot be read" "$UPCC" -conf=nowhere -c prog.c
rm "$HOME/.upccrc"

# Names that resemble an option's.
prints "a near miss" "warning: --shared-heep is not an option of upcc's, and goes to the compiler; did you mean --shared-heap\?" \
    "$UPCC" --shared-heep=4M --show -c prog.c
prints "one dash" "did you mean --extern-main" "$UPCC" -extern-mian --show -c prog.c
prints "a misspelt variable" "^upcc: warning: unknown UPCC_FLAG, did you mean UPCC_FLAGS\?" \
    env UPCC_FLAG=-g "$UPCC" --show -c prog.c
prints_no "others' variables" "did you mean" env UPCC_HOME=/x UPCC_CC=gcc "$UPCC" --show -c prog.c
for option in -pthread -static -shared -fPIC -march=native --param=max-inline-insns-single=9 -trigraphs -nostdinc -save-temps -pipe; do
    prints_no "$option is the compiler's" "did you mean" "$UPCC" "$option" --show -c prog.c
done
finish
