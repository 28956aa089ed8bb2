// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/symbols/source_lines.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "conduits/core/base/system/privileges.hpp"
#include "conduits/core/base/system/text.hpp"
#include "conduits/core/base/system/ticks.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kMaxWaitNs = 5'000'000'000;  // debug information may be large, and the machine busy

// Not by PATH, which getenv() reads while another thread may change it.
const char* find_addr2line() noexcept {
  for (const char* path : {"/usr/bin/addr2line", "/usr/local/bin/addr2line"})
    if (::access(path, X_OK) == 0) return path;
  return nullptr;
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() noexcept {
    if (::pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    if (ends[0] >= 0) ::close(ends[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_writer() noexcept {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
};

// The child shares this process's memory until it runs the program: nothing is copied, also not pages that a
// network device writes to.
[[gnu::noinline]] pid_t start(const char* const* arguments, int output) noexcept {
  const char* const environment[] = {"LC_ALL=C", nullptr};
#if defined(__SANITIZE_ADDRESS__)
  // Its vfork() takes the stack for the thread's own, which in a signal handler it is not.
  const pid_t child = ::fork();
#else
  const pid_t child = ::vfork();
#endif
  if (child != 0) return child;
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  ::execve(arguments[0], const_cast<char* const*>(arguments), const_cast<char* const*>(environment));
  ::_exit(127);
}

// Until the end of file. False: it was not reached in time.
bool read_all(int fd, char* to, std::size_t room, std::size_t* bytes) noexcept {
  const std::uint64_t end = ticks_now() + kMaxWaitNs;
  char rest[512];
  for (;;) {
    const std::uint64_t now = ticks_now();
    pollfd ready{fd, POLLIN, 0};
    if (now >= end) return false;
    if (::poll(&ready, 1, static_cast<int>((end - now) / 1'000'000) + 1) <= 0) continue;
    const bool full = *bytes == room;
    const ssize_t n = ::read(fd, full ? rest : to + *bytes, full ? sizeof rest : room - *bytes);
    if (n == 0) return true;
    if (n > 0 && !full) *bytes += static_cast<std::size_t>(n);
    if (n < 0 && errno != EINTR) return false;
  }
}

bool starts_with_address(std::string_view line) noexcept { return line.starts_with("0x"); }

std::string_view take_line(std::string_view* text) noexcept {
  const std::size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(end == text->npos ? text->size() : end + 1);
  return line;
}

// Without the working folder before it, and without what gcc adds.
std::string_view readable(std::string_view line, std::string_view folder) noexcept {
  line = line.substr(0, line.find(" (discriminator"));
  if (line.starts_with("??") || line.ends_with(":?") || line.ends_with(":0")) return {};
  if (folder.size() > 1 && line.starts_with(folder) && line[folder.size()] == '/')
    line.remove_prefix(folder.size() + 1);
  return line;
}

}  // namespace

bool SourceLines::ask(const char* file, const std::uint64_t* addresses, std::size_t count) noexcept {
  answers_.fill({});
  const char* const addr2line = find_addr2line();
  if (addr2line == nullptr || has_privileges()) return false;
  // -a: a line with the address before the answer; -f: functions; -i: inlined ones too; -C: readable names.
  const char* arguments[5 + kMaxAddresses] = {addr2line, "-afiC", "-e", file};
  char words[kMaxAddresses][24];
  count = count < kMaxAddresses ? count : kMaxAddresses;
  for (std::size_t i = 0; i < count; ++i) {
    (void)SafeText(words[i], sizeof words[i]).add_address(addresses[i]);
    arguments[4 + i] = words[i];
  }
  Pipe answer;
  if (answer.ends[0] < 0) return false;
  const pid_t child = start(arguments, answer.ends[1]);
  if (child < 0) return false;
  answer.close_writer();
  std::size_t bytes = 0;
  const bool complete = read_all(answer.ends[0], text_.data(), text_.size(), &bytes);
  if (!complete) (void)::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  split(bytes);
  return complete;
}

// Each answer: the address, then two lines for each function, its name and its place.
void SourceLines::split(std::size_t bytes) noexcept {
  std::string_view rest(text_.data(), bytes);
  std::size_t i = 0;
  const char* start = nullptr;
  while (!rest.empty()) {
    const char* const at = rest.data();
    if (!starts_with_address(take_line(&rest))) continue;
    if (start != nullptr) answers_[i++] = {start, static_cast<std::size_t>(at - start)};
    start = rest.data();
    if (i == kMaxAddresses) return;
  }
  if (start != nullptr) answers_[i] = {start, static_cast<std::size_t>(rest.data() - start)};
}

bool SourceLines::place(std::size_t i, std::size_t n, Place* place) const noexcept {
  std::string_view rest = answers_[i];
  for (; n != 0 && !rest.empty(); --n) {
    (void)take_line(&rest);
    (void)take_line(&rest);
  }
  if (rest.empty()) return false;
  place->function = take_line(&rest);
  if (place->function.starts_with("??")) place->function = {};
  char folder[1024];
  place->line = readable(take_line(&rest), ::getcwd(folder, sizeof folder) != nullptr ? folder : "");
  return true;
}

}  // namespace upcr
