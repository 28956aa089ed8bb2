# SPDX-License-Identifier: BSD-3-Clause
"""What test_code_blocks.py does with the blocks of the documents beside just running their commands."""

# A program that may be missing, and the conduit without which a build has no use for it.
NEEDS = {"mpirun": "mpi", "mpicc": "mpi", "gdb": "smp"}

PROG = "cp $FIXTURES/{prog.upc,helpers.c} .\n"
BUILT = PROG + "upcc --pthreads -o prog prog.upc\n"
CLIENT = "cp $FIXTURES/client.c .\n"
TRANSLATED = "cp $SOURCE/docs/examples/gasp/gasp.c prog.trans.c; cp $SOURCE/docs/examples/gasp/tool.c .\n"
GUPC = "for f in a b; do cc -c $FIXTURES/gupc_$f.c -o $f.o; done\n"
MUPC = "cp $SOURCE/tests/mupc/programs/hello.c prog.c; cp prog.c filename.c\n"

# Page: what makes the files that its commands read. $FIXTURES is this folder, $SOURCE the tree.
SETUP = {
    "README.md": PROG + CLIENT + GUPC + """
        mkdir -p build tools stubs; ln -s $BUILD/bin build/bin; ln -s $SOURCE/docs docs
        cp $SOURCE/tools/demo tools/; cp /bin/true tools/setup; cp /bin/true stubs/cmake""",
    "docs/upc.md": PROG + "cp $FIXTURES/{triad,list,total,peak}.upc .",
    "docs/observing.md": """cp $FIXTURES/known.upc $SOURCE/docs/examples/mandelbrot/mandelbrot.upc .
        upcc --stats -o waits $FIXTURES/waits.upc""",
    "docs/performance.md": "ln -s $SOURCE/bench bench",
    "docs/examples/README.md": "cp -r $SOURCE/docs/examples/{hello,heat} .",
    "docs/explanation/scaling.md": "ln -s $SOURCE/bench bench; mkdir build; ln -s $BUILD/bin build/bin",
    "docs/how-to/adding-a-conduit.md": "mkdir build; ln -s $BUILD/bin build/bin",
    "docs/how-to/debugging.md": """mkdir build-asan; ln -s $BUILD/bin build-asan/bin; cp $SOURCE/docs/examples/heat/heat.c .
        cp $FIXTURES/mismatch.upc heat.upc; upcc -g -O2 -o mismatch heat.upc
        cp $SOURCE/tests/observe/waiting_locks.upc prog.upc; upcc -g -o locks prog.upc
        upcc -o outside $FIXTURES/outside.upc; cp $FIXTURES/puts.upc heat.upc; upcc -g -o puts heat.upc""",
    "docs/how-to/hang.md": "cp $FIXTURES/hang.upc prog.upc; upcc -g -o prog prog.upc",
    "docs/how-to/infiniband.md": BUILT,
    "docs/how-to/mpi.md": "cp $SOURCE/docs/examples/mpi_inside/* .",
    "docs/how-to/porting.md": CLIENT + GUPC + MUPC,
    "docs/how-to/profiling.md": PROG,
    "docs/how-to/rdma-vm.md": "ln -s $SOURCE/{tools,tests} .; mkdir build; ln -s $BUILD/{bin,lib} build/",
    "docs/how-to/sizes.md": BUILT + "upcc --shared-heap 128MB -o heap $FIXTURES/heap.upc",
    "docs/how-to/slurm.md": BUILT,
    "docs/how-to/translators.md": """cp $SOURCE/docs/examples/multi/{main.c,part.c,util.c,util.h} $FIXTURES/prog.upc .
        mv main.c heat.trans.c; mv part.c grid.trans.c; mv util.c helpers.c; mv prog.upc heat.upc
        echo 'int more() { return 1; }' >more.cpp; cc -c $FIXTURES/helpers.c -o foo.o; ar rc libfoo.a foo.o""",
    "docs/reference/gasnet.md": CLIENT + """
        printf '#include <gasnet_tools.h>\\nint main(void) { return gasnett_cpu_count() < 1; }\\n' >prog.c
        cc client.c $(pkg-config --cflags --libs gasnet-smp-par) -o client""",
    "docs/reference/gasp.md": TRANSLATED + "upcc -c tool.c; ar rc libtool.a tool.o",
    "docs/reference/gupc.md": GUPC + PROG,
    "docs/reference/ibv.md": BUILT + "mkdir build; ln -s $BUILD/bin build/bin",
    "docs/reference/launching.md": BUILT + "printf 'n1 slots=4\\nn2 slots=4\\n' >hosts; cp prog client",
    "docs/reference/mupc.md": MUPC,
    "docs/reference/ofi.md": BUILT + "mkdir build; ln -s $BUILD/bin build/bin",
    "docs/reference/performance-rows.md": "mkdir build; ln -s $BUILD/bin build/bin",
    "docs/tutorial/README.md": "cp $SOURCE/docs/tutorial/hello.upc .",
}

