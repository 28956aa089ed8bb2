// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/am/long_message.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/error.hpp"

namespace upcr {

bool LongAssembly::add(Rank source, const LongPrefix& prefix, std::size_t bytes) {
  if (bytes == prefix.total) return true;  // the usual case: one fragment
  const std::uint64_t key = (std::uint64_t{source} << 32) | prefix.id;
  const auto [entry, fresh] = missing_.try_emplace(key, prefix.total);
  if (entry->second < bytes)
    fatal("the fragments of a Long message from rank %u have more than its %llu bytes", source,
          static_cast<unsigned long long>(prefix.total));
  entry->second -= bytes;
  if (entry->second != 0) return false;
  missing_.erase(entry);
  return true;
}

void LongReplyQueue::add(Rank to, const AmPacket& first, const LongPrefix& prefix, const void* data,
                         std::size_t bytes) {
  QueuedReply reply{to, first.head, {}, prefix, std::make_unique_for_overwrite<char[]>(bytes), bytes, 0};
  std::copy_n(first.args, first.head.nargs, reply.args);
  std::memcpy(reply.data.get(), data, bytes);
  queue_.push_back(std::move(reply));
  waiting_.store(queue_.size(), std::memory_order_relaxed);
  bytes_ += bytes;
}

// True when all of it has been sent.
bool LongReplyQueue::send_rest(QueuedReply& a, Conduit& conduit, std::size_t room) {
  while (a.sent < a.bytes) {
    const std::size_t n = std::min(room, a.bytes - a.sent);
    a.prefix.offset = a.sent;
    a.head.length = static_cast<std::uint32_t>(sizeof(LongPrefix) + n);
    const AmPacket packet{a.head, a.args, &a.prefix, sizeof a.prefix, a.data.get() + a.sent, n};
    if (conduit.am_send(a.to, packet) != Status::kOk) return false;
    a.sent += n;
  }
  return true;
}

void LongReplyQueue::send(Conduit& conduit, std::size_t max_medium) {
  for (auto a = queue_.begin(); a != queue_.end();) {
    if (send_rest(*a, conduit, max_medium - sizeof(LongPrefix))) {
      bytes_ -= a->bytes;
      a = queue_.erase(a);
    } else {
      ++a;
    }
  }
  waiting_.store(queue_.size(), std::memory_order_relaxed);
}

}  // namespace upcr
