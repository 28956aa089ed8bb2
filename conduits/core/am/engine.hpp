// SPDX-License-Identifier: BSD-3-Clause
// Active messages over any conduit: handler tables, requests and replies of three categories, fragmentation
// and reassembly of Long messages, messages from a process to itself.
//
// A handler runs in poll() on the polling thread. It may reply once (a request's handler only), complete a
// Pending, take a leaf lock. It may not request, poll, block or allocate; the debug library ends the job
// on breach. Requests poll while the conduit has no room, so handlers may run inside request().
//
// Where messages go through rings in shared memory (Conduit::rings()) the engine uses the rings itself: all
// calls between request() and the ring, and between the ring and the handler, are inlined for Short messages.
// If the conduit has a network besides, a poll looks at both, at the network less often while packets come
// through the rings.
//
// Threads: request() from any thread; poll() too (one at a time gets the conduit, others return 0).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/memory/access_guard.hpp"
#include "conduits/core/model/am_packet.hpp"
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

class AmEngine;
class LongAssembly;
class LongReplyQueue;
class Rings;

enum class AmCategory : std::uint8_t { kShort, kMedium, kLong };

// A handler's view of the message it serves; valid while it runs.
struct AmToken {
  AmEngine& engine;
  Rank source;
  bool is_request;
  bool replied;
  AmCategory category;
};

// args: head.nargs 32-bit values. data: Medium: a buffer that is valid during the call; Long: where the
// data now is. `cookie` is what the handler was registered with.
using AmHandler = void (*)(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data,
                           std::size_t bytes, void* cookie);

// Internal handlers, grouped by the component of core that owns them. Client handlers have a table of their
// own.
enum class InternalHandler : std::uint8_t {
  kPut,
  kPutAck,
  kGet,
  kGetReply,
  kFill,  // core/rma/rma_over_am
  kCopy,
  kCopyDone,  // core/rma/deferred_requests
  kAtomic,
  kAtomicReply,  // core/rma/atomic
  kBarrier,      // core/barrier
  kVisPut,
  kVisPutAck,
  kVisGet,
  kVisGetReply,    // core/vis
  kFirstAboveCore  // this and the following ones belong to the client API, of which a library has one
};
inline constexpr std::size_t kMaxInternalHandlers = 64;

// The N-th internal handler of the client API; each keeps a list of its own.
template <std::size_t N>
constexpr InternalHandler handler_above_core() {
  constexpr std::size_t kIndex = static_cast<std::size_t>(InternalHandler::kFirstAboveCore) + N;
  static_assert(kIndex < kMaxInternalHandlers);
  return static_cast<InternalHandler>(kIndex);
}

struct AmMessage {
  AmCategory category = AmCategory::kShort;
  bool internal = false;
  std::uint8_t handler = 0;
  std::span<const std::uint32_t> args{};
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::uint64_t dest = 0;  // Long: address in the target process
};

class AmEngine final : private AmSink {
 public:
  struct Config {
    Rank rank = 0, size = 1;
    bool multithreaded = false;
    AccessGuard writable;  // where Long messages may write
    // The address here of a remote process's memory, or nullptr: data of Long messages is stored there
    // directly.
    void* (*mapped)(void* context, Rank rank, std::uint64_t address, std::size_t n) = nullptr;
    // Called after handlers ran when multithreaded: they may have done what another thread sleeps for.
    void (*on_handlers_run)(void* context) = nullptr;
    void* context = nullptr;
  };
  UPCR_MODULE_API AmEngine(Conduit& conduit, const Config& config);
  UPCR_MODULE_API ~AmEngine();

  // Before the first message. A client handler left unset is fatal when a message names it.
  UPCR_MODULE_API void set_handler(std::uint8_t index, AmHandler handler, void* cookie);
  UPCR_MODULE_API void set_internal(InternalHandler index, AmHandler handler, void* cookie);
  // All internal handlers are set: other threads may poll from now on. The debug library ends the job when
  // one is set later.
  void close_registration() noexcept { registration_closed_ = true; }

  // request() calls it instead of poll() while the conduit has no room: it polls, advances other work that
  // may advance there, and returns how many operations it has advanced. `idle`: consecutive calls, for this
  // request, that have advanced nothing.
  using RoomWait = unsigned (*)(void* context, std::uint32_t idle);
  void set_room_wait(RoomWait wait, void* context) noexcept {
    room_wait_ = wait;
    room_wait_context_ = context;
  }

  // `event` is called for each message that this process sends, by the thread that sends it, when it is on
  // its way, so that nothing delays it. `clock` says before it leaves what is its `start`, which is 0 without
  // a clock. The reply of an internal handler, which is short, starts when the handler does: reading a clock
  // takes longer than the reply. event null: no more. Before the threads that send exist.
  using SendEvent = void (*)(const AmMessage& message, bool is_request, Rank to, std::uint64_t start);
  using SendClock = std::uint64_t (*)();
  void observe_sends(SendEvent event, SendClock clock) noexcept {
    send_event_ = event;
    send_clock_ = clock;
  }

