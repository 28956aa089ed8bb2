// SPDX-License-Identifier: BSD-3-Clause
// Active messages of gasnet_perf, as any client of gasnet.h sends them. Two threads of different nodes that
// exchange messages are a pair; several pairs may do so at once, one thread of a node belongs to one pair.
#pragma once
#include <gasnet.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf {

inline constexpr std::size_t kLargestMessage = 64u << 10;             // of Medium and Long messages
inline constexpr unsigned kArgumentCounts[] = {0, 1, 8, 14, 15, 16};  // of Short messages

// A request and its reply, which has as many arguments and as many bytes.
struct Message {
  unsigned arguments = 0;  // one of kArgumentCounts; Short messages of a pair other than 0 have none
  const void* data = nullptr;
  std::size_t bytes = 0;  // 0: Short
  char* there = nullptr;  // not null: Long, to this address over there,
  char* here = nullptr;   // answered to this one
};

// For gasnet_attach().
std::vector<gasnet_handlerentry_t> message_handlers();

// One side: `times` requests to the node, each answered before the next.
void send_requests(gasnet_node_t node, const Message& message, std::uint64_t times, unsigned pair = 0);
// The other side: until so many requests have arrived since the last serve_requests(). The receiver of a
// Medium message copies it into private memory, that of a Long message reads it where it is; the data of a
// reply comes from other private memory.
void serve_requests(std::uint64_t times, unsigned pair = 0);

// One side sends Short requests of pair 0 without replies, and waits for a message that all of them were
// handled;
void send_flood(gasnet_node_t node, unsigned arguments, std::uint64_t times);
// the other side, to which `node` sends them, handles them and sends that message.
void receive_flood(gasnet_node_t node, std::uint64_t times);

}  // namespace perf
