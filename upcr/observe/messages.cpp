// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/messages.hpp"

#include <atomic>
#include <memory>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/am/handler_observer.hpp"
#include "upcr/observe/settings.hpp"
#include "upcr/observe/thread_path.hpp"

namespace upcr::observe {
namespace {

// The engine's handlers: the client's and, behind them, the internal ones.
constexpr unsigned kClientHandlers = 256, kHandlers = 512;

// How many messages this process has sent to another one, or handled of it.
struct PeerCounts {
  std::atomic<std::uint32_t> sent[2][kHandlers], handled[2][kHandlers];
};

class Numbers {
 public:
  Numbers(std::uint32_t ranks, bool multithreaded)
      : multithreaded_(multithreaded), peers_(new std::atomic<PeerCounts*>[ranks]()) {}
  MessageNumber of_sent(Rank to, bool is_request, unsigned handler) noexcept {
    return next(peer(to).sent, is_request, handler);
  }
  MessageNumber of_handled(Rank from, bool is_request, unsigned handler) noexcept {
    return next(peer(from).handled, is_request, handler);
  }

 private:
  MessageNumber next(std::atomic<std::uint32_t> (&counts)[2][kHandlers], bool is_request,
                     unsigned handler) const noexcept {
    std::atomic<std::uint32_t>& count = counts[is_request ? 1 : 0][handler];
    if (multithreaded_) return {is_request, handler, count.fetch_add(1, std::memory_order_relaxed)};
    const std::uint32_t before = count.load(std::memory_order_relaxed);
    count.store(before + 1, std::memory_order_relaxed);
    return {is_request, handler, before};
  }
  // Made at the first message: most pairs of a large job exchange none.
  PeerCounts& peer(Rank rank) noexcept {
    PeerCounts* known = peers_[rank].load(std::memory_order_acquire);
    if (known != nullptr) return *known;
    auto* const made = new PeerCounts();
    if (peers_[rank].compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
    delete made;
    return *known;
  }

  const bool multithreaded_;
  const std::unique_ptr<std::atomic<PeerCounts*>[]> peers_;
};

// Never freed: messages are sent until the process ends. Null: they are not numbered.
Numbers* numbers = nullptr;

Kind kind_of(AmCategory category, bool is_request) noexcept {
  const Kind first = is_request ? Kind::kRequestShort : Kind::kReplyShort;
  return static_cast<Kind>(static_cast<unsigned>(first) + static_cast<unsigned>(category));
}

// Messages of other threads, as the progress thread, have numbers too, so that those of all are right.
void sent(const AmMessage& m, bool is_request, Rank to, std::uint64_t start) {
  const std::uint64_t number =
      numbers != nullptr
          ? numbers->of_sent(to, is_request, m.handler + (m.internal ? kClientHandlers : 0u)).word()
          : 0;
  if (Thread* const t = current())
    t->message_sent(kind_of(m.category, is_request), m.bytes, start, {to, number});
}

// In a timeline a message leaves before it arrives.
std::uint64_t time_of_send() {
  Thread* const t = current();
  return t != nullptr ? t->time_of_send() : ticks();
}

void handled(const HandledMessage& m) {
  const std::uint64_t number = numbers->of_handled(m.source, m.is_request, m.handler).word();
  if (Thread* const t = current())
    t->message_handled(m.is_request ? Kind::kRequestHandler : Kind::kReplyHandler, m.bytes, m.start, m.time,
                       {m.source, number});
}

}  // namespace

void start_messages(AmEngine& engine, std::uint32_t ranks, bool multithreaded) {
  const Settings& s = settings();
  if (!s.any()) return;
  if (!s.trace_file.empty() && s.traces(Kind::kRequestHandler)) {
    numbers = new Numbers(ranks, multithreaded);
    observe_handlers(handled);
  }
  if (s.statistics || s.traces_messages())
    engine.observe_sends(sent, s.traces_messages() ? time_of_send : nullptr);
}

}  // namespace upcr::observe
