// SPDX-License-Identifier: BSD-3-Clause
// The arriving half of the engine: polling, dispatch, putting Long messages together.
#include "conduits/core/am_engine.hpp"

#include <cstring>

#include "conduits/base/log.hpp"
#include "conduits/base/report.hpp"
#include "conduits/core/am_context.hpp"
#include "conduits/core/long_message.hpp"

namespace upcr {
namespace {

LogComponent log_am("am");
constexpr unsigned kPollBudget = 32;

AmCategory category_of(std::uint8_t flags) {
  if ((flags & kAmLong) != 0) return AmCategory::kLong;
  return (flags & kAmMedium) != 0 ? AmCategory::kMedium : AmCategory::kShort;
}

}  // namespace

thread_local AmContext am_context;

AmEngine::AmEngine(Conduit& conduit, const Config& config)
    : conduit_(conduit),
      config_(config),
      max_medium_(conduit.caps().max_medium),
      assembly_(std::make_unique<LongAssembly>()),
      answers_(std::make_unique<LongAnswers>()) {
  UPCR_ASSERT(max_medium_ > sizeof(LongPrefix));
}

AmEngine::~AmEngine() = default;

bool AmEngine::in_handler() noexcept { return am_context.depth != 0; }
bool AmEngine::pending() const noexcept { return conduit_.pending() || !answers_->empty(); }
bool AmEngine::arm() { return answers_->empty() && conduit_.arm(); }
bool AmEngine::takes_requests() const { return !answers_->full(); }

void AmEngine::set_handler(std::uint8_t index, AmHandler handler, void* cookie) {
  client_[index] = {handler, cookie};
}

void AmEngine::set_internal(InternalHandler index, AmHandler handler, void* cookie) {
  internal_[static_cast<std::size_t>(index)] = {handler, cookie};
}

unsigned AmEngine::poll() {
#ifdef UPCR_DEBUG
  if (in_handler()) fatal("an active-message handler polled; handlers may only compute and reply");
#endif
  if (config_.multithreaded && !poll_lock_.try_lock()) return 0;
  const unsigned taken = conduit_.poll(kPollBudget, *this);
  if (!answers_->empty()) answers_->send(conduit_, max_medium_);
  if (config_.multithreaded) {
    poll_lock_.unlock();
    if (taken != 0 && config_.took != nullptr) config_.took(config_.context);
  }
  return taken;
}

const AmEngine::Entry& AmEngine::entry(const AmHeader& head, Rank source) const {
  const bool internal = (head.flags & kAmInternal) != 0;
  if (internal && head.handler >= internal_.size())
    fatal("a message from rank %u names internal handler %u of %zu; are all processes the same upcr?", source,
          head.handler, internal_.size());
  const Entry& e = internal ? internal_[head.handler] : client_[head.handler];
  if (e.handler == nullptr)
    fatal("a message from rank %u names %s handler %u, which is not registered in this process", source,
          internal ? "internal" : "client", head.handler);
  return e;
}

void AmEngine::deliver(const AmArrival& arrival) {
  if (arrival.source >= config_.size || arrival.head.nargs > kMaxAmArgs || arrival.head.length > max_medium_)
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
  if (prefix.total != 0 && config_.writable != nullptr &&
      !config_.writable(config_.context, prefix.dest, prefix.total))
    fatal("a Long message from rank %u wants to write %llu bytes at %#llx, outside this process's segment",
          arrival.source, static_cast<unsigned long long>(prefix.total),
          static_cast<unsigned long long>(prefix.dest));
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
  ++am_context.depth;
  e.handler(token, args, head.nargs, data, bytes, e.cookie);
  --am_context.depth;
}

}  // namespace upcr
