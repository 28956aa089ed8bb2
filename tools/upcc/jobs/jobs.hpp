// SPDX-License-Identifier: BSD-3-Clause
// The work that a command line asks of upcc, as a list of jobs with inputs and outputs, worked out before
// anything
// runs:
//
//     UPC source          kTranslate -> kCompile -> kLink
//     C, C++, assembly                  kCompile -> kLink
//     object, library, -l                           kLink
//
// With -c, -S, -E, -M and -fsyntax-only there is no link; with -trans there is none, and kRewrite stands in
// the place of kCompile. UPC source is only translated with -trans and -fsyntax-only, and only preprocessed
// with -E and -M. With --abi=gupc it goes to the compiler, which is one of UPC then.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tools/upcc/options/options.hpp"

namespace upcc {

enum class JobKind {
  kPreprocess,  // UPC, by the C preprocessor: -E, -M
  kTranslate,   // UPC to C
  kRewrite,     // translated C to the C that would be compiled (-trans)
  kCompile,     // a source to an object, or to where -S, -E, -M or -fsyntax-only stops
  kLink,
};

struct JobInput {
  std::string file;      // what the job reads; in a link also an option
  InputKind kind;        // of `file`
  std::string name;      // the argument of the command line that `file` was made of, for messages
  std::string language;  // of -x, or empty
};

struct Job {
  JobKind kind;
  std::vector<JobInput> inputs;  // one; of a link all of them, in the order of the command line
  std::string output;            // empty: standard output, or no output at all
  std::string object;            // of kTranslate and kPreprocess: what -c or -S makes of the input, or empty
  std::size_t number;            // of the input on the command line: for names of temporary files

  const JobInput& input() const { return inputs.front(); }
};

// A job comes after those whose outputs it reads. Fatal when the options contradict each other or the inputs.
std::vector<Job> make_jobs(const Options& options);

// Runs the jobs in order by `run_job`, which returns an exit status. A job whose input another one has failed
// to make is left out, the others still run. Returns the first status that is not 0, or 0.
int run_jobs(const std::vector<Job>& jobs, const std::function<int(const Job&)>& run_job);

}  // namespace upcc
