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

// -I for the folders of the program's own files that have headers of our names: theirs win. Only for those,
// because a folder's math.h, which the program includes as "math.h", would win over <math.h>, too.
Words user_header_options(const Options& options) {
  Words words;
  for (const Input& input : options.inputs) {
    if (input.is_option) continue;
    const std::string path = fs::path(input.word).parent_path().string(), folder = path.empty() ? "." : path;
    const std::string word = "-I" + folder;
    if (shadows_upcr_header(folder) && std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(word);
  }
  return words;
}

}  // namespace

Words library_macros() {
  // 2: UPC-IO as UPC 1.3 has it.
  return {"-D__UPC_COLLECTIVE__=1", "-D__UPC_TICK__=1", "-D__UPC_ATOMIC__=1", "-D__UPC_CASTABLE__=1",
          "-D__UPC_IO__=2",         "-D__UPC_NB__=1",   "-D__UPC_PUPC__=1"};
}

std::string front_end_text(const Options& options) {
  Words words = {"-std=gnu99", "-D_GNU_SOURCE=1", "-D__BERKELEY_UPC_FIRST_PREPROCESS__=1", "-D__UPC__=1",
                 "-D__UPC_VERSION__=201311L", "-DUPC_MAX_BLOCK_SIZE=" + std::to_string(UPCR_MAX_BLOCKSIZE),
                 // Programs look at these before they use bupc_ names: those of release 2.28 exist.
                 "-D__BERKELEY_UPC__=2", "-D__BERKELEY_UPC_MINOR__=28", "-D__BERKELEY_UPC_PATCHLEVEL__=0",
                 "-D__BERKELEY_UPC_RUNTIME__=1"};
  for (const std::string& word : library_macros()) words.push_back(word);
  if (options.threads != 0) {
    words.push_back("-D__UPC_STATIC_THREADS__=1");
    words.push_back("-DTHREADS=" + std::to_string(options.threads));
  } else {
    words.push_back("-D__UPC_DYNAMIC_THREADS__=1");
  }
  std::string text;
  for (const std::string& word : user_header_options(options)) text += word + "\n";
  // As a system's folder: searched after all -I of the program, wherever they stand on the command line.
  text += "-isystem" + upcr_preinclude_dir() + "\n";
  for (const std::string& word : words) text += word + "\n";
  return text;
}

}  // namespace upcc
