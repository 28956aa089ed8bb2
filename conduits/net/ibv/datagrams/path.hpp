// SPDX-License-Identifier: BSD-3-Clause
// Paths between two ports, from what the ports publish, without a question to the subnet manager: on
// InfiniBand the LIDs are enough within a subnet (the first one of each port), on RoCE the GIDs. Service
// thread.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <string>

#include "conduits/net/ibv/connector/published.hpp"
#include "conduits/net/ibv/connector/queue_pair_end.hpp"
#include "conduits/net/ibv/connector/transport_timeout.hpp"
#include "conduits/net/ibv/device/ports.hpp"

namespace upcr::ibv {

// Of all connections of a process.
struct PathSettings {
  std::uint8_t service_level = 0;
  std::uint8_t traffic_class = 0;  // RoCE
  TransportTimeout timeout;
};

// Fills in LID, MTU, GID and features. Ends the job if the port cannot be asked.
void describe_port(const Port& port, PublishedPort* published);

// The index of the partition in the port's table: that of UPCR_IBV_PKEY (`setting`; null: the first one), as
// a full member if the port is one. Ends the job if it is not a member.
std::uint16_t partition_index(const Port& port, const char* setting);

// `own_published`: how `own` is published.
ibv_ah_attr path_to(const PublishedPort& remote, const Port& own, const PublishedPort& own_published,
                    const PathSettings& settings);

// What a queue pair does: one of XRC either sends or receives.
enum class QueuePairRole : std::uint8_t { kBoth, kInitiator, kTarget };

// Of a reliable queue pair; each returns 0 or errno. initialise(): receives may be posted.
int initialise(ibv_qp* qp, const Port& own, std::uint16_t partition);
int connect(ibv_qp* qp, const Port& own, const PublishedPort& own_published, const PublishedPort& remote,
            const QueuePairEnd& own_end, const QueuePairEnd& remote_end, const PathSettings& settings,
            QueuePairRole role = QueuePairRole::kBoth);

}  // namespace upcr::ibv
