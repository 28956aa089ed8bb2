// SPDX-License-Identifier: BSD-3-Clause
// The jobs that turn one source into an object, or into what -S, -E, -M, -fsyntax-only and -trans ask for.
#pragma once
#include "tools/upcc/jobs/jobs.hpp"

namespace upcc {

// Runs a kCompile job. C that upcc or another UPC-to-C translator wrote is compiled from a rewritten copy,
// everything else as it is. Returns the compiler's exit status. Fatal for a file that this upcr cannot run,
// because of its version or the size of its pointers.
int compile(const Options& options, const Job& job);

// Runs a kRewrite job. Fatal when the input is not translated C. Returns 0.
int rewrite(const Options& options, const Job& job);

}  // namespace upcc
