// SPDX-License-Identifier: BSD-3-Clause
// See auxiliary.hpp.
#include "tools/upcc/compile/auxiliary.hpp"

#include <algorithm>
#include <filesystem>

#include "tools/upcc/base/compilers.hpp"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

bool has_option(const Options& options, std::initializer_list<std::string_view> starts) {
  return std::any_of(options.compile_options.begin(), options.compile_options.end(),
                     [starts](const std::string& option) {
                       return std::any_of(starts.begin(), starts.end(), [&option](std::string_view start) {
                         return option.compare(0, start.size(), start) == 0;
                       });
                     });
}

// "program-" of the program's path.
std::string prefix_of(const Options& options) {
  fs::path program = options.output.empty() ? "a.out" : options.output;
  if (program.extension() == ".out" || program.extension() == ".exe") program.replace_extension();
  return program.string() + "-";
}

// gcc knows the options since version 11.
bool names_auxiliary_files(Arguments compiler) {
  compiler.insert(compiler.end(), {"-dumpbase-ext", ".c", "-E", "-x", "c", "/dev/null", "-o", "/dev/null"});
  std::string messages;
  return run_and_read(compiler, messages) == 0 && messages.empty();
}

// clang derives the names from the object's. Those of coverage can be given to its inner command.
Arguments clang_options(const Options& options, const Job& job) {
  if (!has_option(options, {"--coverage", "-coverage", "-ftest-coverage", "-fprofile-arcs"})) return {};
  const std::string stem =
      fs::absolute(prefix_of(options) + fs::path(job.input().name).stem().string()).string();
  return {"-Xclang", "-coverage-notes-file=" + stem + ".gcno", "-Xclang",
          "-coverage-data-file=" + stem + ".gcda"};
}

}  // namespace

Arguments auxiliary_options(const Options& options, const Job& job) {
  if (options.stage != Stage::kLink || has_option(options, {"-dumpdir", "-dumpbase"})) return {};
  const Arguments compiler = job.input().kind == InputKind::kCxx ? cxx_compiler() : c_compiler();
  if (is_clang(compiler)) return clang_options(options, job);
  if (!has_option(options, {"--coverage", "-coverage", "-ftest-coverage", "-fprofile-", "-fbranch-prob",
                            "-fstack-usage", "-gsplit-dwarf", "-save-temps", "--save-temps", "-fdump-",
                            "-fcallgraph-info", "-fopt-info"}) ||
      !names_auxiliary_files(compiler))
    return {};
  const fs::path source = job.input().name;
  return {"-dumpdir",      prefix_of(options),         "-dumpbase", source.filename().string(),
          "-dumpbase-ext", source.extension().string()};
}

}  // namespace upcc
