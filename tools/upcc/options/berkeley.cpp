// SPDX-License-Identifier: BSD-3-Clause
// See berkeley.hpp.
#include "tools/upcc/options/berkeley.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "conduits/core/base/config/edit_distance.hpp"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

using enum LegacyArgument;

constexpr const char* kNoTraces =
    "upcrun --trace records a timeline of any program; upcc --stats adds the lines of the source";

/* clang-format off */
constexpr LegacyOption kOptions[] = {
    {"q",                 kNone,     true,  "upcc prints nothing that was not asked for"},
    {"quiet",             kNone,     true,  "upcc prints nothing that was not asked for"},
    {"nopthreads",        kNone,     true,  "a process has one UPC thread without --pthreads"},
    {"heap-offset",       kRequired, true,  "shared memory does not limit the C heap"},
    {"shared-heap-max",   kRequired, true,  "a shared heap needs no limit: its memory is used on demand"},
    {"link-cache",        kNone,     true,  "upcc caches no links"},
    {"nolink-cache",      kNone,     true,  "upcc caches no links"},
    {"smart-output",      kNone,     true,  "the output is a.out, or what -o names"},
    {"nosmart-output",    kNone,     true,  "the output is a.out, or what -o names"},
    {"translator",        kRequired, true,  "upcc translates by itself, on this machine"},
    {"compress",          kNone,     true,  "upcc translates by itself, on this machine"},
    {"nocompress",        kNone,     true,  "upcc translates by itself, on this machine"},
    {"size-warn",         kNone,     false, "UPC_SIZE_WARN=yes at the start of the program warns"},
    {"nosize-warn",       kNone,     true,  "UPC_SIZE_WARN=yes at the start of the program warns"},
    {"require-size",      kNone,     false, "UPC_REQUIRE_SHARED_SIZE=yes at the start of the program requires it"},
    {"norequire-size",    kNone,     true,  "UPC_REQUIRE_SHARED_SIZE decides when the program starts"},
    {"opt",               kNone,     true,  "-O2 optimises accesses to shared memory, too"},
    {"noopt",             kNone,     true,  "without -O nothing is optimised; --opt=0 keeps loops as they are"},
    {"opt-enable",        kRequired, true,  "--opt=0, 1 or 2 chooses what is done about loops"},
    {"opt-disable",       kRequired, true,  "--opt=0, 1 or 2 chooses what is done about loops"},
    {"save-all-temps",    kNone,     false, "--keep-trans keeps the translation, -save-temps what the compiler makes"},
    {"tv",                kNone,     false, "share/upcr/gdb/upc.py shows shared objects in gdb"},
    {"trace",             kNone,     false, kNoTraces},
    {"notrace",           kNone,     true,  kNoTraces},
    {"nostats",           kNone,     true,  "nothing is counted without --stats"},
    {"debugmalloc",       kNone,     false, "-g checks shared memory; for private memory, use -fsanitize=address"},
    {"uses-mpi",          kNone,     false, "objects with calls of MPI are linked by --link-with=mpicc"},
    {"nouses-mpi",        kNone,     true,  "nothing of MPI is linked without --link-with=mpicc"},
    {"uses-threads",      kNone,     true,  "the runtime may always be used beside other threads"},
    {"nouses-threads",    kNone,     true,  "the runtime may always be used beside other threads"},
    {"nobacktrace",       kNone,     true,  "UPCR_BACKTRACE=no at the start of the program"},
    {"backtrace",         kNone,     true,  "errors print a backtrace"},
    {"norc",              kNone,     true,  "~/.upccrc is not read"},
    {"conf",              kRequired, true,  "default options come from this file"},
};
/* clang-format on */

// upcc's own options, as users write them.
constexpr const char* kOwn[] = {
    "--shared-heap", "--link-with",   "--encoding",   "--inst",          "--inst-functions",
    "--inst-local",  "--extern-main", "--pthreads",   "--sizes",         "--front-end",
    "--show",        "--dry-run",     "--help",       "--network",       "--trans",
    "--keep-trans",  "--version",     "--show-sizes", "--opt-only",      "--abi",
    "--pts",         "--packed-bits", "--opt",        "--static-libupcr"};

std::string environment(const char* name) {
  const char* value = ::secure_getenv(name);
  return value != nullptr ? value : "";
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Arguments arguments_of_file(std::istream& lines) {
  Arguments arguments;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || trimmed(line.substr(0, equals)) != "default_options") continue;
    for (const std::string& word : split_arguments(line.substr(equals + 1))) {
      if (word.rfind('#', 0) == 0) break;
      arguments.push_back(word);
    }
  }
  return arguments;
}

}  // namespace

const LegacyOption* find_legacy_option(const std::string& name) {
  const auto* found = std::ranges::find(kOptions, name, &LegacyOption::name);
  return found != std::end(kOptions) ? found : nullptr;
}

std::string similar_option(const std::string& argument) {
  const bool long_form = argument.compare(0, 2, "--") == 0;
  const std::string name = argument.substr(long_form ? 2 : 1, argument.find('=') - (long_form ? 2 : 1));
  // Compilers have short options without number, and -pthread.
  if (name.size() < 5 || name == "pthread" || name == "param" || name == "verbose") return {};
  upcr::MostSimilar<std::string> similar(name, long_form ? 2 : 1);
  for (const std::string own : kOwn)
    if (own.substr(2) != name) similar.consider(own.substr(2), own);
  return similar.found();
}

std::string network_advice(const std::string& network) {
  if (network == "udp") return "; on several hosts, upcrun --conduit ofi and --conduit mpi work over TCP";
  return "; upcrun --conduit mpi works on every network that an MPI library knows, --conduit ofi on those of "
         "libfabric";
}

Arguments default_arguments(const Arguments& command_line) {
  std::string path;
  bool named = false, none = false;
  for (std::size_t i = 0; i < command_line.size(); ++i) {
    const std::string& word = command_line[i];
    none |= word == "-norc" || word == "--norc";
    for (const std::string option : {"-conf", "--conf"}) {
      if (word == option && i + 1 < command_line.size()) path = command_line[i + 1];
      if (word.compare(0, option.size() + 1, option + "=") == 0) path = word.substr(option.size() + 1);
    }
  }
  named = !path.empty();
  if (!named && !none && !environment("HOME").empty()) path = environment("HOME") + "/.upccrc";
  Arguments arguments;
  if (!path.empty()) {
    std::ifstream file(path);
    if (!file && named) fatal("-conf " + path + ": the file cannot be read");
    arguments = arguments_of_file(file);
  }
  constexpr std::string_view kVariables[] = {"UPCC_FLAGS", "UPCC_CC", "UPCC_CXX"};
  for (const std::string& message : upcr::misspelt_variables(environ, "UPCC_", kVariables)) warn(message);
  const Arguments flags = split_arguments(environment("UPCC_FLAGS"));
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return arguments;
}

}  // namespace upcc
