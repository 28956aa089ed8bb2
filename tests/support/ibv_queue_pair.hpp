// SPDX-License-Identifier: BSD-3-Clause
// A queue pair without a device, for tests of what the ibv conduit posts: notes each call of ibv_post_send
// and each work request, and completes them as InfiniBand does, in order.
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conduits/net/ibv/queues/completion_queue.hpp"
#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/sending/send_path.hpp"

namespace upcr::ibv {

class FakeQueuePair {
 public:
  struct Request {
    std::uint64_t id;
    ibv_wr_opcode opcode;
    bool signalled;
    std::string data;  // of one that is sent inline, as it was when it was posted
    int pieces;
  };

  FakeQueuePair(SendPath& path, CompletionRoom& room, unsigned depth) {
    context_.ops.post_send = post_send;
    context_.abi_compat = this;
    pair_.context = &context_;
    link.connection.qp = &pair_;
    link.connection.max_inline = 128;
    link.path = &path;
    link.room = &room;
    link.queue.open(depth);
  }
  FakeQueuePair(const FakeQueuePair&) = delete;
  FakeQueuePair& operator=(const FakeQueuePair&) = delete;

  // The device processes the oldest request. Its completion, if it was asked for.
  std::optional<std::uint64_t> process_one() {
    const Request request = posted.front();
    posted.pop_front();
    processed.push_back(request);
    return request.signalled ? std::optional(request.id) : std::nullopt;
  }
  // The requests that have been posted so far and were signalled.
  unsigned signalled() const {
    unsigned n = 0;
    for (const auto* requests : {&posted, &processed})
      for (const Request& r : *requests) n += r.signalled ? 1 : 0;
    return n;
  }

  Link link;
  std::deque<Request> posted, processed;
  std::function<void()> in_call;
  int error = 0;           // with which the device refuses all of the next call, once
  unsigned calls = 0;      // of ibv_post_send
  std::uint16_t next = 0;  // how many requests those calls have posted

 private:
  static int post_send(ibv_qp* pair, ibv_send_wr* request, ibv_send_wr**) {
    FakeQueuePair& self = *static_cast<FakeQueuePair*>(pair->context->abi_compat);
    ++self.calls;
    if (self.in_call) self.in_call();
    if (const int error = std::exchange(self.error, 0); error != 0) return error;
    for (; request != nullptr; request = request->next) {
      ++self.next;
      std::string data;
      if ((request->send_flags & IBV_SEND_INLINE) != 0)
        data.assign(reinterpret_cast<const char*>(request->sg_list->addr), request->sg_list->length);
      self.posted.push_back({request->wr_id, request->opcode, (request->send_flags & IBV_SEND_SIGNALED) != 0,
                             std::move(data), request->num_sge});
    }
    return 0;
  }

  ibv_context context_{};
  ibv_qp pair_{};
};

}  // namespace upcr::ibv
