// SPDX-License-Identifier: BSD-3-Clause
// The command line. Options that are not upcc's own go to the compiler and the linker, in their order.
#pragma once
#include <cstdint>

#include "tools/upcc/base/process.hpp"
#include "tools/upcc/options/encoding.hpp"
#include "tools/upcc/options/gupc.hpp"
#include "tools/upcc/options/inputs.hpp"
#include "tools/upcc/options/upc.hpp"

namespace upcc {

// Where upcc stops.
enum class Stage { kLink, kCompile, kAssemble, kPreprocess, kDependencies, kSyntax, kTranslate };

struct Options {
  Stage stage = Stage::kLink;
  std::string output;         // -o, or empty
  std::vector<Input> inputs;  // in the order of the command line
  Arguments compile_options;  // for every compilation
  Arguments common_options;   // those of them that generated C is compiled with as well (-m64, -fPIC)

  bool debug = false;          // -g: the debug library
  bool optimize = false;       // some -O was given
  bool line_markers = true;    // false: -nolines, messages name lines of the translated C
  bool no_program = false;     // -shared or -r: no start-up file
  bool joins_objects = false;  // -r: no library either
  bool extern_main = false;
  bool static_libupcr = false;  // libupcr.a
  bool fully_static = false;    // -static: no shared library at all
  // --inst, --inst-functions, --inst-local: calls report to a GASP tool
  bool instrument = false, instrument_functions = false, instrument_local = false;
  bool statistics = false;  // --stats: to the statistics of the library, by the same means
  bool sizes = false, front_end = false, help = false, version = false;
  bool compiler_query_only = false;  // the options ask for -dumpmachine and the like
  bool pthreads = false;
  unsigned pthreads_per_process = 0;  // 0: decided when the program starts
  unsigned threads = 0;               // -T; 0: any
  std::uint64_t heap_bytes = 0;       // --shared-heap; 0: the default
  std::string link_with;
  const Encoding* encoding = nullptr;  // --encoding; null: each file names its own

  Gupc gupc;       // --abi=gupc and its options
  UpcOptions upc;  // for UPC sources

  // -M options that need care because the compiler reads a rewritten copy.
  bool writes_dependencies = false;    // -MD, -MMD
  std::string dependency_file;         // -MF
  bool has_dependency_target = false;  // -MT, -MQ

  bool has_sources() const;
};

Options parse(int argc, char** argv);

}  // namespace upcc
