// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/defaults.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "conduits/core/base/config/edit_distance.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/plan/words.hpp"

namespace upcrun {
namespace {

std::string environment(const char* name) {
  const char* value = ::secure_getenv(name);
  return value != nullptr ? value : "";
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The last value of an option among words that read_words() has read.
std::string option_value(const std::vector<std::string>& options, std::string_view name) {
  const auto found = std::find(options.rbegin(), options.rend(), name);
  return found == options.rend() || found == options.rbegin() ? "" : *std::prev(found);
}

}  // namespace

std::vector<std::string> words_of_rc_file(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (equals == line.npos || trimmed(line.substr(0, equals)) != "default_options") continue;
    for (std::string& word : split_words(line.substr(equals + 1))) {
      if (word.starts_with('#')) break;
      words.push_back(std::move(word));
    }
  }
  return words;
}

std::vector<DefaultWords> default_words(const std::vector<std::string>& options) {
  std::vector<DefaultWords> defaults;
  const std::string named = option_value(options, "--rc");
  const bool none = std::find(options.begin(), options.end(), "--no-rc") != options.end();
  if (!named.empty()) {
    const auto text = read_file(named);
    if (!text) throw Failure{2, "--rc " + named + ": the file cannot be read"};
    defaults.push_back({named, words_of_rc_file(*text)});
  } else if (const std::string home = environment("HOME"); !none && !home.empty()) {
    const std::string path = home + "/.upcrunrc";
    if (const auto text = read_file(path)) defaults.push_back({path, words_of_rc_file(*text)});
  }
  if (const std::string flags = environment("UPCRUN_FLAGS"); !flags.empty())
    defaults.push_back({"UPCRUN_FLAGS", split_words(flags)});
  return defaults;
}

std::vector<std::string> misspelt_launcher_variables() {
  constexpr std::string_view kVariables[] = {"UPCRUN_AGENT", "UPCRUN_FANOUT", "UPCRUN_FLAGS", "UPCRUN_RSH",
                                             "UPCRUN_START_TIMEOUT"};
  return upcr::misspelt_variables(environ, "UPCRUN_", kVariables);
}

void add_hosts_of_environment(Options& options) {
  const bool gasnet = options.gasnet;
  if (gasnet && options.rsh.empty() && environment("UPCRUN_RSH").empty()) {
    const std::string command = environment("GASNET_SSH_CMD"), more = environment("GASNET_SSH_OPTIONS");
    if (!command.empty() || !more.empty())
      options.rsh = (command.empty() ? "ssh" : command) + (more.empty() ? "" : " " + more);
  }
  std::string conduit = options.conduit.empty() ? environment("UPCR_CONDUIT") : options.conduit;
  if (!options.hosts.empty() || !options.hostfile.empty() || conduit == "smp" || options.local_only) return;
  std::string source = "UPC_NODES", list = environment("UPC_NODES");
  if (list.empty() && gasnet) source = "GASNET_SSH_SERVERS", list = environment("GASNET_SSH_SERVERS");
  std::istringstream blanks(list);
  for (std::string word; blanks >> word;) {
    while (word.ends_with(',')) word.pop_back();
    if (!word.empty()) options.hosts += (options.hosts.empty() ? "" : ",") + word;
  }
  if (!options.hosts.empty()) {
    options.hosts_from = source;
    return;
  }
  for (const std::string name : {"UPC_NODEFILE", "GASNET_SSH_NODEFILE", "GASNET_NODEFILE"}) {
    if (!options.hostfile.empty() || !(gasnet || name.starts_with("UPC_"))) continue;
    options.hostfile = environment(name.c_str());
    options.hostfile_from = name;
  }
}

}  // namespace upcrun
