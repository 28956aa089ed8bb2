// SPDX-License-Identifier: BSD-3-Clause
// Where the installation that this upcc belongs to keeps its headers and libraries: found from the place of
// the program itself, so that an installation can be moved and a build tree used as it is.
#pragma once
#include "tools/upcc/base/process.hpp"

namespace upcc {

struct Install {
  Words include_dirs;  // the one with upcr.h first
  std::string lib_dir;
  std::string sanitize;                   // what the library is instrumented for (-fsanitize=), or empty
  std::string library(bool debug) const;  // path of the shared library; fatal when it is missing
  // -I and -fsanitize options for every compilation.
  Words compile_words() const;
};

const Install& install();

}  // namespace upcc
