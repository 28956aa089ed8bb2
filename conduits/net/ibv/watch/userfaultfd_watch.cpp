// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/userfaultfd_watch.hpp"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/helper_thread.hpp"
#include "conduits/net/ibv/watch/mappings.hpp"
#include "conduits/net/ibv/watch/program_data.hpp"

#ifndef UFFD_USER_MODE_ONLY
#  define UFFD_USER_MODE_ONLY 1  // Linux 5.11: what a user without privileges may have
#endif

namespace upcr::ibv {
namespace {

constexpr std::uint64_t kFeatures = UFFD_FEATURE_EVENT_UNMAP | UFFD_FEATURE_EVENT_REMAP |
                                    UFFD_FEATURE_EVENT_REMOVE | UFFD_FEATURE_PAGEFAULT_FLAG_WP;

int open_userfaultfd() noexcept {
  const int flags = O_CLOEXEC | O_NONBLOCK;
  int fd = static_cast<int>(syscall(SYS_userfaultfd, flags | UFFD_USER_MODE_ONLY));
  if (fd < 0 && errno == EINVAL) fd = static_cast<int>(syscall(SYS_userfaultfd, flags));
  if (fd < 0) return -1;
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = kFeatures;
  if (ioctl(fd, UFFDIO_API, &api) == 0) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

}  // namespace

UserfaultfdWatch* UserfaultfdWatch::get(const char** why) noexcept {
  static UserfaultfdWatch* watch = nullptr;
  static int error = 0;
  if (watch == nullptr && error == 0) {
    const int fd = open_userfaultfd();
    UserfaultfdWatch* made = fd < 0 ? nullptr : new (std::nothrow) UserfaultfdWatch(fd);
    if (made != nullptr && made->start()) {
      watch = made;
    } else {
      error = errno != 0 ? errno : ENOMEM;
      delete made;
      if (fd >= 0) close(fd);
    }
  }
  if (watch == nullptr) *why = std::strerror(error);
  return watch;
}

bool UserfaultfdWatch::start() noexcept {
  pthread_t thread;
  const auto body = [](void* watch) -> void* {
    static_cast<UserfaultfdWatch*>(watch)->run();
    return nullptr;
  };
  const int error = start_helper_thread(&thread, HelperStack::kOwn, body, this);
  if (error == 0) {
    pthread_setname_np(thread, "upcr-unmap");
    pthread_detach(thread);
  }
  errno = error;
  return error == 0;
}

bool UserfaultfdWatch::events_drained() noexcept {
  constexpr unsigned kTries = 200;
  for (unsigned tries = 0; tries < kTries; ++tries) {
    // An empty range: EINVAL, unless a change is in progress, which is checked first.
    uffdio_writeprotect nothing{};
    const bool changing = ioctl(fd_, UFFDIO_WRITEPROTECT, &nothing) != 0 && errno == EAGAIN;
    if (!changing && sequence_.load(std::memory_order_seq_cst) % 2 == 0) return true;
    sched_yield();
  }
  return false;
}

bool UserfaultfdWatch::watch(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::lock_guard guard(areas_lock_);
  if (areas_.contain(begin, end)) return true;
  constexpr unsigned kMaxMappings = 16;
  Mapping mappings[kMaxMappings];
  const unsigned count = mappings_of(begin, end, mappings, kMaxMappings);
  for (unsigned i = 0; i < count; ++i) {
    const Mapping& m = mappings[i];
    const bool good =
        m.anonymous ? watch_mapping(m.begin, m.end) : m.writable && is_program_data(m.begin, m.end);
    if (!good) return false;
  }
  return count != 0;
}

bool UserfaultfdWatch::watch_mapping(std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (areas_.contain(begin, end)) return true;
  const unsigned place = areas_.insert(begin, end);
  uffdio_register what{};
  what.range.start = begin;
  what.range.len = end - begin;
  what.mode = UFFDIO_REGISTER_MODE_WP;
  if (ioctl(fd_, UFFDIO_REGISTER, &what) == 0) return true;
  areas_.erase(place);
  return false;
}

void UserfaultfdWatch::run() noexcept {
  constexpr unsigned kEvents = 16;
  uffd_msg events[kEvents];
  pollfd wait{fd_, POLLIN, 0};
  for (;;) {
    if (poll(&wait, 1, -1) < 0 && errno == EINTR) continue;
    // Odd before the read: from the read on a thread's munmap may return.
    sequence_.fetch_add(1, std::memory_order_seq_cst);
    const ssize_t n = read(fd_, events, sizeof events);
    for (unsigned i = 0; n > 0 && i < static_cast<std::size_t>(n) / sizeof events[0]; ++i) {
      const auto& arg = events[i].arg;
      switch (events[i].event) {
        case UFFD_EVENT_UNMAP:
          notify_listeners(arg.remove.start, arg.remove.end, true);
          break;
        case UFFD_EVENT_REMOVE:
          notify_listeners(arg.remove.start, arg.remove.end, false);
          break;
        case UFFD_EVENT_REMAP:
          notify_listeners(arg.remap.from, arg.remap.from + arg.remap.len, true);
          notify_listeners(arg.remap.to, arg.remap.to + arg.remap.len, true);
          break;
        default:
          break;
      }
    }
    sequence_.fetch_add(1, std::memory_order_seq_cst);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
      fatal_errno(
          "cannot read from userfaultfd which memory the program unmaps; UPCR_IBV_WATCH=hooks or no does without it");
  }
}

void UserfaultfdWatch::notify_listeners(std::uintptr_t begin, std::uintptr_t end, bool unmapped) noexcept {
  if (unmapped) areas_.unmapped(begin, end);
  listeners_.notify(begin, end);
}

}  // namespace upcr::ibv
