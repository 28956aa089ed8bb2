// SPDX-License-Identifier: BSD-3-Clause
#include "tools/command_line/command_line.hpp"

#include <sysexits.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace upcr {
namespace {

constexpr int kWrongUse = 2;

}  // namespace

std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv) {
  const char* const name = app.get_name().c_str();
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked);
    return finish_output(app, 0);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s; %s --help lists the options\n", name, error.what(), name);
    return kWrongUse;
  }
}

std::string why_output_failed() {
  std::string what = "cannot write standard output";
  if (std::ferror(stdout) != 0) return what;
  return std::fflush(stdout) == 0 ? "" : what + ": " + std::strerror(errno);
}

int finish_output(const CLI::App& app, int status) {
  const std::string why = why_output_failed();
  if (why.empty()) return status;
  std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), why.c_str());
  return EX_IOERR;
}

}  // namespace upcr
