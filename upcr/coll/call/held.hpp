// SPDX-License-Identifier: BSD-3-Clause
// The messages that a UPC thread has sent and that their receivers do not have yet: large ones (rendezvous
// protocol), small ones for which the receiver's inbox had no room, and small ones on their way over the
// network. Each thread has a list; handlers of its process search it under the lock when a receiver pulls a
// message, so a receiver does not depend on what the sender's thread does meanwhile.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "conduits/core/base/system/spinlock.hpp"
#include "upcr/coll/call/inbox.hpp"

namespace upcr::coll {

enum class HeldState : std::uint32_t {
  kSent,     // on its way over the network: the receiver's inbox may have room
  kWaiting,  // to be pulled
  kDone,     // the receiver has it
};

struct Held {
  Header header;
  Slot to = 0;
  const char* data = nullptr;
  std::size_t bytes = 0;
  std::size_t served = 0;  // bytes pulled so far; under the lock
  std::atomic<HeldState> state{HeldState::kWaiting};
  std::unique_ptr<char[]> copy;  // of a small message
  Held* next = nullptr;
};

class HeldList {
 public:
  ~HeldList();
  // By the owner. `own_copy`: the data is copied; else the caller keeps it unchanged until the state is
  // kDone.
  Held* add(const Header& header, Slot to, const void* data, std::size_t bytes, bool own_copy,
            HeldState state);
  // By the owner: frees messages that are done. Returns the number of the others.
  std::size_t sweep() noexcept;
  std::size_t count() const noexcept { return count_; }

  // A fragment, for a handler that replies to the receiver. kDone: there is no such message.
  struct Piece {
    HeldState state = HeldState::kDone;
    const char* data = nullptr;
    std::size_t bytes = 0, total = 0;
  };
  // Calls `send(piece)` under the lock with at most `most` bytes from `offset`. True: the message is
  // complete.
  template <typename Send>
  bool serve(const Header& header, Slot to, std::size_t offset, std::size_t most, Send&& send) {
    lock_.lock();
    Held* held = first_;
    while (held != nullptr && !(held->to == to && held->header == header && !done(*held))) held = held->next;
    Piece piece;
    bool last = false;
    if (held != nullptr) {
      piece.state = held->state.load(std::memory_order_relaxed);
      piece.total = held->bytes;
      if (piece.state == HeldState::kWaiting && offset <= held->bytes) {
        piece.data = held->data + offset;
        piece.bytes = held->bytes - offset < most ? held->bytes - offset : most;
      }
    }
    send(piece);
    if (piece.state == HeldState::kWaiting && held != nullptr) {
      held->served += piece.bytes;
      last = held->served >= held->bytes;
      if (last) held->state.store(HeldState::kDone, std::memory_order_release);
    }
    lock_.unlock();
    return last;
  }

 private:
  static bool done(const Held& h) noexcept {
    return h.state.load(std::memory_order_relaxed) == HeldState::kDone;
  }
  SpinLock lock_;
  Held* first_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace upcr::coll
