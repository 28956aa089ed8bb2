// SPDX-License-Identifier: BSD-3-Clause
// upcc: a compiler driver for UPC, and for C that another UPC-to-C translator wrote. The command line
// (options/) becomes a list of jobs (jobs/); each is run by the folder that its kind belongs to: translate/,
// compile/ or link/.
#include <cstdio>

#include "tools/upcc/base/install.hpp"
#include "tools/upcc/compile/compile.hpp"
#include "tools/upcc/compile/predefined.hpp"
#include "tools/upcc/compile/sizes.hpp"
#include "tools/upcc/link/link.hpp"
#include "tools/upcc/options/encoding.hpp"
#include "upcr/config.h"

namespace upcc {
namespace {

constexpr const char* kHelp =
    "usage: upcc [options] FILE...\n"
    "Compiles C that a UPC-to-C translator wrote, other C and C++, and links programs with the UPC runtime.\n"
    "\n"
    "  -o FILE               the output (a.out; with -c one .o for each source)\n"
    "  -c                    compile only; -S, -E, -M, -MM, -fsyntax-only as for a C compiler\n"
    "  -T N                  for N UPC threads exactly\n"
    "  --pthreads[=K]        for K UPC threads per process; without K any number, decided at start\n"
    "  --shared-heap SIZE    shared memory of each UPC thread (64MB)\n"
    "  --extern-main         main() is C or C++ and starts the runtime itself (bupc_init)\n"
    "  --link-with CMD       the linker: CC, CXX, or a command such as mpicc\n"
    "  --inst                calls report to the GASP measurement tool that is given with the program (a source,\n"
    "                        an object, a library); --inst-functions: entry and exit of functions too;\n"
    "                        --inst-local: accesses of the thread's own shared memory too\n"
    "  --encoding NAME       the numbers that flags and operators of collectives have in translated C. Not\n"
    "                        needed where it tells the translator's release. NAME:\n"
    "%s"
    "  --abi=gupc            the files are what GCC-UPC or Clang-UPC compiled, or C and assembly of that kind:\n"
    "                        links them with upcr in place of libupc. Then also:\n"
    "      --pts packed|struct, --pts-vaddr-order first|last, --packed-bits P,T,V\n"
    "                        how the compiler lays out pointers-to-shared (packed, first, 20,10,34), also as\n"
    "                        -fupc-pts=..., -fupc-pts-vaddr-order=..., -fupc-packed-bits=...\n"
    "      --encoding NAME   gupc-1.3 (default) or gupc-2012: the numbers of flags and operators\n"
    "  -g                    for debuggers, and with the library that checks every call; -g1: without it\n"
    "  --sizes               print what a translator must know about this machine and this upcr\n"
    "  --front-end           print the options that a UPC front end's preprocessor needs, one a line; with -T N\n"
    "                        for N threads; with FILE... the folders of these come before upcr's headers\n"
    "  -Wc,OPTION            for the compiler; -Wp,OPTION, -Wl,OPTION: for its preprocessor, for the linker\n"
    "  -nolines              messages and debuggers name lines of the translated C, not of the UPC source\n"
    "  -trans                write the C that would be compiled to FILE.trans.c, or to -o FILE, and stop\n"
    "  -network=NAME         smp, mpi or ibv: accepted, but the conduit is chosen when the program starts;\n"
    "                        also accepted: -lines, -norc, -nolink-cache, -version, -show-sizes (--sizes)\n"
    "  --show                print the commands, run nothing; -v: print and run\n"
    "\n"
    "Other options go to the compiler and the linker. Translated C is compiled with -O2 unless -O or -g is\n"
    "given. UPCC_CC and UPCC_CXX name the compilers (cc, c++), TMPDIR the folder for temporary files.\n";

int help() {
  std::string names;
  for (const Encoding& encoding : encodings()) {
    std::string name = encoding.name;
    name.resize(12, ' ');
    names += "                          " + name + encoding.whose + "\n";
  }
  std::printf(kHelp, names.c_str());
  return 0;
}

int run_compiler_query(const Options& options) {
  Words command = c_compiler();
  command.insert(command.end(), options.compile.begin(), options.compile.end());
  return run(command);
}

void check(const Options& options) {
  if (options.inputs.empty() || (!options.has_sources() && options.stage != Stage::kLink))
    die("no input files; 'upcc --help' lists the options");
  if (options.stage == Stage::kLink) return;
  std::size_t sources = 0;
  for (const Input& input : options.inputs) {
    if (input.source) ++sources;
    if (!input.source && !input.is_option)
      warn(input.word + ": not used, there is no linking with this -c, -S, -E or -M");
  }
  if (sources > 1 && !options.output.empty() && options.stage != Stage::kDependencies)
    die("-o " + options.output + " for " + std::to_string(sources) + " files without linking; leave -o out");
}

// Two sources of one name in different folders would become one object.
void check_outputs(const Options& options) {
  if (options.stage != Stage::kCompile && options.stage != Stage::kAssemble) return;
  for (const Input& a : options.inputs)
    for (const Input& b : options.inputs)
      if (&a < &b && a.source && b.source && a.object == b.object)
        die(a.word + " and " + b.word + " would both become " + a.object +
            "; compile them one by one with -o");
}

int compile_all(const Options& options) {
  int status = 0;
  for (std::size_t i = 0; i < options.inputs.size(); ++i) {
    if (!options.inputs[i].source) continue;
    const int one = compile(options, i);
    if (status == 0) status = one;
  }
  return status;
}

int drive(int argc, char** argv) {
  Options options = parse(argc, argv);
  if (options.help) return help();
  if (options.version) return std::printf("upcc (upcr) %s\n", UPCR_VERSION), 0;
  if (options.sizes) return std::fputs(sizes_text().c_str(), stdout), 0;
  if (options.front_end) return std::fputs(front_end_text(options).c_str(), stdout), 0;
  if (options.compiler_query_only && !options.has_sources()) return run_compiler_query(options);
  check(options);
  name_outputs(options);
  check_outputs(options);
  const int status = compile_all(options);
  if (status != 0 || options.stage != Stage::kLink) return status;
  return options.gupc.on ? link_gupc(options) : link(options);
}

}  // namespace
}  // namespace upcc

int main(int argc, char** argv) {
  upcc::install_signal_handlers();
  return upcc::drive(argc, argv);
}
