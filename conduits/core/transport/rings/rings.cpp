// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/transport/rings/rings.hpp"

#include <mutex>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// Two rings for each ordered pair of processes: [from][to][request, reply].
void Rings::attach(Ring* memory, const Topology& t, Doorbell* bells, bool multithreaded,
                   const char* conduit) {
  const Rank me = t.rank, n = t.size;
  multithreaded_ = multithreaded;
  conduit_ = conduit;
  out_ = std::vector<Outgoing>(n);
  in_ = std::vector<Incoming>(n - 1);
  for (Rank r = 0, other = 0; r < n; ++r) {
    if (r == me) continue;
    Ring* const to = memory + 2 * (std::size_t{me} * n + r);
    Ring* const from = memory + 2 * (std::size_t{r} * n + me);
    Outgoing& out = out_[r];
    out.requests.attach(to);
    out.replies.attach(to + 1);
    out.bells = bells + t.first_slot[r];
    out.bells_end = bells + t.first_slot[r + 1];
    Incoming& in = in_[other++];
    in.requests.attach(from);
    in.replies.attach(from + 1);
    in.source = r;
    in.reply_writer = &out.replies;
  }
}

bool Rings::request_slot_locked(Outgoing& out, AmHeader head, const std::uint32_t* args) noexcept {
  {
    const std::lock_guard guard(out.lock);
    if (!out.requests.push_slot(head, args)) return false;
  }
  return out.ring();
}

Status Rings::send(Rank to, const AmPacket& packet) noexcept {
  Outgoing& out = out_[to];
  Status status;
  if ((packet.head.flags & kAmReply) != 0) {
    status = out.replies.push(packet);
  } else {
    const auto guard = lock_if(out.lock, multithreaded_);
    status = out.requests.push(packet);
  }
  if (status == Status::kOk) (void)out.ring();
  return status;
}

}  // namespace upcr
