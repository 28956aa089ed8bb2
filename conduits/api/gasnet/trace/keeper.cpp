// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace upcr::gasnet {
namespace {

// Files that others wait to see closed at the node's end are among them.
void close_from_to(unsigned from, unsigned to) noexcept {
  if (from > to) return;
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, from, to, 0) == 0) return;
#endif
  rlimit limit{};
  (void)::getrlimit(RLIMIT_NOFILE, &limit);
  const auto end = static_cast<unsigned>(std::min<rlim_t>(limit.rlim_cur, 1u << 20));
  for (unsigned file = from; file <= to && file < end; ++file) (void)::close(static_cast<int>(file));
}

void close_all_but(std::array<int, 3> files) noexcept {
  std::sort(files.begin(), files.end());
  unsigned from = 0;
  for (const int file : files) {
    if (file < 0) continue;
    if (static_cast<unsigned>(file) > from) close_from_to(from, static_cast<unsigned>(file) - 1);
    from = static_cast<unsigned>(file) + 1;
  }
  close_from_to(from, UINT_MAX);
}

// Its command line too is its own name, so that `pkill -f client` ends the nodes alone. (Through the file of
// the memory, which refuses an address that is none.)
void take_name() noexcept {
  constexpr char kName[] = "gasnet-trace";
  (void)::prctl(PR_SET_NAME, kName);
  char text[1024] = "";
  const int stat = ::open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  (void)!::read(stat, text, sizeof text - 1);
  (void)::close(stat);
  const char* field = std::strrchr(text, ')');  // of the second field
  for (unsigned n = 2; field != nullptr && n < 48; ++n) field = std::strchr(field + 1, ' ');
  if (field == nullptr) return;
  char* after = nullptr;
  const off_t start = std::strtoll(field, &after, 10), end = std::strtoll(after, nullptr, 10);
  static char words[64 << 10] = "";
  std::memcpy(words, kName, sizeof kName);
  const int memory = ::open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
  if (end > start)
    (void)!::pwrite(memory, words, std::min(sizeof words, static_cast<std::size_t>(end - start)), start);
  (void)::close(memory);
}

// Where the kernel has no pidfd, the parent is looked at now and then.
void wait_for_end_of(pid_t node) noexcept {
  pollfd end{-1, POLLIN, 0};
#ifdef SYS_pidfd_open
  end.fd = static_cast<int>(::syscall(SYS_pidfd_open, node, 0));
#endif
  while (::getppid() == node) {
    if (end.fd >= 0) {
      (void)::poll(&end, 1, -1);
      if (end.revents != 0) return;
    } else {
      const timespec pause{0, 20'000'000};
      (void)::nanosleep(&pause, nullptr);
    }
  }
}

}  // namespace

void start_keeper(const std::array<int, 2>& files, void (*finish)() noexcept) noexcept {
  const pid_t node = ::getpid();
  sigset_t all, before;
  (void)sigfillset(&all);
  (void)::pthread_sigmask(SIG_SETMASK, &all, &before);
  // As fork(), but without the functions of pthread_atfork(), and without a signal at its end, which hides it
  // from wait().
  if (::syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr) == 0) {
    (void)::setsid();
    take_name();
    close_all_but({files[0], files[1], STDERR_FILENO});
    wait_for_end_of(node);
    finish();
    ::_exit(0);
  }
  (void)::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace upcr::gasnet