  // Largest payload of a Medium message; Long messages have no limit but size_t.
  std::size_t max_medium() const noexcept { return max_medium_; }

  // Sends a request to any process, this one included. On return the source is reusable. Polls, or does what
  // set_room_wait() says, while there is no room. Not from a handler.
  UPCR_MODULE_API void request(Rank to, const AmMessage& message);
  // As request(), but kNoResource instead of polling when there is no room. Short and Medium only.
  UPCR_MODULE_API Status try_request(Rank to, const AmMessage& message);
  // A Medium request whose payload is `prefix`, at most kMaxBulkPrefix bytes, and the message's data,
  // together at most max_bulk(), which is read until `local` completes. False: the conduit does not do that,
  // or messages are observed. Otherwise as request().
  bool request_bulk(Rank to, const AmMessage& message, std::span<const char> prefix, Pending& local);
  std::size_t max_bulk() const noexcept { return conduit_.caps().max_bulk; }
  // From a request's handler, at most once. On return the source is reusable. Never waits.
  UPCR_MODULE_API void reply(AmToken& token, const AmMessage& message);

  // A request to this process follows soon: what it needs comes from afar meanwhile, where that helps.
  void prefetch_request(Rank to) const noexcept;
  // Runs handlers of arrived messages; returns the number of packets.
  UPCR_MODULE_API unsigned poll();
  UPCR_MODULE_API bool pending() const noexcept;  // would poll() find work?
  // Has a packet arrived through rings? Any thread, cheap.
  bool has_neighbours_packets() const noexcept;
  // Before a sleep that the conduit's wait_fd() ends: Conduit::arm(). False: do not sleep.
  UPCR_MODULE_API bool arm();

  // True on a thread that is running a handler.
  UPCR_MODULE_API static bool in_handler() noexcept;

 private:
  struct Entry {
    AmHandler handler = nullptr;
    void* cookie = nullptr;
  };

  void deliver(const AmArrival& arrival) override;
  bool accepts_requests() const override;
  void deliver_long(AmToken& token, const AmArrival& arrival);
  void run(AmToken& token, const AmHeader& head, const std::uint32_t* args, void* data, std::size_t bytes);
  void run_observed(const Entry& entry, AmToken& token, const AmHeader& head, const std::uint32_t* args,
                    void* data, std::size_t bytes);
  static unsigned handler_index(const AmHeader& head) noexcept;
  const Entry& entry(const AmHeader& head, Rank source) const;
  static AmHeader head(const AmMessage& message, std::uint8_t flags) noexcept;
  AmPacket packet(const AmMessage& message, std::uint8_t flags) const;
  bool fits_slot(Rank to, const AmMessage& message) const noexcept;
  bool rings_carry_everything() const noexcept;
  unsigned receive_packets();
  unsigned poll_conduit(bool rings_are_busy);
  void deliver_slot(const AmArrival& arrival);
  std::uint64_t time_of_send() const noexcept;
  std::uint64_t time_of_reply(const AmMessage& message) const noexcept;
  template <typename Send>
  Status send_when_there_is_room(Send&& send);
  void send(Rank to, const AmPacket& packet);
  void request_observed(Rank to, const AmMessage& message);
  void reply_observed(AmToken& token, const AmMessage& message);
  void request_slow(Rank to, const AmMessage& message);
  void reply_slow(AmToken& token, const AmMessage& message);
  void request_long(Rank to, const AmMessage& message);
  void reply_long(AmToken& token, const AmMessage& message);
  void loop_request(const AmMessage& message);
  void loop_reply(const AmMessage& message);
  bool store_directly(Rank to, const AmMessage& message) const;

  Conduit& conduit_;
  Rings* const rings_;
  Config config_;
  std::size_t max_medium_;
  std::array<Entry, 512> handlers_{};  // 256 of the client, then the internal ones
  SpinLock poll_lock_;
  std::unique_ptr<LongAssembly> assembly_;        // under poll_lock_
  std::unique_ptr<LongReplyQueue> long_replies_;  // under poll_lock_
  std::uint32_t ring_polls_ = 0;         // under poll_lock_: polls to come that may look at rings alone
  std::uint64_t conduit_polled_ns_ = 0;  // under poll_lock_: the time of the last poll that did not
  std::atomic<std::uint32_t> next_long_id_{0};
  SendEvent send_event_ = nullptr;
  SendClock send_clock_ = nullptr;
  RoomWait room_wait_ = nullptr;
  void* room_wait_context_ = nullptr;
  bool registration_closed_ = false;
};

}  // namespace upcr
