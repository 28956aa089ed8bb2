// SPDX-License-Identifier: BSD-3-Clause
// All rings of a process: two (requests, replies) to each process that it shares memory with and two from
// each. Conduit smp consists of them; over a network they connect neighbours (conduits/net/neighbours). They
// are in core, without virtual functions, so that the engine can send and receive messages through them
// without calling the conduit (Conduit::rings()).
//
// Packets between two processes keep their order within requests and within replies. Only the rings of
// processes that have sent something are polled (senders.hpp).
//
// Threads: requests by any thread (under a lock for each target where there are several threads); replies and
// poll() by the thread that holds the engine's poll lock; pending() by any thread.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "conduits/core/base/system/futex.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/model/am_packet.hpp"
#include "conduits/core/transport/rings/ring.hpp"
#include "conduits/core/transport/rings/senders.hpp"

namespace upcr {

struct Topology;

// Receives the packets that Rings::poll() delivers: AmSink without virtual calls, and a function of its own
// for packets that fit their slot (ring.hpp).
template <typename Sink>
concept RingSink = requires(Sink& sink, const AmArrival& arrival) {
  { sink.accepts_requests() } -> std::same_as<bool>;
  { sink.deliver(arrival) } -> std::same_as<void>;
  { sink.deliver_slot(arrival) } -> std::same_as<void>;
};

// The ranks `first` to `first + size - 1`.
struct RankRange {
  Rank first = 0, size = 0;
};

class Rings {
 public:
  // The size of the shared memory that attach() needs: zero-filled, the same for all processes.
  static std::size_t bytes(Rank processes) noexcept {
    return std::size_t{2} * processes * processes * kRingBytes + processes * SenderSet::bytes(processes);
  }
  // `memory`: of the processes `sharers`, of which rings connect this one with the others of `connected`.
  // `bells`: of all slots of the sharers. `conduit`: whose rings these are, for messages; not copied.
  void attach(void* memory, RankRange sharers, RankRange connected, const Topology& topology, Doorbell* bells,
              bool multithreaded, const char* conduit);

  // Do messages to this process go through rings? Not those to oneself.
  [[gnu::always_inline]] bool reach(Rank to) const noexcept {
    return to - connected_.first < connected_.size && to != me_;
  }
  // Whether rings carry all packets of their conduit: the engine need not call the conduit's poll().
  bool carry_everything() const noexcept { return carry_everything_.load(std::memory_order_relaxed); }
  void set_carry_everything(bool yes) noexcept { carry_everything_.store(yes, std::memory_order_relaxed); }

  // kOk or kNoResource; the target's threads have been rung. Not to oneself.
  Status send(Rank to, const AmPacket& packet) noexcept;
  // The same for a packet that fits its slot (ring.hpp). False: there is no room.
  [[gnu::always_inline]] bool request_slot(Rank to, AmHeader head, const std::uint32_t* args) noexcept {
    Outgoing& out = out_[to - connected_.first];
    if (__builtin_expect(multithreaded_, 0)) return request_slot_locked(out, head, args);
    return out.requests.push_slot(head, args) && out.sent();
  }
  [[gnu::always_inline]] bool reply_slot(Rank to, AmHeader head, const std::uint32_t* args) noexcept {
    Outgoing& out = out_[to - connected_.first];
    return out.replies.push_slot(head, args) && out.sent();
  }

  // A request to this process follows soon. (Where several threads send another one may use the slot.)
  void prefetch_request(Rank to) const noexcept {
    if (!multithreaded_) out_[to - connected_.first].requests.prefetch_slot();
  }

