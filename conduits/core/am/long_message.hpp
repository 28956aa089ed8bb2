// SPDX-License-Identifier: BSD-3-Clause
// The two queues behind Long messages; owned by the engine, used under its poll lock.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "conduits/core/model/am_packet.hpp"
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

// Counts the fragments of arriving messages. Order does not matter: every fragment carries the arguments,
// and the handler runs when the last missing byte has arrived.
class LongAssembly {
 public:
  // A fragment has been stored. True when its message is complete now.
  bool add(Rank source, const LongPrefix& prefix, std::size_t bytes);
  std::size_t incomplete() const noexcept { return missing_.size(); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> missing_;  // (source, id) -> bytes to come
};

// Long replies that need more than the one packet that a reply may have. Their data is copied (the handler
// may reuse its source at once) and sent from poll() as replies. Peers accept replies at any time, so this
// queue drains even while two processes leave each other's requests on the wire.
class LongReplyQueue {
 public:
  // `limit`: bytes that may wait before requests are left on the wire.
  explicit LongReplyQueue(std::size_t limit) noexcept : limit_(limit) {}
  void add(Rank to, const AmPacket& first, const LongPrefix& prefix, const void* data, std::size_t bytes);
  // Sends what the conduit accepts, in fragments of at most max_medium bytes. A peer without room delays only
  // its own replies.
  void send(Conduit& conduit, std::size_t max_medium);
  bool empty() const noexcept { return waiting_.load(std::memory_order_relaxed) == 0; }  // any thread
  // Too many bytes are waiting: requests should stay on the wire until some have been sent.
  bool full() const noexcept { return bytes_ > limit_; }

 private:
  struct QueuedReply {
    Rank to;
    AmHeader head;
    std::uint32_t args[kMaxAmArgs];
    LongPrefix prefix;
    std::unique_ptr<char[]> data;
    std::size_t bytes, sent;
  };
  static bool send_rest(QueuedReply& reply, Conduit& conduit, std::size_t room);
  std::deque<QueuedReply> queue_;
  std::atomic<std::size_t> waiting_{0};  // queue_.size()
  std::size_t bytes_ = 0;
  const std::size_t limit_;
};

}  // namespace upcr
