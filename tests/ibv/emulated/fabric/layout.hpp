// SPDX-License-Identifier: BSD-3-Clause
// The state of the fabric: what lies in the file that all processes map. All of it is zero at first, and is
// read and changed under its mutex, except where noted. No pointers: processes map it at different addresses.
#pragma once
#include <infiniband/verbs.h>
#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "tests/ibv/emulated/fabric/heap.hpp"
#include "tests/ibv/emulated/fabric/table.hpp"

namespace emulated {

inline constexpr unsigned kMaxProcesses = 512, kMaxDevices = 8, kMaxPortsOfDevice = 4, kMaxGids = 4;
inline constexpr std::uint16_t kPartition = 0x7fff, kFullMember = 0x8000;  // of a partition key

struct Process {
  std::int32_t pid = 0;
  bool used = false;
  std::uint64_t probe = 0;  // an address that can be read as long as the process lives
};

struct Port {
  bool used = false;
  bool down = false;
  std::uint8_t link_layer = 0;
  std::uint16_t lid = 0;
  std::uint8_t gids = 0;
  ibv_gid_entry gid[kMaxGids] = {};
  std::uint64_t datagrams = 0;  // that have been sent
};

// A pipe by which a process is told of events (channels.hpp).
struct Channel : Entry {};

struct Context : Entry {
  std::uint8_t device = 0;
  std::uint32_t channel = 0;  // of asynchronous events
};

struct ProtectionDomain : Entry {
  std::uint8_t device = 0;
  std::uint32_t uses = 0;
};

struct Region : Entry {
  std::uint32_t pd = 0;
  std::uint64_t start = 0;  // as requests name it
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;  // in the process
  unsigned access = 0;        // ibv_access_flags
};

struct Completion {
  ibv_wc wc = {};
  std::uint64_t sequence = 0;  // of a send: that of its work request, from 1 on
  std::uint32_t queue_pair = 0;
  std::uint32_t receive_queue = 0;  // of a receive: the shared receive queue that it came from, or 0
  bool receive = false;
};

enum class Armed : std::uint8_t { kNo, kSolicited, kAny };

struct CompletionQueue : Entry {
  std::uint8_t device = 0;
  std::uint32_t context = 0;
  std::uint32_t channel = 0;  // 0: none
  std::uint32_t uses = 0;     // by queue pairs and shared receive queues
  std::uint32_t capacity = 0;
  Armed armed = Armed::kNo;
  bool overflowed = false;
  Offset ring = 0;
  std::atomic<std::uint64_t> head{0}, tail{0};  // polled and added so far; read without the mutex, too

  CompletionQueue() = default;
  CompletionQueue& operator=(const CompletionQueue&) noexcept;  // of one that is made anew
};

// A ring of posted receives (receive_queues.hpp).
struct ReceiveRing {
  std::uint32_t capacity = 0, max_sge = 0;
  std::uint32_t held = 0;  // posted, and their completions are not polled
  Offset ring = 0;
  std::uint64_t head = 0, tail = 0;  // used and posted so far
};

struct SharedReceiveQueue : Entry {
  std::uint8_t device = 0;
  std::uint32_t context = 0, pd = 0;
  std::uint32_t xrcd = 0, cq = 0;  // of one for XRC
  std::uint32_t limit = 0;         // an event is due when fewer receives are left; 0: none
  std::uint32_t uses = 0;
  ReceiveRing receives;
};

struct QueuePair : Entry {
  std::uint8_t device = 0;
  std::uint32_t context = 0, pd = 0;
  std::uint32_t send_cq = 0, recv_cq = 0, srq = 0, xrcd = 0;
  ibv_qp_type type = IBV_QPT_RC;
  ibv_qp_state state = IBV_QPS_RESET;
  bool signal_all = false;
  ibv_qp_cap cap = {};
  ibv_qp_attr attr = {};
  std::uint16_t partition = 0;  // the key at attr.pkey_index
  ReceiveRing receives;
  std::uint64_t posted = 0, retired = 0;      // work requests of the send queue
  std::uint16_t holders[kMaxProcesses] = {};  // of an XRC target: how often each process has it open
};

// An XRC domain.
struct Domain : Entry {
  std::uint8_t device = 0;
  std::uint64_t file_device = 0, inode = 0;  // inode 0: of no file
  std::uint16_t holders[kMaxProcesses] = {};
};

struct Shared {
  std::atomic<std::uint32_t> ready{0};
  pthread_mutex_t mutex;
  Heap heap;
  Process processes[kMaxProcesses];
  Port ports[kMaxDevices][kMaxPortsOfDevice];
  Table<Channel, 13, 31> channels;
  Table<Context, 11, 31> contexts;
  Table<ProtectionDomain, 12, 31> pds;
  Table<Region, 17, 31> regions;  // the identifier is the local key; the remote key has another bit
  Table<CompletionQueue, 13, 31> cqs;
  Table<SharedReceiveQueue, 12, 24> srqs;
  Table<QueuePair, 13, 24> qps;  // the identifier is the number of the queue pair
  Table<Domain, 8, 31> xrcds;
};

inline constexpr std::uint32_t kRemoteKeyBit = 1U << 31;

}  // namespace emulated
