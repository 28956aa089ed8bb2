// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/eviction.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "conduits/net/ibv/endpoint/packet_wire.hpp"

namespace upcr::ibv {
namespace {

constexpr std::uint32_t kLookInterval = 5;  // milliseconds

std::uint32_t milliseconds() {
  using std::chrono::duration_cast, std::chrono::milliseconds, std::chrono::steady_clock;
  return static_cast<std::uint32_t>(
      duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

// Nothing of this side is on the way, and nothing of the peer waits here.
bool is_clear(const Link& link) {
  return link.queue.empty() && link.held == 0 && link.flow.is_settled() && !link.flow.confirm_due();
}

}  // namespace

void Eviction::poll_now(ConduitGuard& guard) {
  if (links_.count() > limit_ + links_.leaving().size() && !stopped_) propose_some(guard);
  for (std::size_t i = 0; i < links_.leaving().size();) {
    Link& link = *links_.leaving()[i];
    guard.enter(*link.path);
    if (link.leaving == Leaving::kAnswerDue && packets_.has_room_to_leave(link)) answer(link);
    if ((link.leaving == Leaving::kAgreed || link.leaving == Leaving::kClosing) && link.queue.empty()) {
      link.leaving = Leaving::kClosed;
      closed_[next_closed_++ % std::size(closed_)] = {link.rank, milliseconds()};
      links_.connections().evict(link.rank, link.connection.qp);
    }
    if (i < links_.leaving().size() && links_.leaving()[i] == &link) ++i;
  }
}

// The links that have been quiet for longest: one in each look, so that a burst of connections does not close
// many that will be needed again. Looks at all of them, and at the rails.
void Eviction::propose_some(ConduitGuard& guard) {
  const std::uint32_t now = milliseconds();
  if (now - looked_at_ < kLookInterval) return;
  looked_at_ = now;
  guard.enter_all();
  adapt(now);
  if (links_.rails().close_quiet(now, quiet_)) return;
  Link* oldest = nullptr;
  for (Link* link : links_.all()) {
    if (link == nullptr || link->leaving != Leaving::kNo) continue;
    if (const std::uint64_t activity = link->activity(); activity != link->seen || link->used_at == 0) {
      link->seen = activity;
      link->used_at = now;
      link->flushing = false;
    } else if (now - link->used_at >= quiet_ &&
               (oldest == nullptr || link->used_at - oldest->used_at > UINT32_MAX / 2)) {
      oldest = link;
    }
  }
  if (oldest != nullptr) propose(*oldest);
}

void Eviction::adapt(std::uint32_t now) {
  constexpr std::uint32_t kSoon = 16;  // in units of the time itself
  for (Closed& closed : closed_) {
    if (closed.at == 0) continue;
    const Link* link = links_.find(closed.rank);
    const bool back = link != nullptr && link->leaving == Leaving::kNo;
    if (!back && now - closed.at < kSoon * quiet_) continue;
    quiet_ = back ? std::min(2 * quiet_, kMaxQuiet) : std::max(quiet_ / 2, kMinQuiet);
    closed.at = 0;
  }
}

void Eviction::propose(Link& link) {
  if (!packets_.has_room_to_leave(link)) return;
  if (is_clear(link)) {
    if (!links_.rails().close_beside(link)) return;
    links_.connections().expect_eviction(link.rank, true);
    return send(link, PacketKind::kEvict, Leaving::kAsked);
  }
  if (link.flushing) return;
  link.flushing = true;
  link.queue.request_signal();
  packets_.send_header(link, PacketKind::kCreditUpdate);
  link.seen = link.activity();
}

void Eviction::received(Link& link, PacketKind kind) {
  if (kind == PacketKind::kEvict) {
    if (link.leaving == Leaving::kAsked && links_.rank() < link.rank) return;  // this side's proposal counts
    if (link.leaving == Leaving::kNo) links_.leaving().push_back(&link);
    link.leaving = Leaving::kAnswerDue;
  } else if (link.leaving == Leaving::kAsked) {
    if (kind == PacketKind::kEvictAgreed)
      link.leaving = Leaving::kClosing;
    else
      resume(link);
  }
}

void Eviction::answer(Link& link) {
  const bool agree = !stopped_ && is_clear(link) && link.flow.all_acknowledged() &&
                     link.asked == link.activity() && links_.rails().close_beside(link);
  if (agree) {
    links_.connections().expect_eviction(link.rank, true);
    return send(link, PacketKind::kEvictAgreed, Leaving::kAgreed);
  }
  send(link, PacketKind::kEvictRefused, Leaving::kAnswerDue);  // its completion empties the send queue
  link.asked = link.activity();
  resume(link);
}

void Eviction::send(Link& link, PacketKind kind, Leaving next) {
  link.queue.request_signal();
  packets_.send_header(link, kind);
  if (link.leaving == Leaving::kNo) links_.leaving().push_back(&link);
  link.leaving = next;
}

void Eviction::resume(Link& link) {
  links_.connections().expect_eviction(link.rank, false);
  link.leaving = Leaving::kNo;
  link.seen = link.activity();
  link.used_at = milliseconds();
  link.flushing = false;
  std::erase(links_.leaving(), &link);
}

}  // namespace upcr::ibv
