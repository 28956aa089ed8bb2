// SPDX-License-Identifier: BSD-3-Clause
// The translator as one call: preprocessed UPC to C and messages.
#pragma once
#include <string>
#include <vector>

#include "tools/upc2c/check/checker.hpp"
#include "tools/upc2c/diag/render.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

struct TranslateOptions {
  Target target;
  CheckOptions check;
  LowerOptions lower;
  RenderOptions render;
  bool json = false;         // messages as JSON
  bool syntax_only = false;  // no C
  std::vector<std::string>
      warnings;  // -W..., -w, -Rupc in the order of the command line; other groups are ignored
};

struct Translation {
  std::string c;         // empty if there are errors
  std::string messages;  // errors and warnings as the options say
  unsigned errors = 0;
};

// `preprocessed`: what cc -E -dD -dI gives. The file's name for messages is options.lower.file until the
// first line marker.
Translation translate(std::string preprocessed, const TranslateOptions& options);

}  // namespace upc2c
