// SPDX-License-Identifier: BSD-3-Clause
// Queue pairs of XRC, by verbs: initiators belong to the process, targets to the XRC domain of its host.
// Service thread.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "conduits/net/ibv/connector/directory.hpp"
#include "conduits/net/ibv/datagrams/path.hpp"
#include "conduits/net/ibv/device/ports.hpp"
#include "conduits/net/ibv/xrc/host_connections.hpp"

namespace upcr::ibv {

class XrcQueuePairs final : public HostQueuePairs {
 public:
  // `partitions`: the index of each port.
  XrcQueuePairs(std::span<Port> ports, std::span<const std::uint16_t> partitions,
                const PathSettings& settings)
      : ports_(ports), partitions_(partitions), settings_(settings) {}
  // Before the first queue pair.
  void open(const Directory& directory) noexcept { directory_ = &directory; }

  ibv_qp* create_initiator(const Connection& connection, ibv_qp_init_attr* attributes) override;
  std::string connect_initiator(const Connection& connection, unsigned remote_port, const QueuePairEnd& own,
                                const QueuePairEnd& target) override;
  ibv_qp* create_target(const Connection& connection, unsigned remote_port, const QueuePairEnd& own,
                        const QueuePairEnd& remote, std::string* error) override;
  void destroy(ibv_qp* queue_pair) override;

 private:
  int connect_one(ibv_qp* qp, const Connection& connection, unsigned remote_port, const QueuePairEnd& own,
                  const QueuePairEnd& remote, QueuePairRole role) const;

  std::span<Port> ports_;
  std::span<const std::uint16_t> partitions_;
  PathSettings settings_;
  const Directory* directory_ = nullptr;
};

}  // namespace upcr::ibv
