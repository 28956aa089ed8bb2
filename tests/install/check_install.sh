#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_install.sh BUILD_DIR THIS_DIR EXAMPLES_DIR [all]
# A C and a C++ client by CMake package and by pkg-config, and a translated program by the installed upcc,
# each run on two UPC threads by the installed upcrun, after the installed tree has been moved. `all`: the examples are
# built by CMake as well as by make.
set -euo pipefail
build=$1 here=$2 examples=$3 all=${4-}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
DESTDIR= cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved place"
prefix="$work/moved place"
pc=$(dirname "$(find "$prefix" -name upcr.pc)")
upcc="$prefix/bin/upcc" upcrun="$prefix/bin/upcrun"

expect() {  # expect TEXT COMMAND...: the command succeeds and prints TEXT
    local text=$1; shift
    local out
    out=$("$@" 2>&1) || { echo "FAILED ($?): $*"; echo "$out"; exit 1; }
    grep -qF -- "$text" <<<"$out" || { echo "FAILED: '$text' is not in the output of: $*"; echo "$out"; exit 1; }
    echo "ok: $*"
}

cmake -S "$here/client" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/cmake" >>"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
expect "sum 3 of 2 threads" "$upcrun" -n 2 "$work/cmake/client_c"
expect "sum 3 of 2 threads" "$upcrun" -n 2 "$work/cmake/client_cxx"
expect "sum 3 of 2 threads" "$upcrun" -n 2 "$work/cmake/client_c_debug"

cp "$here/../mupc/programs/hello.c" "$work/mupc.c"
(cd "$work" && "$prefix/bin/mupcc" mupc.c libmupc.a) || { echo "FAILED: mupcc"; exit 1; }
(cd "$work" && expect "hello from 2 threads: 3" "$prefix/bin/mupcrun" -n 2 a.out)

# pkg-config escapes the blank in the prefix; eval undoes it as a makefile's shell would.
flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs upcr)
eval "cc -o '$work/client_c' '$here/client/client.c' $flags"
eval "c++ -o '$work/client_cxx' '$here/client/client.cpp' $flags"
expect "sum 3 of 2 threads" "$upcrun" -n 2 "$work/client_c"
expect "sum 3 of 2 threads" "$upcrun" -n 2 "$work/client_cxx"
expect "sum 1 of 1 threads" "$work/client_c"

flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs upcr_debug)
eval "cc -o '$work/client_checked' '$here/client/client.c' $flags"
readelf -d "$work/client_checked" | grep -q "NEEDED.*libupcr_debug" || { echo "FAILED: upcr_debug.pc"; exit 1; }
expect "sum 3 of 2 threads" "$upcrun" -n 2 "$work/client_checked"

# The tools of GASNet clients, by pkg-config and by the fragment of a makefile (whose paths know no blanks).
ln -s "$prefix" "$work/prefix"
for mode in seq par; do
    flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs gasnet_tools-$mode)
    eval "cc -o '$work/tools_$mode' '$here/client/tools.c' $flags"
    printf 'include %s\nall:\n\t$(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -o %s %s $(GASNET_LIBS)\n' \
        "$work/prefix/include/gasnet_tools-$mode.mak" "$work/make_$mode" "$here/client/tools.c" >"$work/Makefile"
    make -s -f "$work/Makefile"
done
expect "tools tick, no threads: 1536 MB" "$work/tools_seq"
expect "tools tick, threads: 1536 MB" "$work/tools_par"
expect "tools tick, no threads: 1536 MB" "$work/make_seq"
expect "tools tick, threads: 1536 MB" "$work/make_par"

"$here/configure_gasnet.sh" "$work/prefix" "$(dirname "$(find "$work/prefix/" -name upcr.pc)")" || exit 1

# GASNet clients: the same by all ways of building one, in C and C++, all modes, from the build tree too.
for mode in seq parsync par; do
    flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs gasnet-smp-$mode)
    eval "cc -o '$work/gasnet_$mode' '$here/client/gasnet.c' $flags"
    expect "gasnet $mode: sum 6 of 3 nodes, SMP" "$prefix/bin/gasnetrun_smp" -n 3 "$work/gasnet_$mode"
