// SPDX-License-Identifier: BSD-3-Clause
// Work requests for one queue pair that are kept, to be posted together by one ibv_post_send: each call is a
// doorbell, which takes the processor longer than the request itself. Copies of the requests, with the data
// of those that are sent inline.
//
// Threads: under the lock of the send path, but for empty().
#pragma once
#include <infiniband/verbs.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace upcr::ibv {

class RequestBatch {
 public:
  static constexpr unsigned kMost = 16;
  static constexpr std::size_t kMostInline = 256;

  bool empty() const noexcept { return count() == 0; }
  // A request of one piece.
  bool has_room_for(const ibv_send_wr& request) const noexcept {
    return count() != kMost &&
           ((request.send_flags & IBV_SEND_INLINE) == 0 || request.sg_list->length <= kMostInline);
  }
  ibv_send_wr& add(const ibv_send_wr& request) noexcept {
    const unsigned nth = count();
    Entry& entry = entries_[nth];
    count_.store(nth + 1, std::memory_order_relaxed);
    entry.request = request;
    entry.piece = *request.sg_list;
    entry.request.sg_list = &entry.piece;
    if ((request.send_flags & IBV_SEND_INLINE) == 0) return entry.request;
    std::memcpy(entry.data, reinterpret_cast<const void*>(entry.piece.addr), entry.piece.length);
    entry.piece.addr = reinterpret_cast<std::uintptr_t>(entry.data);
    return entry.request;
  }
  ibv_send_wr& last() noexcept { return entries_[count() - 1].request; }

  // The first of the requests, each of which leads to the next, and the last one to `behind`; then it is
  // empty. They are to be posted before add() is called again.
  ibv_send_wr& take(ibv_send_wr* behind) noexcept {
    for (unsigned i = 1; i < count(); ++i) entries_[i - 1].request.next = &entries_[i].request;
    last().next = behind;
    count_.store(0, std::memory_order_relaxed);
    return entries_[0].request;
  }

 private:
  struct Entry {
    ibv_send_wr request;
    ibv_sge piece;
    alignas(8) char data[kMostInline];
  };

  unsigned count() const noexcept { return count_.load(std::memory_order_relaxed); }

  std::atomic<unsigned> count_{0};
  Entry entries_[kMost];
};

}  // namespace upcr::ibv
