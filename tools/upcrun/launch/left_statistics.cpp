// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/left_statistics.hpp"

#include <glob.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
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

}  // namespace

LeftStatistics::LeftStatistics(const std::string& option) : file_(option) {
  if (const char* const variable = std::getenv("UPCR_STATS"); file_.empty() && variable != nullptr)
    file_ = variable;
  (void)::clock_gettime(CLOCK_REALTIME_COARSE, &start_);  // the clock of files
}

// Those of an earlier job are older.
std::vector<std::string> LeftStatistics::files() const {
  std::string pattern;
  for (const char c : file_) {
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

void LeftStatistics::report() const {
  if (file_.empty()) return;
  const std::vector<std::string> left = files();
  if (left.empty() || !run_report(file_, left)) return;
  for (const std::string& file : left) (void)::unlink(file.c_str());
}

}  // namespace upcrun
