// SPDX-License-Identifier: BSD-3-Clause
// The smallest complete conduit: the required functions and nothing else, which
// docs/how-to/adding-a-conduit.md explains. mailbox.cpp makes a module of it. Each ordered pair of processes
// has two boxes of a few small packets in the host's memory, one for requests and one for replies, each under
// a lock. The tests run whole programs over it: what passes here needs nothing of a network but messages.
//
// Threads: as conduits/core/transport/conduit.hpp says. Packets of one box keep their order. Memory per
// ordered pair of processes: 2 * sizeof(Box), about 5 KiB.
#pragma once
#include <cstring>
#include <mutex>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/transport/registry.hpp"
#include "conduits/core/wait/doorbells.hpp"

namespace upcr::test {

constexpr std::size_t kMedium = 512;
constexpr unsigned kPackets = 4;

struct Packet {
  AmHeader head;
  std::uint32_t args[kMaxAmArgs];
  alignas(8) char payload[kMedium];
};

// In shared memory; zero-filled is empty.
struct alignas(64) Box {
  SpinLock lock;
  std::atomic<std::uint32_t> count;  // written under the lock
  std::uint32_t first;
  Packet packets[kPackets];

  bool full() const noexcept { return count.load(std::memory_order_acquire) == kPackets; }
  bool empty() const noexcept { return count.load(std::memory_order_acquire) == 0; }
};

class MailboxConduit : public Conduit {
 public:
  MailboxConduit() { caps_.max_medium = kMedium; }
  const char* name() const noexcept override { return "mailbox"; }

  void plan(MemoryFile& memory, const Topology& t) override {
    if (t.machine_size != t.size)
      fatal("conduit mailbox connects the processes of one host; this job spans several");
    area_ = memory.reserve(2 * std::size_t{t.size} * t.size * sizeof(Box));
  }

  Status attach(const AttachInfo& info) override {
    topology_ = &info.topology;
    doorbells_ = &info.doorbells;
    boxes_ = info.memory_file.at<Box>(area_);
    caps_.shares_memory_only = true;  // waiting threads may sleep: am_send rings
    return Status::kOk;
  }

  Status am_send(Rank to, const AmPacket& p) override {
    Box& box = this->box(topology_->rank, to, (p.head.flags & kAmReply) != 0);
    {
      const std::lock_guard<SpinLock> guard(box.lock);
      if (box.full()) return Status::kNoResource;
      const std::uint32_t count = box.count.load(std::memory_order_relaxed);
      Packet& place = box.packets[(box.first + count) % kPackets];
      place.head = p.head;
      if (p.head.nargs != 0) std::memcpy(place.args, p.args, p.head.nargs * sizeof *p.args);
      if (p.prefix_bytes != 0) std::memcpy(place.payload, p.prefix, p.prefix_bytes);
      if (p.body_bytes != 0) std::memcpy(place.payload + p.prefix_bytes, p.body, p.body_bytes);
      box.count.store(count + 1, std::memory_order_release);
    }
    ring(to);
    return Status::kOk;
  }

  unsigned poll(unsigned budget, AmSink& sink) override {
    const bool requests_too = sink.accepts_requests();
    const Rank me = topology_->rank;
    unsigned taken = 0;
    for (Rank from = 0; from < topology_->size && taken < budget; ++from) {
      for (Packet p; take(box(from, me, true), &p); ++taken) sink.deliver({from, p.head, p.args, p.payload});
      // A request only if there is room for its reply. Only the polling thread fills that box.
      const Box& replies = box(me, from, true);
      for (Packet p; requests_too && taken < budget && !replies.full() && take(box(from, me, false), &p);
           ++taken)
        sink.deliver({from, p.head, p.args, p.payload});
    }
    return taken;
  }

  Status detach() override { return Status::kOk; }

  bool pending() const noexcept override {
    for (Rank from = 0; from < topology_->size; ++from)
      if (!box(from, topology_->rank, true).empty() || !box(from, topology_->rank, false).empty())
        return true;
    return false;
  }

 protected:
  virtual void ring(Rank to) const { doorbells_->ring_process(*topology_, to); }

  const Topology* topology_ = nullptr;
  const Doorbells* doorbells_ = nullptr;

 private:
  Box& box(Rank from, Rank to, bool replies) const noexcept {
    return boxes_[2 * (std::size_t{from} * topology_->size + to) + (replies ? 1 : 0)];
  }
  static bool take(Box& box, Packet* packet) {
    if (box.empty()) return false;
    const std::lock_guard<SpinLock> guard(box.lock);
    *packet = box.packets[box.first];
    box.first = (box.first + 1) % kPackets;
    box.count.store(box.count.load(std::memory_order_relaxed) - 1, std::memory_order_release);
    return true;
  }

  MemoryFile::Area area_{};
  Box* boxes_ = nullptr;
};

}  // namespace upcr::test
