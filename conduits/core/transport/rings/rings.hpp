// SPDX-License-Identifier: BSD-3-Clause
// All rings of a process: two (requests, replies) to each process of the machine and two from each. Conduit
// smp consists of them. They are in core, without virtual functions, so that the engine can send and receive
// messages through them without calling the conduit (Conduit::rings()).
//
// Packets between two processes keep their order within requests and within replies.
//
// Threads: requests by any thread (under a lock for each target where there are several threads); replies and
// poll() by the thread that holds the engine's poll lock; pending() by any thread.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/futex.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/model/am_packet.hpp"
#include "conduits/core/transport/rings/ring.hpp"

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

class Rings {
 public:
  // The size of the shared memory that attach() needs: zero-filled, the same for all processes.
  static std::size_t bytes(Rank processes) noexcept {
    return std::size_t{2} * processes * processes * kRingBytes;
  }
  // `bells`: of all slots of the job. `conduit`: whose rings these are, for messages; not copied.
  void attach(Ring* memory, const Topology& topology, Doorbell* bells, bool multithreaded,
              const char* conduit);

  // kOk or kNoResource; the target's threads have been rung. Not to oneself.
  Status send(Rank to, const AmPacket& packet) noexcept;
  // The same for a packet that fits its slot (ring.hpp). False: there is no room.
  [[gnu::always_inline]] bool request_slot(Rank to, AmHeader head, const std::uint32_t* args) noexcept {
    Outgoing& out = out_[to];
    if (__builtin_expect(multithreaded_, 0)) return request_slot_locked(out, head, args);
    return out.requests.push_slot(head, args) && out.ring();
  }
  [[gnu::always_inline]] bool reply_slot(Rank to, AmHeader head, const std::uint32_t* args) noexcept {
    Outgoing& out = out_[to];
    return out.replies.push_slot(head, args) && out.ring();
  }

  // Delivers about `budget` packets to `sink`. Returns how many.
  template <RingSink Sink>
  [[gnu::always_inline]] unsigned poll(unsigned budget, Sink& sink) {
    if (__builtin_expect(in_.empty(), 0)) return 0;
    unsigned taken = 0;
    Incoming *const first = in_.data(), *const end = first + in_.size(), *const start = first + turn_;
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
        if (++turn_ >= in_.size()) turn_ = 0;  // a busy peer does not starve the others
        break;
      }
    } while (from != start);
    return taken;
  }
  // Would poll() find work? Cheaper than pending(), for threads that may call poll().
  [[gnu::always_inline]] bool has_packets() const noexcept {
    for (const Incoming& from : in_) {
      from.replies.prefetch_next();
      from.requests.prefetch_next();
      if (from.replies.has_packet() || from.requests.has_packet()) return true;
    }
    return false;
  }
  // Would poll() find work? Any thread.
  bool pending() const noexcept {
    for (const Incoming& from : in_)
      if (from.replies.ready() || from.requests.ready()) return true;
    return false;
  }

 private:
  struct alignas(64) Outgoing {
    RingWriter requests, replies;
    Doorbell *bells = nullptr, *bells_end = nullptr;  // of the target's threads, one or more
    SpinLock lock;                                    // of requests, between this process's threads

    [[gnu::always_inline]] bool ring() const noexcept {
      Doorbell* bell = bells;
      do bell->ring();
      while (++bell != bells_end);
      return true;
    }
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

  std::vector<Outgoing> out_;  // by rank
  std::vector<Incoming> in_;   // of all other processes
  std::size_t turn_ = 0;
  const char* conduit_ = nullptr;
  bool multithreaded_ = false;
};

}  // namespace upcr
