// SPDX-License-Identifier: BSD-3-Clause
// The receiving half of the ibv conduit: poll() and what it does with packets. On the polling thread, under
// the lock except while a handler runs.
//
// A request is served when its answer is sure of room; else it is held, and so are the requests behind it,
// while answers go on being taken. That cannot use up the receives (packet_copies.hpp).
#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {

unsigned IbvConduit::poll(unsigned budget, AmSink& sink) {
  sink_ = &sink;
  requests_too_ = sink.accepts_requests();
  OptionalGuard guard(lock_, multithreaded_);
  // Connections that came are worth telling other threads of, too: somebody may want to send by them.
  unsigned taken = connection_events_.any() ? take_connection_events() : 0;
  if (!held_.empty()) taken += serve_held(budget, guard);
  for (DeviceQueues& queues : queues_)
    if (taken < budget) taken += take_completions(queues, budget - taken, guard);
  if (!pending_acks_.empty()) tell();
  if (taken == 0) memory_.reclaim_stale();
  return taken;
}

// One look at the queue: what comes meanwhile is for the next poll().
unsigned IbvConduit::take_completions(DeviceQueues& queues, unsigned budget, OptionalGuard& guard) {
  if (!queues.has_fetched() && !queues.fetch()) return 0;
  unsigned taken = 0;
  for (; taken < budget && queues.has_fetched(); ++taken) {
    const ibv_wc wc = queues.take();  // a copy: pending() may fetch while a handler runs
    take(wc, queues, guard);
  }
  return taken;
}

// The packet's bytes without its checksum, which is right. Its sender is who the queue pair says; what the
// packet says counts only where the queue pair is not known here any more, or not yet.
std::uint32_t IbvConduit::verified(const ReceiveBuffer& buffer, const ibv_wc& wc, DeviceQueues& queues) {
  const Link* link = buffer.link != nullptr ? buffer.link : link_of(queues, wc.qp_num);
  if (link == nullptr && connection_events_.any()) {
    (void)take_connection_events();
    link = link_of(queues, wc.qp_num);
  }
  const Rank from = link != nullptr               ? link->connection.peer
                    : wc.byte_len >= sizeof(Head) ? read_as<Head>(buffer.packet).source
                                                  : kNobody;
  return static_cast<std::uint32_t>(sums_->open(from, buffer.packet, wc.byte_len, "ibv", claim_of));
}

void IbvConduit::take_packet(ReceiveBuffer* buffer, const ibv_wc& wc, DeviceQueues& queues,
                             OptionalGuard& guard) {
  const char* packet = buffer->packet;
  std::uint32_t bytes = wc.byte_len;
  if (__builtin_expect(sums_ != nullptr, 0)) bytes = verified(*buffer, wc, queues);
  const bool is_one = well_formed(packet, bytes);
  const auto head = read_as<Head>(packet);
  Link* link = buffer->link;
  if (is_one && link == nullptr) {
    link = link_of(head.source, queues, wc.qp_num);
    if (link == nullptr && connection_events_.any()) {
      (void)take_connection_events();
      link = link_of(head.source, queues, wc.qp_num);
    }
  }
  // Of a queue pair that has lost a race, or was given up, meanwhile.
  if (is_one && link == nullptr) return (void)queues.receives().post(buffer);
  if (is_one && link->gone) return give_back(buffer);
  if (!is_one || link->connection.peer != head.source)
    fatal(
        "a malformed packet of %u bytes arrived, said to be from rank %u of %u; are all processes the same "
        "upcr?",
        bytes, head.source, topology_->size);
  if (!link->ready) make_ready(*link);
  if (!link->credits.on_ack(head.served) || !link->credits.on_unsolicited_ack(head.extras))
    fatal("rank %u says that it has served more than it was sent; are all processes the same upcr?",
          head.source);
  buffer->from = link;
  buffer->bytes = bytes;
  if (head.kind == PacketKind::kRequest && (!held_.empty() || !can_serve(*link))) return hold(buffer);
  serve(buffer, *link, guard);
  give_back(buffer);
}

bool IbvConduit::can_serve(const Link& link) const noexcept {
  return requests_too_ && link.queue.room() != 0 && link.queues->room() != 0 && sends_.available() != 0 &&
         !link.broken;
}

void IbvConduit::hold(ReceiveBuffer* buffer) {
  Link& link = *buffer->from;
  if (++link.held > link.credits.window())
    fatal("rank %u sends more requests than its credits allow; are all processes the same upcr?",
          link.connection.peer);
  if (link.queues->receives().covers_credits()) return held_.add(buffer);
  held_.add_copy(*buffer);
  give_back(buffer);
}

unsigned IbvConduit::serve_held(unsigned budget, OptionalGuard& guard) {
  unsigned taken = 0;
  for (; taken < budget && !held_.empty() && can_serve(*held_.first().from); ++taken) {
    ReceiveBuffer* buffer = held_.take();
    --buffer->from->held;
    serve(buffer, *buffer->from, guard);
    HeldRequests::is_copy(*buffer) ? held_.give_back_copy(buffer) : give_back(buffer);
  }
  return taken;
}

void IbvConduit::serve(ReceiveBuffer* buffer, Link& link, OptionalGuard& guard) {
  const PacketKind kind = read_as<Head>(buffer->packet).kind;
  switch (kind) {
    case PacketKind::kRequest:
    case PacketKind::kReply:
    case PacketKind::kUnsolicitedReply:
      deliver(buffer, link, kind, guard);
      break;
    case PacketKind::kClose:
      ++link.goodbyes;
      break;
    case PacketKind::kTell:
    case PacketKind::kHello:
      break;
  }
}

void IbvConduit::deliver(ReceiveBuffer* buffer, Link& link, PacketKind kind, OptionalGuard& guard) {
  const Rank source = link.connection.peer;
  const AmArrival arrival = unpack_message(source, buffer->packet + sizeof(Head));
  if (kind == PacketKind::kRequest) {
    link.credits.serve(false);  // now, so that the reply carries the credit
    serving_ = source;
  } else if (kind == PacketKind::kUnsolicitedReply) {
    link.credits.unsolicited_processed();
  }
  guard.give();
  sink_->deliver(arrival);
  guard.take();
  serving_ = kNobody;
  if (link.credits.ack_due()) pending_acks_.note(source);
}

void IbvConduit::give_back(ReceiveBuffer* buffer) {
  Link* own = buffer->link;
  if (own != nullptr && own->gone) {
    --own->receives_out;
    return note_return(*own);
  }
  const int error = buffer->from->queues->receives().post(buffer);
  if (error != 0) refused(*buffer->from, error);
}

// Sends the counts to those who have not had them with something else.
void IbvConduit::tell() {
  pending_acks_.flush([this](Rank rank) {
    Link* link = links_[rank];
    if (silent_ || link == nullptr || !link->credits.ack_due()) return true;
    if (!has_room_for_packet(*link, sizeof(Head) + extra_bytes_)) return false;
    send_head(*link, PacketKind::kTell);
    return true;
  });
}

}  // namespace upcr::ibv
