// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/memory/unmap_watch.hpp"

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
#include <new>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/helper_thread.hpp"
#include "conduits/net/ibv/memory/mappings.hpp"
#include "conduits/net/ibv/memory/program_data.hpp"

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

UnmapWatch* UnmapWatch::get(const char** why) noexcept {
  static UnmapWatch* watch = nullptr;
  static int error = 0;
  if (watch == nullptr && error == 0) {
    const int fd = open_userfaultfd();
    UnmapWatch* made = fd < 0 ? nullptr : new (std::nothrow) UnmapWatch(fd);
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

bool UnmapWatch::start() noexcept {
  pthread_t thread;
  const auto body = [](void* watch) -> void* {
    static_cast<UnmapWatch*>(watch)->run();
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

void UnmapWatch::add(ChangeListener& listener) noexcept {
  for (std::atomic<ChangeListener*>& place : listeners_) {
    if (place.load(std::memory_order_relaxed) != nullptr) continue;
    place.store(&listener, std::memory_order_seq_cst);
    return;
  }
  fatal("internal error: more than %u listeners for unmapped memory", kMaxListeners);
}

void UnmapWatch::remove(ChangeListener& listener) noexcept {
  for (std::atomic<ChangeListener*>& place : listeners_)
    if (place.load(std::memory_order_relaxed) == &listener) place.store(nullptr, std::memory_order_seq_cst);
  // The watcher may be calling it just now.
  const std::uint32_t then = sequence_.load(std::memory_order_seq_cst);
  while (then % 2 != 0 && sequence_.load(std::memory_order_acquire) == then) sched_yield();
}

bool UnmapWatch::events_drained() noexcept {
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

bool UnmapWatch::watch(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::lock_guard guard(areas_lock_);
  if (is_watched(begin, end)) return true;
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

bool UnmapWatch::is_watched(std::uintptr_t begin, std::uintptr_t end) const noexcept {
  for (const Area& area : areas_)
    if (area.begin.load(std::memory_order_relaxed) <= begin &&
        end <= area.end.load(std::memory_order_relaxed) && !area.unmapped.load(std::memory_order_acquire))
      return true;
  return false;
}

// As with the cache's entries: published first, so that the watcher finds it when it is unmapped.
bool UnmapWatch::watch_mapping(std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (is_watched(begin, end)) return true;
  Area& area = areas_[next_area_];
  area.end.store(0, std::memory_order_relaxed);
  area.unmapped.store(false, std::memory_order_relaxed);
  area.begin.store(begin, std::memory_order_relaxed);
  area.end.store(end, std::memory_order_seq_cst);
  uffdio_register what{};
  what.range.start = begin;
  what.range.len = end - begin;
  what.mode = UFFDIO_REGISTER_MODE_WP;
  if (ioctl(fd_, UFFDIO_REGISTER, &what) != 0) {
    area.end.store(0, std::memory_order_relaxed);
    return false;
  }
  next_area_ = (next_area_ + 1) % kAreas;
  return true;
}

void UnmapWatch::run() noexcept {
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
          "cannot read from userfaultfd which memory the program unmaps; UPCR_IBV_PIN_MAX=0 does without it");
  }
}

void UnmapWatch::notify_listeners(std::uintptr_t begin, std::uintptr_t end, bool unmapped) noexcept {
  for (Area& area : areas_)
    if (unmapped && area.begin.load(std::memory_order_acquire) < end &&
        begin < area.end.load(std::memory_order_acquire))
      area.unmapped.store(true, std::memory_order_release);
  for (const std::atomic<ChangeListener*>& place : listeners_)
    if (ChangeListener* listener = place.load(std::memory_order_seq_cst)) listener->changed(begin, end);
}

}  // namespace upcr::ibv
