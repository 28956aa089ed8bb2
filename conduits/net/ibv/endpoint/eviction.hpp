// SPDX-License-Identifier: BSD-3-Clause
// Closes connections that have been quiet, where there are more than a limit (UPCR_IBV_CONNECTIONS). They are
// made again when they are needed.
//
// Which one: the one that has been quiet for longest, and for a time that adapts (least recently used).
// Whether a connection has been used shows in its counts, which are compared while there are too many
// connections; so sending has nothing to do for it. If a connection that was closed is soon made again, the
// time doubles; if it stays closed, the time is halved. So a program that needs more connections than the
// limit all the time does not spend its time with making them. The limit is a goal: a connection in use is
// not closed, and a new one is never refused, so nothing waits for an eviction.
//
// How, between A, who wants it, and B:
//   A sends kEvict when its send queue is empty, and then nothing but replies until it has an answer; what
//     the program wants to send waits. (A send queue with unsignalled requests is emptied by a credit
//     update.)
//   B agrees if its send queue is empty, too, it holds no request of A, none of its own is unacknowledged, no
//     change of a share is on the way, and it has not used the connection since A asked last. kEvictAgreed is
//     its last packet; when that has been acknowledged, B closes the queue pair. Else it sends kEvictRefused.
//   A closes the queue pair when the agreement has arrived, and its kEvict has been acknowledged.
//   If both have asked at once, the proposal of the lower rank counts, and the other one is void.
// So nothing is in flight when the queue pairs are closed, in either direction: what the program sends
// afterwards goes through the next connection, and no order is lost.
//
// Rails (connect/rail_connections.hpp) count as connections. Quiet ones are closed first, by their side
// alone, since the peer posts nothing on them; and no connection is closed before the rails beside it.
//
// So one-sided access to a peer waits, from kEvict until the peer polls: a program that waits in a loop of
// its own for a put, and does not call upcr in it, needs UPCR_PROGRESS_THREAD where connections are evicted.
//
// The service threads know of it before the packets can arrive (Connections::expect_eviction()): the end of
// the connection, or a request for a new one, may reach a process that computes and has not polled yet.
//
// Threads: under the conduit's lock, which `guard` holds; received() under that of the link's send path as
// well; open() on the main thread.
#pragma once
#include <cstdint>

#include "conduits/net/ibv/endpoint/link_table.hpp"
#include "conduits/net/ibv/queues/wire.hpp"

namespace upcr::ibv {

class PacketWire;

class Eviction {
 public:
  Eviction(LinkTable& links, PacketWire& packets) noexcept : links_(links), packets_(packets) {}
  // `limit`: connections that are kept.
  void open(unsigned limit) noexcept { limit_ = limit; }
  // No connection is proposed for closing from now on, and proposals of peers are refused. Those that have
  // been agreed on still are closed.
  void stop() noexcept { stopped_ = true; }

  // In poll(): proposes to close connections, where there are too many, and goes on with those that are being
  // closed.
  void poll(ConduitGuard& guard) {
    if ((links_.count() > limit_ && !stopped_) || !links_.leaving().empty()) poll_now(guard);
  }
  // No connection is being closed.
  bool idle() const noexcept { return links_.leaving().empty(); }
  // One of the three packets has arrived.
  void received(Link& link, PacketKind kind);

  // Bounds of the time for which a connection has to be quiet, in milliseconds.
  static constexpr std::uint32_t kMinQuiet = 20, kMaxQuiet = 2'000;

 private:
  // Of the connections that were closed last.
  struct Closed {
    Rank rank = 0;
    std::uint32_t at = 0;  // milliseconds; 0: none
  };

  [[gnu::noinline]] void poll_now(ConduitGuard& guard);
  void propose_some(ConduitGuard& guard);
  void adapt(std::uint32_t now);
  void propose(Link& link);
  void answer(Link& link);
  void send(Link& link, PacketKind kind, Leaving next);
  void resume(Link& link);

  LinkTable& links_;
  PacketWire& packets_;
  unsigned limit_ = ~0U;
  bool stopped_ = false;
  std::uint32_t looked_at_ = 0;  // milliseconds
  std::uint32_t quiet_ = kMinQuiet;
  Closed closed_[8];
  unsigned next_closed_ = 0;
};

}  // namespace upcr::ibv
