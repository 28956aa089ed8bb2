// SPDX-License-Identifier: BSD-3-Clause
// The end of the job's messages: each process tells each peer when it has sent its last one, in two rounds,
// since replies and acknowledgements follow the requests. Main thread; all processes poll until the end.
#include <sched.h>

#include <algorithm>

#include "conduits/core/am/engine.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"

namespace upcr::ibv {
namespace {

void poll_or_yield(AmEngine& engine) {
  if (engine.poll() == 0) ::sched_yield();
}

template <typename Done>
void poll_until(AmEngine& engine, Done&& done) {
  while (!done()) poll_or_yield(engine);
}

}  // namespace

void IbvConduit::send_close_packets() {
  for (Link* link : links_.all()) {
    if (link == nullptr) continue;
    poll_until(*engine_, [&] {
      const auto guard = lock_if(link->path->lock(), multithreaded_);
      if (!packets_.has_room_for_header(*link)) return false;
      link->queue.request_signal();  // its completion is that of everything before it
      packets_.send_header(*link, PacketKind::kClose);
      return true;
    });
  }
}

bool IbvConduit::has_close_packets(unsigned of_each) const noexcept {
  return std::all_of(links_.all().begin(), links_.all().end(),
                     [of_each](const Link* l) { return l == nullptr || l->close_packets >= of_each; });
}

// When a close packet arrives, everything that the peer has sent before it has arrived, too.
void IbvConduit::drain(Bootstrap& bootstrap) {
  {
    ConduitGuard guard(lock_, paths_, multithreaded_);
    guard.enter_all();
    packets_.stop_share_changes();
    eviction_.stop();
  }
  // A connection may still be proposed for closing: the peer answers when it has stopped its own eviction.
  poll_until(*engine_, [this] { return nothing_in_progress(); });
  // Afterwards both ends of each connection know of it. A peer whose message waits for a receive buffer here
  // does not arrive before it has one.
  bootstrap.polling_barrier([this] { poll_or_yield(*engine_); });
  poll_until(*engine_, [this] { return !links_.has_candidates() && idle(); });
  send_close_packets();  // behind the requests, their replies and acknowledgements
  poll_until(*engine_, [this] { return has_close_packets(1) && idle(); });
  packets_.stop_acks();
  send_close_packets();  // behind the replies, which nothing acknowledges
  poll_until(*engine_, [this] { return has_close_packets(2) && idle(); });
  links_.begin_close();
}

}  // namespace upcr::ibv
