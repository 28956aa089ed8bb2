// SPDX-License-Identifier: BSD-3-Clause
// See help.hpp.
#include "tools/upcc/options/help.hpp"

#include "tools/upcc/options/encoding.hpp"

namespace upcc {
namespace {

constexpr const char* kBeforeEncodings =
    "Usage: upcc [OPTIONS] FILE...\n\n"
    "Compiles UPC (.upc), C that a UPC-to-C translator wrote, other C and C++, and links programs with the UPC\n"
    "runtime.\n"
    "\n"
    "  -o FILE               write the output to FILE (default: a.out; with -c one .o for each source)\n"
    "  -c                    compile only; -S, -E, -M, -MM, -MD, -MMD, -fsyntax-only as for a C compiler\n"
    "  -x upc                the files that follow are UPC, whatever their names; -x none: by their names\n"
    "  -T N                  compile for exactly N UPC threads\n"
    "  --pthreads[=K]        run K UPC threads in each process; without K any number, chosen at start\n"
    "  --shared-heap SIZE    shared memory of each UPC thread (default: 64MB); MB without a unit\n"
    "  --trans[=FILE]        stop after the translation of UPC: write the C to FILE, or to prog.trans.c\n"
    "  --keep-trans          keep the translation of prog.upc as prog.trans.c beside the object\n"
    "  -W[no-]GROUP, -W[no-]error=GROUP, -Werror, -w\n"
    "                        warnings about UPC (docs/upc.md lists the groups); other -W... are for the C compiler\n"
    "  --opt=0|1|2           loops over shared arrays: as written; upc_forall by owner; also private accesses,\n"
    "                        and reads of straight code that are not mapped are done together.\n"
    "                        Default: 2 with -O2 and more, 1 with other -O, 0 without -O, with -O0, -g, --inst or\n"
    "                        --stats\n"
    "  --opt-only=LINE       only loops and statements that begin in this line; -Rupc: print what became of each loop\n"
    "  -fmax-errors=N        print at most N errors about UPC for each file (20; 0: all)\n"
    "  -fdiagnostics-color=auto|always|never, -fdiagnostics-format=text|json\n"
    "                        form of messages about UPC\n"
    "  --extern-main         main() is C or C++ code that starts the runtime itself (bupc_init)\n"
    "  --link-with CMD       link with CC, CXX, or a command such as mpicc\n"
    "  -static-libupcr       link with the static libupcr, which has the conduits linked in, where it was built\n"
    "  --inst                report calls to the GASP measurement tool that is linked with the program (a source,\n"
    "                        an object, a library); --inst-functions: also entry and exit of functions;\n"
    "                        --inst-local: also accesses of the thread's own shared memory\n"
    "  --stats               report each shared access and call, with its line, to upcrun --stats and UPCR_STATS\n"
    "  --encoding NAME       the numbers that flags and operators of collectives have in translated C.\n"
    "                        Needed only for files that do not name the translator's release. NAME:\n";

constexpr const char* kAfterEncodings =
    "  --abi=gupc            the files are objects of GCC-UPC or Clang-UPC, or C and assembly for such a\n"
    "                        program: links them with upcr in place of libupc. Then also:\n"
    "      --pts packed|struct, --pts-vaddr-order first|last, --packed-bits P,T,V\n"
    "                        layout of pointers-to-shared in the objects (packed, first, 20,10,34); also as\n"
    "                        -fupc-pts=..., -fupc-pts-vaddr-order=..., -fupc-packed-bits=...\n"
    "      --encoding NAME   gupc-1.3 (default) or gupc-2012: the numbers of flags and operators\n"
    "  -g                    compile for debuggers, and link with the library that checks every call (-g1: not)\n"
    "  --sizes               print the sizes and settings of this machine and this upcr that a translator needs\n"
    "  --front-end           print the options that a UPC front end's preprocessor needs, one a line; with -T N\n"
    "                        for N threads; with FILE... their folders come before upcr's headers\n"
    "  -Wc,OPTION            pass OPTION to the compiler; -Wp,OPTION to its preprocessor, -Wl,OPTION to the linker\n"
    "  -nolines              make messages and debuggers name lines of the translated C, not of the UPC source\n"
    "  -trans                for translated C: write the C that would be compiled to FILE.trans.c and stop\n"
    "  -network=NAME         smp, mpi, ibv or ofi: accepted, but the conduit is chosen when the program\n"
    "                        starts; also accepted: -lines, -version, -show-sizes (--sizes) and other options\n"
    "                        of Berkeley UPC's upcc: docs/reference/compatibility.md\n"
    "  --show, --dry-run     print the commands, run nothing; -v: print and run\n"
    "  -norc, -conf=FILE     do not read default options from ~/.upccrc (default_options = ...), or read FILE\n"
    "\n"
    "UPCC_FLAGS holds options that come before those of the command line.\n"
    "Other options go to the compiler and the linker. UPC and translated C are compiled with -O2 unless -O or -g\n"
    "is given. UPCC_CC and UPCC_CXX name the compilers (cc, c++), TMPDIR the folder for temporary files.\n";

}  // namespace

std::string help_text() {
  std::string text = kBeforeEncodings;
  for (const Encoding& encoding : encodings()) {
    std::string name = encoding.name;
    name.resize(12, ' ');
    text += "                          " + name + encoding.releases + "\n";
  }
  return text + kAfterEncodings;
}

}  // namespace upcc
