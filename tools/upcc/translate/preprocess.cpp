// SPDX-License-Identifier: BSD-3-Clause
// See preprocess.hpp.
#include "tools/upcc/translate/preprocess.hpp"

#include <cstdio>
#include <filesystem>

#include "tools/upcc/base/compilers.hpp"
#include "tools/upcc/base/file.hpp"
#include "tools/upcc/base/temp_dir.hpp"
#include "tools/upcc/compile/dependencies.hpp"
#include "tools/upcc/compile/predefined.hpp"
#include "tools/upcc/scan/scan.hpp"
#include "upcr/config.h"

namespace upcc {
namespace {

void append(Arguments& to, const Arguments& arguments) {
  to.insert(to.end(), arguments.begin(), arguments.end());
}

// A source that defines _GNU_SOURCE itself would get a warning about two definitions.
bool source_defines_gnu_source(const std::string& path) {
  if (path == "-" || !std::filesystem::is_regular_file(path)) return false;
  const std::string text = read_file(path);
  return defines_gnu_source(tokens_of(text));
}

// The options of the command line come last: their -std, -D and -U win over what is predefined.
Arguments command_for(const Options& options, const std::string& source, const Arguments& user_options) {
  Arguments command = c_compiler();
  append(command, front_end_options(options));
  if (source_defines_gnu_source(source)) std::erase(command, "-D_GNU_SOURCE=1");
  command.push_back("-D__UPC2C__=" + std::to_string(UPCR_VERSION_MAJOR * 10000 + UPCR_VERSION_MINOR * 100 +
                                                    UPCR_VERSION_PATCH));
  append(command, user_options);
  return command;
}

// Runs the preprocessor, with its messages as JSON where that is asked for: an array of its own, unless it is
// empty. clang has no such option.
int run_preprocessor(const Options& options, Arguments command) {
  const bool clang = is_clang(command);
  if (!options.upc.json || clang || !command_mode.run) return run(command);
  command.push_back("-fdiagnostics-format=json");
  if (command_mode.print) note(quoted(command));
  std::string messages;
  const int status = run_and_read(command, messages);
  if (messages != "[]\n") std::fputs(messages.c_str(), stderr);
  return status;
}

}  // namespace

int preprocess(const Options& options, const Job& job, std::string& text) {
  const std::string& name = job.input().name;
  const std::string output =
      temp_file(std::to_string(job.number) + "-" + std::filesystem::path(name).stem().string() + ".i");
  Arguments command =
      command_for(options, job.input().file, upc_preprocessor_options(options.compile_options));
  const Dependencies dependencies(options, name, name, job.object);
  append(command, dependencies.arguments());
  append(command, {"-E", "-dD", "-dI", "-o", output, "-x", "c", job.input().file});
  const int status = run_preprocessor(options, command);
  if (status != 0 || !command_mode.run) return status;
  dependencies.finish();
  text = read_file(output);
  return 0;
}

int preprocess_only(const Options& options, const Job& job) {
  Arguments command = command_for(options, job.input().file, options.compile_options);
  const Dependencies dependencies(options, job.input().name, job.input().name, job.object);
  append(command, dependencies.arguments());
  if (options.stage == Stage::kPreprocess) {
    command.push_back("-E");
    if (!job.output.empty()) append(command, {"-o", job.output});
  }
  append(command, {"-x", "c", job.input().file});
  const int status = run(command);
  if (status == 0) dependencies.finish();
  return status;
}

}  // namespace upcc
