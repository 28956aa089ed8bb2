// SPDX-License-Identifier: BSD-3-Clause
// See predefined.hpp.
#include "tools/upcc/compile/predefined.hpp"

#include <algorithm>
#include <filesystem>

#include "include/upcr/types.h"
#include "tools/upcc/base/install.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

std::string upcr_preinclude_dir() { return install().include_dirs.front() + "/upcr_preinclude"; }

// Whether that folder has a header of the same name as one in upcr_preinclude/.
bool shadows_upcr_header(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator ours(upcr_preinclude_dir(), error);
  return !error && std::any_of(begin(ours), end(ours), [&folder](const fs::directory_entry& header) {
    std::error_code ignored;
    return fs::exists(folder / header.path().filename(), ignored);
  });
}

// -I for folders of the program's own files that have a header of the same name as one of upcr's: the
// program's header wins. Other folders get no -I, because their math.h, included as "math.h", would win over
// <math.h>, too.
Arguments user_header_options(const Options& options) {
  Arguments arguments;
  for (const Input& input : options.inputs) {
    if (input.kind == InputKind::kLinkOption) continue;
    const std::string path = fs::path(input.argument).parent_path().string(),
                      folder = path.empty() ? "." : path;
    const std::string argument = "-I" + folder;
    if (shadows_upcr_header(folder) &&
        std::find(arguments.begin(), arguments.end(), argument) == arguments.end())
      arguments.push_back(argument);
  }
  return arguments;
}

}  // namespace

Arguments library_macros() {
  // __UPC_IO__ is 2 for UPC-IO as in UPC 1.3.
  return {"-D__UPC_COLLECTIVE__=1", "-D__UPC_TICK__=1", "-D__UPC_ATOMIC__=1", "-D__UPC_CASTABLE__=1",
          "-D__UPC_IO__=2",         "-D__UPC_NB__=1",   "-D__UPC_PUPC__=1"};
}

Arguments language_macros(const Options& options) {
  // Programs test Berkeley UPC's before they use bupc_ names: upcr has those of release 2.28.
  return {"-D__UPC__=1",
          "-D__UPC_VERSION__=201311L",
          "-D__BERKELEY_UPC__=2",
          "-D__BERKELEY_UPC_MINOR__=28",
          "-D__BERKELEY_UPC_PATCHLEVEL__=0",
          "-D__BERKELEY_UPC_RUNTIME__=1",
          options.threads != 0 ? "-D__UPC_STATIC_THREADS__=1" : "-D__UPC_DYNAMIC_THREADS__=1"};
}

Arguments front_end_options(const Options& options) {
  Arguments arguments = user_header_options(options);
  const auto add = [&arguments](const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  // A system folder is searched after all -I of the program, wherever these stand on the command line.
  add({"-isystem" + upcr_preinclude_dir()});
  add({"-std=gnu99", "-D_GNU_SOURCE=1", "-D__BERKELEY_UPC_FIRST_PREPROCESS__=1",
       "-DUPC_MAX_BLOCK_SIZE=" + std::to_string(UPCR_MAX_BLOCKSIZE)});
  add(language_macros(options));
  add(library_macros());
  if (options.statistics) add({"-DUPCR_STATS=1"});  // bupc_trace_printf
  if (options.threads != 0) add({"-DTHREADS=" + std::to_string(options.threads)});
  return arguments;
}

std::string front_end_text(const Options& options) {
  std::string text;
  for (const std::string& argument : front_end_options(options)) text += argument + "\n";
  return text;
}

}  // namespace upcc