done
expect "gasnet par: sum 3 of 2 nodes, SMP" env GASNET_PSHM_NODES=2 "$work/gasnet_par"
expect "gasnet par: sum 1 of 1 nodes, SMP" "$work/gasnet_par"
flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs gasnet-smp-par-debug)
eval "c++ -x c++ -o '$work/gasnet_cxx' '$here/client/gasnet.c' $flags"
expect "gasnet par: sum 3 of 2 nodes, SMP" "$prefix/bin/gasnetrun_smp" -np 2 -N 1 "$work/gasnet_cxx"
for fragment in include/smp-seq.mak include/smp-conduit/smp-seq.mak; do
    printf 'include %s\nall:\n\t$(GASNET_LD) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) $(GASNET_LDFLAGS) -o %s %s $(GASNET_LIBS)\n' \
        "$work/prefix/$fragment" "$work/gasnet_make" "$here/client/gasnet.c" >"$work/Makefile"
    make -s -f "$work/Makefile"
    expect "gasnet seq: sum 3 of 2 nodes, SMP" "$prefix/bin/gasnetrun_smp" -n 2 "$work/gasnet_make"
done
printf 'include %s\nall:\n\t$(GASNET_CXX) $(GASNET_CXXCPPFLAGS) $(GASNET_CXXFLAGS) -x c++ -o %s %s $(GASNET_LIBS)\n' \
    "$build/gasnet/smp-parsync-debug.mak" "$work/gasnet_make" "$here/client/gasnet.c" >"$work/Makefile"
make -s -f "$work/Makefile"
expect "gasnet parsync: sum 3 of 2 nodes, SMP" "$build/bin/gasnetrun_smp" -n 2 "$work/gasnet_make"
expect "gasnet par: sum 3 of 2 nodes, SMP" "$upcrun" -n 2 "$work/cmake/client_gasnet"
# With nothing but the names of libraries.
lib=$(dirname "$(find "$prefix" -name libgasnet.so)")
for name in smp-seq smp-par ibv-parsync mpi-par-debug; do
    mode=${name#*-} debug=
    case $mode in *-debug) mode=${mode%-debug} debug=-DGASNET_DEBUG ;; esac
    cc -DGASNET_${mode^^} $debug "-I$prefix/include" -o "$work/gasnet_name" "$here/client/gasnet.c" \
        "-L$lib" "-Wl,-rpath,$lib" -lgasnet-$name -pthread
    expect "gasnet $mode: sum 3 of 2 nodes, SMP" "$prefix/bin/gasnetrun_smp" -n 2 "$work/gasnet_name"
done
cc "-I$prefix/include" -DGASNETT_THREAD_SAFE=1 -o "$work/tools_name" "$here/client/tools.c" "-L$lib" \
    "-Wl,-rpath,$lib" "$lib/libgasnet_tools-par.a" -pthread
expect "tools tick, threads: 1536 MB" "$work/tools_name"
strings -a "$work/gasnet_seq" | grep -qF '$GASNetThreadModel: GASNET_SEQ $' || { echo "FAILED: no ident string"; exit 1; }
# A network: the modules of the moved tree, those that are built and no others, with what starts them. Each is
# run over each MPI library that is here.
flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs gasnet-mpi-seq)
eval "cc -o '$work/gasnet_mpi' '$here/client/gasnet.c' $flags"
modules=$(realpath "$(dirname "$pc")")/upcr
diff <(cd "$build/lib/upcr" && ls ./*/*.so) <(cd "$modules" && ls ./*/*.so) ||
    { echo "FAILED: the installed modules are not those of the build folder"; exit 1; }
for library in openmpi mpich; do
    [ -e "$modules/gasnet/conduit_mpi_$library.so" ] || { echo "SKIP: there is no $library here"; continue; }
    expect "gasnet seq: sum 3 of 2 nodes, MPI" \
        env UPCR_MPI_LIBRARY=$library "$prefix/bin/gasnetrun_mpi" -n 2 "$work/gasnet_mpi"
    expect "gasnet seq: sum 3 of 2 nodes, MPI" \
        env UPCR_MPI_LIBRARY=$library PATH="$prefix/bin:$PATH" GASNET_PSHM_NODES=2 "$work/gasnet_mpi"
    expect "$modules/upcr/conduit_mpi_$library.so" "$prefix/bin/upcr_info"
done
# A conduit that is missing is reported once, by name.
mkdir "$work/no modules"
if UPCR_MODULE_PATH="$work/no modules" UPCR_CONDUIT=mpi \
    bash -c '"$0"; exit $?' "$work/gasnet_mpi" >"$work/mpi.log" 2>&1; then echo "FAILED: runs without mpi"; exit 1; fi
