// SPDX-License-Identifier: BSD-3-Clause
// The conduit's lock, held by a thread that polls or changes what sends of all peers share; and under it that
// of one send path, or of all of them. Who holds a send path's lock alone never waits for these.
//
// For the credited channel (core/transport/credited/channel.hpp): unlock() gives all of that up while a
// handler runs, lock() takes it again.
#pragma once
#include <mutex>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/sending/send_paths.hpp"

namespace upcr::ibv {

class ConduitGuard {
 public:
  // `needed` false: the process has one thread, and no lock is taken.
  ConduitGuard(SpinLock& lock, const SendPaths& paths, bool needed) noexcept : lock_(lock), paths_(paths) {
    if (!needed) return;
    lock_.lock();
    owns_ = true;
  }
  // If no other thread has it. owns_lock() tells.
  ConduitGuard(std::try_to_lock_t, SpinLock& lock, const SendPaths& paths) noexcept
      : lock_(lock), paths_(paths), owns_(lock.try_lock()) {}
  ~ConduitGuard() {
    leave();
    if (owns_) lock_.unlock();
  }
  ConduitGuard(const ConduitGuard&) = delete;
  ConduitGuard& operator=(const ConduitGuard&) = delete;

  bool owns_lock() const noexcept { return owns_; }
  void unlock() noexcept {
    UPCR_ASSERT(owns_ && !has_all_);
    if (path_ != nullptr) path_->lock().unlock();
    lock_.unlock();
    owns_ = false;
  }
  void lock() noexcept {
    lock_.lock();
    owns_ = true;
    if (path_ != nullptr) path_->lock().lock();
  }

  // Takes the lock of this path, and no other one, until the next of these calls.
  void enter(SendPath& path) noexcept {
    if (!owns_ || path_ == &path) return;
    leave();
    path.lock().lock();
    path_ = &path;
  }
  // Those of all of them. For what is rare.
  void enter_all() noexcept {
    if (!owns_ || has_all_) return;
    leave();
    for (SendPath& path : paths_.all()) path.lock().lock();
    has_all_ = true;
  }
  void leave() noexcept {
    if (path_ != nullptr) path_->lock().unlock();
    if (has_all_)
      for (SendPath& path : paths_.all()) path.lock().unlock();
    path_ = nullptr;
    has_all_ = false;
  }

 private:
  SpinLock& lock_;
  const SendPaths& paths_;
  bool owns_ = false, has_all_ = false;
  SendPath* path_ = nullptr;
};

// For the channel: what concerns this peer follows.
inline void enter_peer(ConduitGuard& guard, const Link& link) noexcept { guard.enter(*link.path); }

}  // namespace upcr::ibv
