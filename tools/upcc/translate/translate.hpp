// SPDX-License-Identifier: BSD-3-Clause
// The job that makes C of UPC source, by the translator of tools/upc2c in this process.
#pragma once
#include "tools/upcc/jobs/jobs.hpp"

namespace upcc {

// Runs a kTranslate job: preprocesses, prints the translator's messages, and writes the C, unless there are
// errors or the job has no output. Returns 0, the preprocessor's status, or 1 for errors.
int translate(const Options& options, const Job& job);

}  // namespace upcc