[ "$(grep -c "conduit 'mpi' .*not installed" "$work/mpi.log")" -eq 1 ] || { cat "$work/mpi.log"; exit 1; }

# The same CMake projects with UPC sources as against the build folder.
"$here/check_upc.sh" "$here" "$(dirname "$(find "$prefix" -name upcr-config.cmake)")" "$upcrun"

"$upcc" -o "$work/heat" "$examples/heat/heat.upc"
expect "residual" "$upcrun" -n 2 "$work/heat"
"$upcc" -g -o "$work/heat_debug" "$examples/heat/heat.c"
expect "residual" "$upcrun" -n 2 "$work/heat_debug"
# Objects of GCC-UPC, linked by upcc and in the way of GCC-UPC's own driver, from the moved tree.
"$upcc" --abi=gupc -o "$work/gupc" "$here/client/gupc.c"
expect "gupc: 3 of 2 threads" "$upcrun" -n 2 "$work/gupc"
form=$lib/upcr/gupc/packed
cc -fno-pie -no-pie -B "$form/" -o "$work/gupc" "$form/upc-crtbegin.o" "$here/client/gupc.c" -lupc \
    "$form/upc-crtend.o" "-Wl,-rpath,$lib"
expect "gupc: 3 of 2 threads" "$upcrun" -n 2 "$work/gupc"
[ -e "$lib/upcr/gupc/struct/libupc_pt.a" ] || { echo "FAILED: no struct/libupc_pt.a"; exit 1; }
"$upcc" --inst -o "$work/gasp" "$examples/gasp/gasp.c" "$examples/gasp/tool.c"
expect "thread 1 line 14: 40 bytes, 10 times" "$upcrun" -n 2 "$work/gasp"
expect "pointer" "$prefix/bin/upcr_info"
bench=$prefix/libexec/upcr/bench
expect '"right": 2' "$upcrun" -n 2 "$bench/upcr_volume" 4096
expect '"rss"' "$upcrun" -n 2 "$bench/upcr_footprint"
expect "Hello from UPC thread 1 of 2" "$upcrun" -n 2 "$bench/upcr_hello"
expect '"reference_median"' "$bench/upcr_start_end" --rounds 1 "$upcrun" -n 2 "$bench/upcr_hello"
expect "barrier" "$bench/upcr_scale" --ranks 4 --op barrier --check
[ -e "$prefix/share/upcr/gdb/upc.py" ] || { echo "FAILED: no share/upcr/gdb/upc.py"; exit 1; }

# The examples as they are installed, and what is there to be read.
cp -r "$prefix/share/doc/upcr/docs/examples" "$work/examples"
expect "heat: done" env PATH="$prefix/bin:$PATH" make -s -C "$work/examples" check UPCCFLAGS=
if [ -n "$all" ]; then
    cmake -S "$work/examples" -B "$work/examples/build" "-Dupcr_ROOT=$prefix" >"$work/cmake.log" &&
        cmake --build "$work/examples/build" >>"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
    expect "100% tests passed" ctest --test-dir "$work/examples/build"
fi
expect "ok" "$here/check_documents.py" "$prefix"
"$here/check_shells.sh" "$prefix" || exit 1
# The RPM's lists of files, and names in the recipes of packages.
expect "ok: recipes" "$here/check_recipes.py" "$here/../.." "$prefix" \
    "$("$prefix/bin/upcr_info" --version | sed -E 's/[^0-9]*([0-9.]+).*/\1/')"
# Every installed file belongs to a component, and so to a package.
DESTDIR= cmake --install "$build" --prefix "$work/none" --component Unspecified >"$work/install.log"
# What a real GASNet has under the same names is in the component gasnet alone.
for component in runtime tools dev; do
    cmake --install "$build" --prefix "$work/some" --component $component >"$work/install.log"
done
[ -z "$(cd "$work/some" && find . -name 'gasnet*.h' ! -path './include/upcr/*' -o -name '*.mak' -o -name 'libgasnet*.a' \
    -o -name 'gasnetrun*')" ] || { echo "FAILED: names of GASNet outside of its component"; exit 1; }
[ ! -e "$work/none" ] || { find "$work/none" -type f; echo "FAILED: files without a component"; exit 1; }

if grep -rIl -e "$build" "$prefix" | grep -v '\.log$'; then
    echo "FAILED: installed text files name the build folder"; exit 1
fi
