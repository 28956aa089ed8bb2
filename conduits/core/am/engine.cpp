// SPDX-License-Identifier: BSD-3-Clause
// The receiving half of the engine: polling, dispatch, reassembly of Long messages.
#include "conduits/core/am/engine.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/am/context.hpp"
#include "conduits/core/am/handler_observer.hpp"
#include "conduits/core/am/long_message.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/base/system/counter_clock.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "conduits/core/checksum/packet_sums.hpp"
#include "conduits/core/transport/rings/rings.hpp"

namespace upcr {
namespace {

LogComponent log_am("am");

constexpr ConfigVar kVars[] = {
    // For tests: with 0, requests are held while any Long reply of several packets is unfinished.
    {"UPCR_LONG_REPLY_LIMIT", ConfigType::kSize, "16MB", nullptr},
};
ConfigTable table("progress", kVars);

constexpr unsigned kPollBudget = 32;
// A poll of a network takes as long as some messages through rings. After a packet from a ring, which others
// often follow, so many polls leave the network out, if it has been polled within this time.
constexpr std::uint32_t kRingPolls = 16;
constexpr std::uint64_t kNetworkIntervalNs = 2000;

AmCategory category_of(std::uint8_t flags) {
  if ((flags & kAmLong) != 0) return AmCategory::kLong;
  return (flags & kAmMedium) != 0 ? AmCategory::kMedium : AmCategory::kShort;
}

}  // namespace

namespace {
HandlerEvent handler_event = nullptr;
}
void observe_handlers(HandlerEvent event) noexcept { handler_event = event; }

constinit thread_local AmContext am_context;
constinit thread_local unsigned am_depth = 0;

AmEngine::AmEngine(Conduit& conduit, const Config& config)
    : conduit_(conduit),
      rings_(conduit.rings()),
      config_(config),
      max_medium_(conduit.caps().max_medium),
      assembly_(std::make_unique<LongAssembly>()),
      long_replies_(std::make_unique<LongReplyQueue>(config_size("UPCR_LONG_REPLY_LIMIT"))) {
  UPCR_ASSERT(max_medium_ > sizeof(LongPrefix));
  conduit.set_engine(this);
}

AmEngine::~AmEngine() = default;

inline bool AmEngine::rings_carry_everything() const noexcept {
  return rings_ != nullptr && rings_->carry_everything();
}

bool AmEngine::in_handler() noexcept { return am_depth != 0; }
bool AmEngine::pending() const noexcept {
  return (rings_carry_everything() ? rings_->pending() : conduit_.pending()) || !long_replies_->empty();
}
bool AmEngine::has_neighbours_packets() const noexcept { return rings_ != nullptr && rings_->pending(); }
bool AmEngine::arm() { return long_replies_->empty() && conduit_.arm(); }
bool AmEngine::accepts_requests() const { return !long_replies_->full(); }

void AmEngine::set_handler(std::uint8_t index, AmHandler handler, void* cookie) {
  handlers_[index] = {handler, cookie};
}

void AmEngine::set_internal(InternalHandler index, AmHandler handler, void* cookie) {
#ifdef UPCR_DEBUG
  if (registration_closed_)
    fatal("internal handler %u is set after the start of the job: messages may have arrived for it",
          static_cast<unsigned>(index));
#endif
  handlers_[256 + static_cast<std::size_t>(index)] = {handler, cookie};
}

// An index into handlers_.
inline unsigned AmEngine::handler_index(const AmHeader& head) noexcept {
  return head.handler + ((head.flags & kAmInternal) != 0 ? 256u : 0u);
}

const AmEngine::Entry& AmEngine::entry(const AmHeader& head, Rank source) const {
  const bool internal = (head.flags & kAmInternal) != 0;
  if (internal && head.handler >= kMaxInternalHandlers)
    fatal("a message from rank %u names internal handler %u of %zu; are all processes the same upcr?", source,
          head.handler, kMaxInternalHandlers);
  const Entry& e = handlers_[handler_index(head)];
  if (e.handler == nullptr)
    fatal("a message from rank %u names %s handler %u, which is not registered in this process", source,
          internal ? "internal" : "client", head.handler);
  return e;
}

// Exceeds kMaxAmArgs if the message is not Short, or has more arguments than allowed (a slot has five bits
// for their number): one comparison for both.
[[gnu::always_inline]] inline unsigned category_or_arguments(const AmHeader& head) noexcept {
  static_assert((kAmMedium << 3) > kMaxAmArgs && (kAmLong << 3) > kMaxAmArgs);
  return head.nargs | static_cast<unsigned>(head.flags & (kAmMedium | kAmLong)) << 3;
}

// Dispatches the common Short message without a call. deliver() handles and reports everything else. Every
// index that a header can contain is in the table; entries without a handler, internal ones from
// kMaxInternalHandlers on included, are null.
[[gnu::always_inline]] inline void AmEngine::deliver_slot(const AmArrival& arrival) {
  static_assert(std::tuple_size_v<decltype(handlers_)> == 2 * 256,
                "an 8-bit index into the client's table, and one into the internal table behind it");
  const Entry& e = handlers_[handler_index(arrival.head)];
  if (__builtin_expect(category_or_arguments(arrival.head) > kMaxAmArgs || e.handler == nullptr ||
                           log_am.enabled(LogLevel::kTrace),
                       0))
    return deliver(arrival);
  AmToken token{*this, arrival.source, (arrival.head.flags & kAmReply) == 0, false, AmCategory::kShort};
  if (__builtin_expect(handler_event != nullptr, 0))
    return run_observed(e, token, arrival.head, arrival.args, nullptr, 0);
  ++am_depth;
  e.handler(token, arrival.args, arrival.head.nargs, nullptr, 0, e.cookie);
  --am_depth;
}

unsigned AmEngine::poll_conduit(bool rings_are_busy) {
  if (rings_are_busy) ring_polls_ = kRingPolls;
  if (ring_polls_ == 0) return conduit_.poll(kPollBudget, *this);
  --ring_polls_;
  const std::uint64_t now = ticks_now();
  if (now - conduit_polled_ns_ < kNetworkIntervalNs) return 0;
  conduit_polled_ns_ = now;
  return conduit_.poll(kPollBudget, *this);
}

unsigned AmEngine::receive_packets() {
  struct DirectSink {  // a RingSink
    AmEngine& engine;
    [[gnu::always_inline]] bool accepts_requests() const { return engine.AmEngine::accepts_requests(); }
    void deliver(const AmArrival& arrival) { engine.AmEngine::deliver(arrival); }
    [[gnu::always_inline]] void deliver_slot(const AmArrival& arrival) { engine.deliver_slot(arrival); }
  } sink{*this};
  unsigned taken = rings_ != nullptr ? rings_->poll(kPollBudget, sink) : 0;
  if (!rings_carry_everything()) taken += poll_conduit(taken != 0);
  if (!long_replies_->empty()) long_replies_->send(conduit_, max_medium_);
  return taken;
}

unsigned AmEngine::poll() {
#ifdef UPCR_DEBUG
  if (in_handler()) fatal("an active-message handler polled; handlers may only compute and reply");
#endif
  if (!config_.multithreaded)
    return rings_carry_everything() && !packet_sums() && !rings_->has_packets() && long_replies_->empty()
               ? 0
               : receive_packets();
  // The lock costs as much as a short message, so a thread that sees no message does not acquire it. (With
  // sums slots that are not ready are examined, too: the head of one may be corrupted.)
  if (rings_carry_everything() && !packet_sums() && !pending()) return 0;
  if (!poll_lock_.try_lock()) return 0;
  const unsigned taken = receive_packets();
  poll_lock_.unlock();
  if (taken != 0 && config_.on_handlers_run != nullptr) config_.on_handlers_run(config_.context);
  return taken;
}

void AmEngine::deliver(const AmArrival& arrival) {
  if (arrival.source >= config_.size || arrival.head.nargs > kMaxAmArgs ||
      arrival.head.length > std::max(max_medium_, max_bulk()))
    fatal("a malformed message arrived: source %u of %u, %u arguments, %u bytes of at most %zu",
          arrival.source, config_.size, arrival.head.nargs, arrival.head.length, max_medium_);
  AmToken token{*this, arrival.source, (arrival.head.flags & kAmReply) == 0, false,
                category_of(arrival.head.flags)};
  UPCR_LOG(log_am, kTrace, "%s from %u: handler %u, %u args, %u bytes",
           token.is_request ? "request" : "reply", arrival.source, arrival.head.handler, arrival.head.nargs,
           arrival.head.length);
  if ((arrival.head.flags & kAmLong) != 0)
    deliver_long(token, arrival);
  else
    run(token, arrival.head, arrival.args, arrival.payload, arrival.head.length);
}

void AmEngine::deliver_long(AmToken& token, const AmArrival& arrival) {
  LongPrefix prefix;
  if (arrival.head.length < sizeof prefix)
    fatal("a Long message from rank %u is cut short: %u bytes", arrival.source, arrival.head.length);
  std::memcpy(&prefix, arrival.payload, sizeof prefix);
  const std::size_t bytes = arrival.head.length - sizeof prefix;
  if (prefix.total != 0 && !config_.writable.allows(prefix.dest, prefix.total))
    fatal("a Long message from rank %u wants to write %llu bytes at %#llx%s", arrival.source,
          static_cast<unsigned long long>(prefix.total), static_cast<unsigned long long>(prefix.dest),
          config_.writable.why_refused(prefix.dest).c_str());
  if (prefix.in_place == 0) {
    if (prefix.offset > prefix.total || bytes > prefix.total - prefix.offset)
      fatal("a fragment of a Long message from rank %u overruns it: %zu bytes at %llu of %llu",
            arrival.source, bytes, static_cast<unsigned long long>(prefix.offset),
            static_cast<unsigned long long>(prefix.total));
    std::memcpy(reinterpret_cast<char*>(prefix.dest) + prefix.offset,
                static_cast<const char*>(arrival.payload) + sizeof prefix, bytes);
    if (!assembly_->add(arrival.source, prefix, bytes)) return;
  }
  run(token, arrival.head, arrival.args, reinterpret_cast<void*>(prefix.dest), prefix.total);
}

void AmEngine::run(AmToken& token, const AmHeader& head, const std::uint32_t* args, void* data,
                   std::size_t bytes) {
  const Entry& e = entry(head, token.source);
  if (__builtin_expect(handler_event != nullptr, 0)) return run_observed(e, token, head, args, data, bytes);
  ++am_depth;
  e.handler(token, args, head.nargs, data, bytes, e.cookie);
  --am_depth;
}

void AmEngine::run_observed(const Entry& e, AmToken& token, const AmHeader& head, const std::uint32_t* args,
                            void* data, std::size_t bytes) {
  AmContext& context = am_context;
  const bool instant = (head.flags & kAmInternal) != 0 && bytes <= kInstantHandlerBytes;
  context.instant_handler = instant;
  context.handler_start = instant ? 0 : counter_now();
  ++am_depth;
  e.handler(token, args, head.nargs, data, bytes, e.cookie);
  --am_depth;
  if (context.handler_start == 0) context.handler_start = counter_now();
  const std::uint64_t start = context.handler_start;
  context.instant_handler = false;
  handler_event({token.source, token.is_request, handler_index(head), bytes, start,
                 instant ? 0 : counter_now() - start});
}

}  // namespace upcr
