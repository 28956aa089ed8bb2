// SPDX-License-Identifier: BSD-3-Clause
// Ends the job when a peer's host cannot be reached any more, which libfabric's provider for TCP does not
// report. Something is outstanding with a peer while it has not acknowledged a message, while a put or get is
// under way, or while this process waits for its part in the end of the job. A peer that has been silent for
// a quarter of UPCR_OFI_TIMEOUT meanwhile gets a kPing, and answers it when it polls; for half of it: its
// host is probed (liveness/host_probe.hpp), since the peer may be computing. Where the network does not
// have addresses of IP, its provider reports failures itself.
//
// Of two processes between which messages are lost, at least one has something outstanding: each request is
// acknowledged by its reply or behind it, and replies of more than one packet are acknowledged themselves.
//
// Time is counted in polls that are at least a tick apart, so the silence while this process has not polled
// does not count.
//
// Threads: under the conduit's lock; open() and close() on the main thread.
#pragma once
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/ticks.hpp"
#include "conduits/net/ofi/endpoint/packet_wire.hpp"
#include "conduits/net/ofi/liveness/host_probe.hpp"

namespace upcr::ofi {

class PeerWatch {
 public:
  // Before the processes learn each other's addresses. Returns the port at which this host can be probed.
  std::uint16_t listen(const Network& network, bool one_host, Rank processes);
  void open(const Network& network, PacketWire& packets) noexcept;
  void close();

  // To be asked in each poll.
  bool due() noexcept { return tick_ns_ != 0 && ticks_now() >= next_ns_; }
  void tick();

 private:
  // Of kTicks, after which a peer that cannot be reached ends the job.
  static constexpr unsigned kTicks = 8, kPingAfter = 2, kProbeAfter = 4;
  static constexpr std::size_t kMaxProbes = 64;  // at once

  struct Probed {
    Peer* peer;
    HostProbe probe;
  };
  void look_at(Peer& peer);
  void look_at(Probed& probed);
  void start_probe(Peer& peer);
  [[noreturn, gnu::cold]] void lost(const Peer& peer, bool process_alone);

  const Network* network_ = nullptr;
  PacketWire* packets_ = nullptr;
  unsigned seconds_ = 0;
  std::uint64_t tick_ns_ = 0, next_ns_ = 0;  // 0: nothing is watched
  ProbeListener listener_;
  std::vector<Probed> probes_;
};

}  // namespace upcr::ofi
