// SPDX-License-Identifier: BSD-3-Clause
// See translate.hpp.
#include "tools/upcc/translate/translate.hpp"

#include <cstdio>
#include <filesystem>

#include "include/upcr/types.h"
#include "tools/upc2c/driver.hpp"
#include "tools/upcc/base/file.hpp"
#include "tools/upcc/translate/preprocess.hpp"

namespace upcc {
namespace {

upc2c::TranslateOptions translator_options(const Options& options, const Job& job) {
  upc2c::TranslateOptions translator;
  translator.target.pointer_to_shared_size = sizeof(upcr_shared_ptr_t);
  translator.check.threads = options.threads;
  translator.check.max_block = UPCR_MAX_BLOCKSIZE;
  translator.lower.threads = options.threads;
  translator.lower.pthreads = options.pthreads;
  translator.lower.instrument_functions = options.instrument_functions;
  translator.lower.source_positions = options.debug || options.instrument;
  translator.lower.loops.level =
      loop_level(options.upc, options.compile_options, options.debug || options.instrument);
  translator.lower.loops.only = options.upc.loop_lines;
  translator.lower.file = job.input().name;
  translator.render.color = options.upc.color;
  translator.render.max_errors = options.upc.max_errors;
  translator.json = options.upc.json;
  translator.syntax_only = job.output.empty();
  translator.warnings = options.upc.warnings;
  return translator;
}

void refuse_to_overwrite(const Job& job) {
  std::error_code ignored;
  if (!job.output.empty() && std::filesystem::equivalent(job.output, job.input().file, ignored))
    fatal(job.output + ": the translation would be written over its source; name another file");
}

}  // namespace

int translate(const Options& options, const Job& job) {
  refuse_to_overwrite(job);
  std::string text;
  if (const int status = preprocess(options, job, text); status != 0) return status;
  if (command_mode.print)
    note(job.output.empty() ? "check " + job.input().name
                            : "translate " + job.input().name + " to " + job.output);
  if (!command_mode.run) return 0;
  const upc2c::Translation translation = upc2c::translate(std::move(text), translator_options(options, job));
  std::fputs(translation.messages.c_str(), stderr);
  if (translation.errors != 0) return 1;
  if (job.output == "-")
    std::fputs(translation.c.c_str(), stdout);
  else if (!job.output.empty())
    write_file(job.output, translation.c);
  return 0;
}

}  // namespace upcc
