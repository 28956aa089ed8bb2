// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/endpoint/peer_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ofi/fabric/choice.hpp"

namespace upcr::ofi {
namespace {

LogComponent log_ofi("ofi");

// How many connections the kernel keeps for a socket until a process accepts them.
unsigned longest_queue() {
  unsigned value = 128;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/sys/net/core/somaxconn", "re"),
                                                             std::fclose);
  if (file == nullptr || std::fscanf(file.get(), "%u", &value) != 1) return 128;
  return value;
}

}  // namespace

std::uint16_t PeerWatch::listen(const Network& network, bool one_host, Rank processes) {
  seconds_ = static_cast<unsigned>(config_int("UPCR_OFI_TIMEOUT"));
  // On one host no wire can be cut. A network's own provider reports failures itself, and its data does not
  // use TCP, which a firewall may stop. Who sets the variable has it so.
  const bool reports = suitability(network.info().fabric_attr->prov_name) == Suitability::kNative;
  if (seconds_ == 0 || ((one_host || reports) && !config_is_set("UPCR_OFI_TIMEOUT"))) return 0;
  // All others may probe at once, and the kernel drops what does not fit.
  if (const unsigned queue = longest_queue(); processes > queue) {
    UPCR_LOG(log_ofi, kInfo, "a cut network will not be noticed: %u processes, and net.core.somaxconn is %u",
             processes, queue);
    return 0;
  }
  const std::uint16_t port = listener_.open(ip_address_of(network.info(), network.endpoint()), processes);
  UPCR_LOG(log_ofi, kInfo, "this host can be probed at port %u (0: not at all)", port);
  return port;
}

void PeerWatch::open(const Network& network, PacketWire& packets) noexcept {
  network_ = &network;
  packets_ = &packets;
  tick_ns_ = seconds_ * std::uint64_t{1'000'000'000} / kTicks;
  next_ns_ = ticks_now() + tick_ns_;
}

void PeerWatch::close() {
  tick_ns_ = 0;
  probes_.clear();
  listener_.close();
}

void PeerWatch::tick() {
  next_ns_ = ticks_now() + tick_ns_;
  listener_.answer();
  for (Probed& probed : probes_) look_at(probed);
  std::erase_if(probes_, [](const Probed& probed) { return probed.peer->silence < kProbeAfter; });
  for (Peer& peer : packets_->peers()) look_at(peer);
}

void PeerWatch::look_at(Peer& peer) {
  const bool heard = std::exchange(peer.heard, false);
  if (heard || !packets_->is_outstanding(peer)) {
    peer.silence = 0;
    return;
  }
  if (peer.silence < kTicks) ++peer.silence;
  if (peer.silence == kPingAfter && packets_->has_room_for_header() && peer.deferred == 0)
    packets_->send_header(peer, PacketKind::kPing);
  if (peer.silence >= kProbeAfter) start_probe(peer);
}

void PeerWatch::start_probe(Peer& peer) {
  const auto is_probed = [&](const Probed& probed) { return probed.peer == &peer; };
  if (probes_.size() == kMaxProbes || std::any_of(probes_.begin(), probes_.end(), is_probed)) return;
  sockaddr_storage address;
  if (!network_->addresses().probe_address(peer.rank, &address)) return;
  UPCR_LOG(log_ofi, kInfo, "rank %u is silent: its host is probed", peer.rank);
  peer.silence = kProbeAfter;  // it has the rest of the time to answer
  probes_.push_back({&peer, HostProbe(address, std::max(1u, seconds_ / 2))});
}

void PeerWatch::look_at(Probed& probed) {
  Peer& peer = *probed.peer;
  if (peer.silence < kProbeAfter) return;  // a packet has come
  switch (probed.probe.state()) {
    case HostProbe::State::kConnecting:
      if (peer.silence == kTicks) lost(peer, false);
      return;
    case HostProbe::State::kReached:
      return;
    case HostProbe::State::kAnswered:
    case HostProbe::State::kUnknown:
      peer.silence = 0;
      return;
    case HostProbe::State::kGone:
      lost(peer, true);
    case HostProbe::State::kCut:
      lost(peer, false);
  }
}

void PeerWatch::lost(const Peer& peer, bool process_alone) {
  const char* const host = network_->addresses().host_of(peer.rank);
  const std::string why =
      process_alone ? std::string("its host ") + host + " answers, but the process has gone"
                    : std::string("host ") + host + " has not answered for " + std::to_string(seconds_) +
                          " s: it has gone, or the network to it is cut (UPCR_OFI_TIMEOUT is the time)";
  packets_->sends().fail(peer.rank, why);
}

}  // namespace upcr::ofi