  // Delivers about `budget` packets to `sink`. Returns how many.
  template <RingSink Sink>
  [[gnu::always_inline]] unsigned poll(unsigned budget, Sink& sink) {
    if (__builtin_expect(has_new_senders(), 0)) add_senders();
    const std::size_t senders = senders_.load(std::memory_order_relaxed);
    if (senders == 0) return 0;
    unsigned taken = 0;
    Incoming *const first = in_.get(), *const end = first + senders, *const start = first + turn_;
    Incoming* from = start;
    do {
      if (packet_sums()) {  // slots without a packet; packets are checked when they are delivered
        from->replies.check(from->source, kAmReply, conduit_);
        from->requests.check(from->source, 0, conduit_);
      }
      if (__builtin_expect(from->replies.has_packet(), 0)) taken += deliver_replies(*from, sink);
      if (__builtin_expect(from->requests.has_packet(), 0) && taken < budget && sink.accepts_requests())
        taken += deliver_requests(*from, budget - taken, sink);
      if (++from == end) from = first;
      if (__builtin_expect(taken >= budget, 0)) {
        if (++turn_ >= senders) turn_ = 0;  // a busy peer does not starve the others
        break;
      }
    } while (from != start);
    return taken;
  }
  // Would poll() find work? Cheaper than pending(), for threads that may call poll().
  [[gnu::always_inline]] bool has_packets() const noexcept {
    const Incoming* from = in_.get();
    for (const Incoming* const end = from + senders_.load(std::memory_order_relaxed); from != end; ++from) {
      from->replies.prefetch_next();
      from->requests.prefetch_next();
      if (from->replies.has_packet() || from->requests.has_packet()) return true;
    }
    return has_new_senders();
  }
  // Would poll() find work? Any thread.
  bool pending() const noexcept {
    const Incoming* from = in_.get();
    for (const Incoming* const end = from + senders_.load(std::memory_order_acquire); from != end; ++from)
      if (from->replies.ready() || from->requests.ready()) return true;
    return has_new_senders();
  }

 private:
  struct alignas(64) Outgoing {
    RingWriter requests, replies;
    Doorbell *bells = nullptr, *bells_end = nullptr;  // of the target's threads, one or more
    SpinLock lock;                                    // of requests, between this process's threads
    std::atomic<bool> announced{false};               // to the target, as a sender
    SenderSet* target = nullptr;
    Rank me = 0;  // in that set

    // A packet has been sent. The first one, and those to processes with several threads, take a call.
    [[gnu::always_inline]] bool sent() noexcept {
      if (__builtin_expect(!announced.load(std::memory_order_relaxed) || bells + 1 != bells_end, 0))
        announce_and_ring();
      else
        bells->ring();
      return true;
    }
    void announce_and_ring() noexcept;
  };
  struct alignas(64) Incoming {
    RingReader replies, requests;
    Rank source = 0;
    RingWriter* reply_writer = nullptr;  // for replies to that process
  };

  template <RingSink Sink>
  [[gnu::always_inline]] void deliver_front(RingReader& ring, Rank source, std::uint8_t flags, Sink& sink) {
    if (packet_sums()) ring.check(source, flags, conduit_);
    if (__builtin_expect(ring.front_fits_slot(), 1))
      sink.deliver_slot(ring.front_slot(source, flags));
    else
      sink.deliver(ring.front(source, flags));
    ring.pop();
  }
  template <RingSink Sink>
  [[gnu::always_inline]] unsigned deliver_replies(Incoming& from, Sink& sink) {
    unsigned taken = 0;
    do deliver_front(from.replies, from.source, kAmReply, sink);
    while (++taken, from.replies.has_packet());
    return taken;
  }
  // A request is delivered only when there is room for any reply to it: a reply is never refused.
  template <RingSink Sink>
  [[gnu::always_inline]] unsigned deliver_requests(Incoming& from, unsigned budget, Sink& sink) {
    unsigned taken = 0;
    while (taken < budget && from.reply_writer->fits_any()) {
      deliver_front(from.requests, from.source, 0, sink);
      ++taken;
      if (!from.requests.has_packet()) break;
    }
    return taken;
  }
  bool request_slot_locked(Outgoing& out, AmHeader head, const std::uint32_t* args) noexcept;
  bool has_new_senders() const noexcept {
    return announced_to_me_ != nullptr &&
           announced_to_me_->changes() != known_changes_.load(std::memory_order_relaxed);
  }
  void add_senders() noexcept;
  Ring* rings_of(Rank from, Rank to) const noexcept;

  struct Free {
    void operator()(Incoming* memory) const noexcept { std::free(memory); }
  };

  RankRange sharers_, connected_;
  Rank me_ = 0;
  std::vector<Outgoing> out_;  // to each connected process
  // From each process that has sent, in the order in which that was found; room for all of them.
  std::unique_ptr<Incoming[], Free> in_;
  std::atomic<std::size_t> senders_{0};  // entries of in_; written by the thread that polls
  const SenderSet* announced_to_me_ = nullptr;
  std::vector<std::uint64_t> known_senders_;     // the members of that set that are in in_
  std::atomic<std::uint32_t> known_changes_{0};  // of that set; written by the thread that polls
  std::size_t turn_ = 0;
  void* memory_ = nullptr;
  const char* conduit_ = nullptr;
  std::atomic<bool> carry_everything_{true};
  bool multithreaded_ = false;
};

}  // namespace upcr