BUILD_OF_ALL = "builds upcr"
MEASURES = "measures for longer than a test may"
SLURM = "needs a Slurm; tests/hosts/test_slurm.py has one"
GUEST = "needs an RDMA device; the tests of label ibv have one"
HOSTS = "needs other hosts; tests/hosts has some"
PRESET = "grep -q '\"name\": \"{}\"' $SOURCE/CMakePresets.json"
# A job that is killed, with its upcrun.
KILLED = """setsid upcrun -n 2 --WHAT=WHAT.json ./waits & until [ -e began0 ] && [ -e began1 ]; do sleep 0.1; done
    kill -9 -- -$!; sleep 0.5; rm began?; {}"""
CMAKE = """mkdir -p cmake && cp $FIXTURES/prog.upc $FIXTURES/helpers.c cmake/ && cd cmake && {
    echo 'cmake_minimum_required(VERSION 3.22)'; echo 'project(try LANGUAGES C)'; echo 'enable_testing()'; %scat ../block
    } >CMakeLists.txt &&
    cmake -S . -B build -Dupcr_DIR=$BUILD/cmake/upcr -DCMAKE_C_COMPILER=$CC -DCMAKE_CXX_COMPILER=$CXX && cmake --build build &&
    %s"""

# (page or *, pattern of the command or of the block's first line, how, what). The first one that fits counts. How:
#   "as"       what is run in its place: {} is the command, the file `block` has the block
#   "dry"      upcrun only prints what it would start, for the reason
#   "options"  only that --help has the options, for the reason
#   "not run"  for the reason
RULES = [
    # What needs another machine, or hours.
    ("docs/how-to/rdma-vm.md", "tools/rdma-vm *", "options", "starts a guest; the tests of label ibv do"),
    ("docs/how-to/rdma-vm.md", "cmake --build --preset default *", "as", PRESET.format("default")),
    ("docs/how-to/rdma-vm.md", "tests/ibv/emulated/run.sh *", "as",
        "[ ! -e build/lib/emulated/libibverbs.so.1 ] || {} || [ $? = 77 ]"),
    ("*", "salloc *upcrun *", "dry", SLURM),
    ("*", "srun *", "not run", SLURM),
    ("*", "UPCR_CONDUIT=* srun *", "not run", SLURM),
    ("*", "UPCR_CONDUIT=ibv mpirun *", "not run", GUEST),
    ("*", "*upcrun * -H *", "dry", HOSTS),
    ("*", "*upcrun * --hostfile *", "dry", HOSTS),
    ("*", "gasnetrun_mpi * -H *", "dry", HOSTS),
    ("*", "*upcrun --conduit ibv *", "dry", GUEST),
    ("*", "*upcrun --conduit ofi *", "dry", "several hosts; tests/ofi and tests/hosts run over it"),
    ("*", "gdb -p PID *", "not run", "attaches to a process, which this host need not allow"),

    ("README.md", "tools/demo *", "as", "PATH=$PWD/stubs:$PATH {} | tee demo.out && "
        "grep -x 'done: 48 x 48 points, equal to the sequential solution' demo.out"),
    ("README.md", "find_package(upcr REQUIRED)", "as",
        "if grep -q upcr_add_executable block; then " + CMAKE % ("", "$BUILD/bin/upcrun -n 2 build/prog") +
        "; else " + CMAKE % ("echo 'add_executable(prog prog.c)'; cp $SOURCE/docs/examples/embed_c/embed.c prog.c; ", "true") + "; fi"),
    ("*", "*cmake --preset default*", "as", PRESET.format("default")),
    ("README.md", "cmake --install build", "not run", "needs a build of the page's own; tests/install installs"),

    ("docs/upc.md", "find_package(upcr REQUIRED)", "as", CMAKE % ("", "ctest --test-dir build --output-on-failure")),
    ("docs/upc.md", "prog.upc:19:14: *", "as", "cp $FIXTURES/hist.upc prog.upc && upcc -c prog.upc"),
    ("docs/upc.md", "upcrun * gdb -q ./prog", "as", "cp $FIXTURES/cells.upc prog.upc && upcc --pthreads -g -o prog prog.upc && {}"),

    ("docs/explanation/architecture.md", "*", "not run", "a drawing"),
    ("docs/explanation/protocols.md", "*", "not run", "a drawing"),
    ("docs/explanation/scaling.md", "cmake --build --preset default --target upcr_scale", "not run", BUILD_OF_ALL),
    ("docs/explanation/scaling.md", "build/bin/upcr_scale --check *", "options", "takes a minute"),
    ("docs/explanation/scaling.md", "build/bin/upcr_scale --ranks 65536 *", "options", "takes a minute"),
    ("docs/explanation/scaling.md", "bench/scale/plot.py *", "options", "needs the minute's result"),
    ("docs/explanation/scaling.md", "barrier   time *", "not run", "figures; tests/bench checks those of the page"),

    ("docs/how-to/adding-a-conduit.md", "std::unique_ptr<Conduit> create()*", "as",
        "{ echo '#include \"tests/module/mailbox.hpp\"'; echo 'using namespace upcr; using MyConduit = test::MailboxConduit;'; "
        "echo 'namespace {'; sed 's/^extern/}\\n&/' block; } >module.cpp && "
        "$CXX -std=c++20 -fsyntax-only -I$SOURCE -I$SOURCE/include -I$BUILD/include module.cpp"),
    ("docs/how-to/adding-a-conduit.md", "UPCR_CONDUIT=NAME UPCR_PSHM=no upcrun -n 4 build/bin/spmd_access *", "as",
        "UPCR_CONDUIT=smp UPCR_PSHM=no upcrun -n 4 build/bin/spmd_access"),
    ("docs/how-to/adding-a-conduit.md", "ctest *", "not run", "the suite, in which this is"),

    ("docs/how-to/debugging.md", "upcrun -n 4 ./heat", "as", "cp mismatch heat; {}"),
    ("docs/how-to/debugging.md", "UPC Runtime error: SIGSEGV *", "as", "upcrun -n 3 ./outside"),
    ("docs/how-to/debugging.md", "likely cause: a cycle of locks*", "as",
        "upcrun -n 2 --stall-report 1 ./locks >out 2>&1 & "
        "until grep -q 'behind UPC thread 0' out; do sleep 0.2; done; kill $!; wait; cat out"),
    ("docs/how-to/debugging.md", "UPCR_FREEZE=yes *", "as", "{} >out 2>&1 & "
        "until [ $(grep -c frozen out) = 2 ]; do sleep 0.2; done; kill $!; wait; cat out"),
    ("docs/how-to/debugging.md", "UPCR_PSHM=no UPCR_LOG_LEVEL=*", "as", "cp puts heat; {}"),
    ("docs/how-to/debugging.md", "UPCR_CHECKSUM=yes upcrun --conduit mpi *", "as",
        "upcc -g -o heat heat.upc $FIXTURES/fault.c; UPCR_PSHM=no {}"),
    ("docs/how-to/debugging.md", "cmake --preset asan *", "as", PRESET.format("asan")),

    ("docs/how-to/hang.md", "upcr_info --job $(pgrep -n upcrun)", "as",
        "upcrun -n 3 ./prog hangs & until upcr_info --job $! 2>&1 | tee out | grep likely; do sleep 0.5; done; kill $!; cat out"),

    ("docs/how-to/infiniband.md", "ibv_devinfo *", "not run", GUEST),
    ("docs/how-to/infiniband.md", "ip addr show ib0 *", "not run", GUEST),
    ("docs/how-to/mpi.md", "static void begin*", "as",
        "{ echo '#include <mpi.h>'; cat block; } >begin.c && mpicc -Wall -Werror -c begin.c"),
    ("docs/how-to/packaging.md", "cmake *", "not run", BUILD_OF_ALL),
    ("docs/how-to/packaging.md", "cd build && cpack -G DEB", "not run", BUILD_OF_ALL + "; tests/install/check_packages.sh does"),
    ("docs/how-to/packaging.md", "version=*", "not run", "needs rpmbuild"),
    ("docs/how-to/packaging.md", "mkdir -p ~/rpmbuild/SOURCES", "not run", "needs rpmbuild"),
    ("docs/how-to/packaging.md", "git archive *", "not run", "needs rpmbuild"),
    ("docs/how-to/packaging.md", "rpmbuild *", "not run", "needs rpmbuild"),
    ("docs/how-to/profiling.md", "upcr_report *", "as", "cp prog.json before.json; cp prog.json after.json; {}"),
    ("docs/how-to/sizes.md", "UPCR_HEAP_STATS=yes *", "as", "cp heap prog; {}"),

    ("docs/observing.md", "== upcr statistics: *", "as", "upcrun -n 4 --stats=known.json ./known"),
    ("docs/observing.md", "upcr_report -o stats.json *", "as", KILLED.replace("WHAT", "stats")),
    ("docs/observing.md", "upcr_report -o trace.json *", "as", KILLED.replace("WHAT", "trace")),

    ("docs/performance.md", "bench/run*", "options", MEASURES),
    ("docs/performance.md", "bench/report *", "options", "needs results of bench/run"),
    ("docs/performance.md", "*upcr_perf *", "as", "{} --seconds 0.001"),
    ("docs/reference/performance-rows.md", "*_perf*", "as", "{} --triples 1 --burst-us 10"),

    ("docs/reference/gupc.md", "gupc *", "not run", "needs GCC-UPC"),
    ("docs/reference/gupc.md", "clang-upc *", "not run", "needs Clang-UPC"),
    ("docs/reference/ibv.md", "build/bin/ibv_raw *", "not run", GUEST),
    ("docs/reference/launching.md", "upcrun ./prog *", "as", "UPCR_THREADS=2 {}"),
    ("docs/reference/launching.md", "upcrun -N 1 ./prog *", "dry", "needs an allocation"),
    ("docs/reference/launching.md", "upcrun: pid *", "not run", "a fault of a kernel; tests/upcrun/unkillable_test.cpp imitates it"),
]
