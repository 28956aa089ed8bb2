// SPDX-License-Identifier: BSD-3-Clause
// upcc: a compiler driver for UPC, and for C that another UPC-to-C translator wrote. The command line
// (options/) becomes a list of jobs (jobs/); each is run by the folder that its kind belongs to: translate/,
// compile/ or link/.
#include <algorithm>
#include <cstdio>

#include "tools/upcc/base/compilers.hpp"
#include "tools/upcc/compile/compile.hpp"
#include "tools/upcc/compile/predefined.hpp"
#include "tools/upcc/compile/sizes.hpp"
#include "tools/upcc/jobs/jobs.hpp"
#include "tools/upcc/link/link.hpp"
#include "tools/upcc/options/help.hpp"
#include "tools/upcc/translate/preprocess.hpp"
#include "tools/upcc/translate/translate.hpp"
#include "upcr/config.h"

namespace upcc {
namespace {

// -dumpmachine, -Wl,--version and the like.
int run_compiler_query(const Options& options) {
  Arguments command = c_compiler();
  command.insert(command.end(), options.compile_options.begin(), options.compile_options.end());
  for (const Input& input : options.inputs)
    if (input.kind == InputKind::kLinkOption) command.push_back(input.argument);
  return run(command);
}

// -v without files, which build systems read: the versions of upcc and of the compiler.
int print_versions(const Options& options) {
  note("version " UPCR_VERSION);
  Arguments command = c_compiler();
  command.insert(command.end(), options.compile_options.begin(), options.compile_options.end());
  command.push_back("-v");
  return run(command);
}

int run_job(const Options& options, const Job& job) {
  switch (job.kind) {
    case JobKind::kPreprocess:
      return preprocess_only(options, job);
    case JobKind::kTranslate:
      return translate(options, job);
    case JobKind::kRewrite:
      return rewrite(options, job);
    case JobKind::kCompile:
      return compile(options, job);
    case JobKind::kLink:
      return options.gupc.on ? link_gupc(options, job) : link(options, job);
  }
  return 1;
}

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return 0;
}

int drive(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.help) return print(help_text());
  if (options.version) return print(std::string("upcc (upcr) ") + UPCR_VERSION + "\n");
  if (options.sizes) return print(sizes_text());
  if (options.front_end) return print(front_end_text(options));
  if (options.compiler_query_only && !options.has_sources()) return run_compiler_query(options);
  const bool has_files = std::any_of(options.inputs.begin(), options.inputs.end(),
                                     [](const Input& input) { return input.kind != InputKind::kLinkOption; });
  if (!has_files && command_mode.print && command_mode.run) return print_versions(options);
  return run_jobs(make_jobs(options), [&options](const Job& job) { return run_job(options, job); });
}

}  // namespace
}  // namespace upcc

int main(int argc, char** argv) {
  upcc::install_signal_handlers();
  const int status = upcc::drive(argc, argv);
  upcc::end_if_signalled();
  return status;
}
