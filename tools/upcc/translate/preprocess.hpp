// SPDX-License-Identifier: BSD-3-Clause
// The preprocessing of UPC source by the C compiler, with the macros and headers that UPC predefines.
#pragma once
#include <string>

#include "tools/upcc/jobs/jobs.hpp"

namespace upcc {

// Preprocesses for the translator, which needs the #include and #define lines as well; writes the rule for
// make that -MD and -MMD ask for. Returns the compiler's status; `text` is left empty where nothing runs
// (--show).
int preprocess(const Options& options, const Job& job, std::string& text);

// Runs a kPreprocess job: -E, -M, -MM. Returns the compiler's exit status.
int preprocess_only(const Options& options, const Job& job);

}  // namespace upcc
