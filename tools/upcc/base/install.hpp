// SPDX-License-Identifier: BSD-3-Clause
// The headers and libraries of the installation that this upcc belongs to. upcc finds them from its own path,
// so an installation may be moved, and a build tree be used as it is.
#pragma once
#include "tools/upcc/base/process.hpp"

namespace upcc {

struct Install {
  Arguments include_dirs;  // the one with upcr.h first
  std::string lib_dir;
  std::string sanitize;                   // what the library is instrumented for (-fsanitize=), or empty
  std::string library(bool debug) const;  // path of the shared library; fatal when it is missing
  // The static one, and what it is linked with; fatal when it is missing, or cannot be in a program without
  // any shared library (`fully`, -static).
  Arguments static_library(bool debug, bool fully) const;
  // -I and -fsanitize options for every compilation.
  Arguments compile_options() const;
};

const Install& install();

}  // namespace upcc
