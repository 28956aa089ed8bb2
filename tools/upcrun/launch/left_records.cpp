// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/left_records.hpp"

#include <glob.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>

namespace upcrun {
namespace {

// upcr_report's exit status is 0. Its summary goes to the standard error, as after an orderly end.
bool run_report(const std::string& out, const std::vector<std::string>& files) {
  std::error_code error;
  const std::filesystem::path upcrun = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> words{upcrun.parent_path() / "upcr_report", "-o", out};
  words.insert(words.end(), files.begin(), files.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  (void)::posix_spawn_file_actions_init(&actions);
  (void)::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  (void)::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  while (failed == 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return failed == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string value_of(const std::string& option, const char* variable) {
  const char* const value = std::getenv(variable);
  return !option.empty() || value == nullptr ? option : value;
}

}  // namespace

LeftRecords::LeftRecords(const std::string& statistics, const std::string& timeline)
    : statistics_(value_of(statistics, "UPCR_STATS")), timeline_(value_of(timeline, "UPCR_TRACE")) {
  (void)::clock_gettime(CLOCK_REALTIME_COARSE, &start_);  // the clock of files
}

// Those of an earlier job are older.
std::vector<std::string> LeftRecords::parts_of(const std::string& file) const {
  std::string pattern;
  for (const char c : file) {
    if (std::strchr("*?[\\", c) != nullptr) pattern += '\\';
    pattern += c;
  }
  std::vector<std::string> files;
  glob_t found{};
  if (::glob((pattern + ".part[0-9]*").c_str(), 0, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i) {
      struct stat about;
      if (::stat(found.gl_pathv[i], &about) == 0 &&
          std::tie(about.st_mtim.tv_sec, about.st_mtim.tv_nsec) >= std::tie(start_.tv_sec, start_.tv_nsec))
        files.push_back(found.gl_pathv[i]);
    }
  ::globfree(&found);
  return files;
}

void LeftRecords::report_statistics() const {
  if (statistics_.empty()) return;
  const std::vector<std::string> left = parts_of(statistics_);
  if (left.empty() || !run_report(statistics_, left)) return;
  for (const std::string& file : left) (void)::unlink(file.c_str());
}

// The value is a file, kinds of operations, or both with a colon between them; the runtime knows the kinds.
void LeftRecords::report_timeline() const {
  if (timeline_.empty()) return;
  for (const std::string& file :
       {timeline_, timeline_.substr(0, timeline_.rfind(':')), std::string("trace.json")}) {
    const std::vector<std::string> left = parts_of(file);
    if (left.empty()) continue;
    std::fprintf(
        stderr,
        "upcr trace: what %zu UPC threads have recorded is in %s.part*; `upcr_report -o %s %s.part*` joins it\n",
        left.size(), file.c_str(), file.c_str(), file.c_str());
    return;
  }
}

void LeftRecords::report() const {
  report_statistics();
  report_timeline();
}

}  // namespace upcrun
