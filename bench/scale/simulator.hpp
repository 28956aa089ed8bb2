// SPDX-License-Identifier: BSD-3-Clause
// Discrete-event simulation of a job of many ranks in one thread: each rank is a fiber with a clock of its
// own, and runs until it waits. Events (something arrives for a rank that sleeps) are handled in the order of
// their times, and of their creation where times are equal, so equal runs give equal results.
//
// A rank that finds nothing to receive first yields to the ranks whose clocks are behind its own, because
// their packets may have arrived by then. So no rank waits for a packet that has arrived already. A packet
// that a rank receives late because its clock was ahead counts from that clock.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/scale/connections.hpp"
#include "bench/scale/fiber.hpp"
#include "bench/scale/machine.hpp"
#include "bench/scale/model.hpp"
#include "bench/scale/ranks.hpp"

namespace upcr::scale {

// The result of one operation of all ranks.
struct Outcome {
  bool right = true;                // every rank has found the expected result
  std::uint64_t messages = 0;       // packets of the product, replies included
  std::uint64_t most_messages = 0;  // sent by one rank
  std::uint64_t bytes = 0;          // of these packets: headers, arguments and payload
  Nanos time = 0;                   // until the last rank had finished
  std::uint64_t connections = 0;    // of the rank with most; 0 where all existed from the start
};

class Simulator final : public Machine, public ConnectionNet {
 public:
  Simulator(const Model& model, Rank ranks, std::size_t broadcast_bytes);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  Outcome run(Op op);
  // Bytes that the product uses for a rank, by kind: the average, or (shared) the maximum of a sample.
  struct Footprint {
    std::uint64_t heap, tables, shared;
    std::uint64_t all() const noexcept { return heap + tables + shared; }
  };
  Footprint footprint() const;

  bool send(Rank from, Rank to, const AmPacket& packet) override;
  bool receive(Rank rank, void (*deliver)(void* context, const AmArrival& arrival), void* context) override;
  bool pending(Rank rank) const override;
  void finish(Rank rank) override;
  bool over() const override { return over_; }
  void sleep(Rank rank) override;

  // For libc.cpp: the system calls of the running rank.
  static Simulator* running() noexcept;
  void sleep_running() { sleep(running_rank_); }
  void yield_running();
  Nanos now() const noexcept { return hosts_[running_rank_].clock; }

 private:
  struct Packet;
  struct Due {  // in a heap, the earliest first
    Nanos time;
    std::uint64_t number;
    Packet* packet;
  };
  struct Event {
    Nanos time;
    std::uint64_t number;
    Rank rank;
    std::uint32_t token;  // kWake, or of a connection event
  };
  struct Host {
    Nanos clock = 0, sends_from = 0, receives_from = 0, finished = 0;
    Nanos wakes_at = kNever;
    std::vector<Due> inbox;
    std::uint64_t sent = 0;
    std::uint32_t yields = 0;
    bool sleeping = false;
    bool refused = false;  // a packet since it last slept, because there was no connection
  };
  static constexpr Nanos kNever = ~Nanos{0};
  static constexpr std::uint32_t kWake = ~std::uint32_t{0};
  static constexpr Rank kNone = ~Rank{0};

  static void body(void* self, std::uint32_t rank);
  void enter(Rank rank);
  void leave();
  void resume(Rank rank);
  void push(Nanos time, Rank rank, std::uint32_t token);
  void wake(Rank rank, Nanos at);
  void loop();
  [[noreturn]] void report_deadlock() const;
  // ConnectionNet
  void after(Nanos time, Rank rank, std::uint32_t token) override { push(time, rank, token); }
  void established(Rank rank, Nanos time) override {
    hosts_[rank].refused = false;
    wake(rank, time);
  }

  const Model model_;
  const Rank ranks_;
  Tables tables_;
  Plan plan_;
  Memory memory_;
  Fibers fibers_;
  std::vector<Host> hosts_;
  std::vector<SimRank*> sim_ranks_;  // never destroyed
  std::vector<Event> events_;
  std::unique_ptr<ConnectionTable> connections_;  // while they are made on demand
  Op op_ = Op::kBarrier;
  Rank running_rank_ = kNone, finished_ = 0;
  bool over_ = false;
  std::uint64_t number_ = 0, on_wire_ = 0;
  std::int64_t heap_ = 0;
  Outcome outcome_;
};

}  // namespace upcr::scale
