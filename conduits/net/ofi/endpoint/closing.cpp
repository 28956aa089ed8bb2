// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/endpoint/closing.hpp"

#include <sched.h>

namespace upcr::ofi {
namespace {

template <typename Done>
void poll_until(AmEngine& engine, SpinLock& lock, Done&& done) {
  for (;;) {
    {
      const std::lock_guard guard(lock);
      if (done()) return;
    }
    if (engine.poll() == 0) ::sched_yield();
  }
}

}  // namespace

void Closing::wait_until_idle() {
  poll_until(engine_, lock_, [this] { return packets_.idle(); });
}

void Closing::send(Rank to, PacketKind kind) {
  poll_until(engine_, lock_, [&] {
    if (!packets_.has_room_for_header()) return false;
    packets_.send_header(*packets_.find(to), kind);
    return true;
  });
}

void Closing::flush() {
  for (Rank r = 0; r < topology_.size; ++r) {
    if (!packets_.find(r)->contacted) continue;
    send(r, PacketKind::kFlush);
    packets_.find(r)->awaited = true;
    ++asked_;
  }
  poll_until(engine_, lock_, [this] { return packets_.flushed() >= asked_; });
}

void Closing::barrier() {
  ++barriers_;
  const Rank n = topology_.size, me = topology_.rank;
  for (Rank distance = 1; distance < n; distance *= 2) {
    send((me + distance) % n, PacketKind::kBarrier);
    const Rank from = (me + n - distance) % n;  // another process in each round
    Peer& peer = *packets_.find(from);
    poll_until(engine_, lock_, [&] {
      peer.awaited = peer.barriers < barriers_;
      return !peer.awaited;
    });
  }
}

void Closing::run() {
  wait_until_idle();
  flush();  // requests, their replies and acknowledgements
  barrier();
  wait_until_idle();
  packets_.channel().stop_acks();
  packets_.sends().stop_injecting();
  flush();  // the replies, which nothing acknowledges
  barrier();
  wait_until_idle();  // the barrier's own packets have left
}

}  // namespace upcr::ofi
