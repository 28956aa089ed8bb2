// SPDX-License-Identifier: BSD-3-Clause
// The end of the job's messages. An endpoint has no connections that could be closed one by one, so each
// process asks those to which it has sent anything, by a kFlush, whether all of it has arrived: packets
// between two processes keep their order. A barrier of messages between all processes follows
// (dissemination), during which every process still polls. Behind it, whatever any process has sent before
// has arrived everywhere.
//
// Threads: main thread; `engine` polls.
#pragma once
#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ofi/endpoint/packet_wire.hpp"

namespace upcr::ofi {

class Closing {
 public:
  Closing(AmEngine& engine, PacketWire& packets, const Topology& topology, SpinLock& lock) noexcept
      : engine_(engine), packets_(packets), topology_(topology), lock_(lock) {}

  // Collective: everything has arrived and nothing is under way.
  void run();

 private:
  void wait_until_idle();
  void flush();
  void barrier();
  void send(Rank to, PacketKind kind);

  AmEngine& engine_;
  PacketWire& packets_;
  const Topology& topology_;
  SpinLock& lock_;  // of the conduit; a progress thread may be polling
  unsigned asked_ = 0, barriers_ = 0;
};

}  // namespace upcr::ofi
