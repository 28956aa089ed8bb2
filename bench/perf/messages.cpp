// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/messages.hpp"

#include <upcr.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>

#include "bench/perf/payload.hpp"
#include "conduits/core/am_engine.hpp"
#include "conduits/core/job.hpp"
#include "conduits/core/progress.hpp"

namespace perf {
namespace {

using upcr::AmCategory;
using upcr::AmMessage;
using upcr::AmToken;
using upcr::job;

// What the threads of this process know of a pair that one of them belongs to.
struct alignas(64) Pair {
  // Written by handlers, of which one runs at a time.
  std::atomic<std::uint64_t> asked{0}, answered{0};
  std::uint64_t served = 0, awaited = 0;  // of the one thread that serves or asks
  std::unique_ptr<char[]> taken, given;   // where Medium messages are copied to, what answers carry
};
std::array<Pair, kPairs> pairs;

// Handlers of the client's table; the one of pair p is at kind + p.
enum Kind : unsigned { kRequest = 0, kFloodRequest = kPairs, kAnswer = 2 * kPairs };

void count(std::atomic<std::uint64_t>& counter) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

AmMessage make(Kind kind, unsigned pair, AmCategory category, std::span<const std::uint32_t> arguments) {
  AmMessage m;
  m.category = category;
  m.handler = static_cast<std::uint8_t>(kind + pair);
  m.args = arguments;
  return m;
}

void take(Pair& pair, const AmToken& token, const void* data, std::size_t bytes) {
  if (token.category == AmCategory::kMedium) std::memcpy(pair.taken.get(), data, bytes);
  if (token.category == AmCategory::kLong) read_payload(data, bytes);
}

void on_request(AmToken& token, const std::uint32_t* arguments, unsigned n, void* data, std::size_t bytes,
                void* cookie) {
  Pair& pair = *static_cast<Pair*>(cookie);
  take(pair, token, data, bytes);
  AmMessage m = make(kAnswer, static_cast<unsigned>(&pair - pairs.data()), token.category, {arguments, n});
  m.data = pair.given.get();
  m.bytes = bytes;
  if (token.category == AmCategory::kLong) std::memcpy(&m.dest, arguments, sizeof m.dest);
  token.engine.reply(token, m);
  count(pair.asked);
}

void on_flood(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void* cookie) {
  count(static_cast<Pair*>(cookie)->asked);
}

void on_answer(AmToken& token, const std::uint32_t*, unsigned, void* data, std::size_t bytes, void* cookie) {
  Pair& pair = *static_cast<Pair*>(cookie);
  take(pair, token, data, bytes);
  count(pair.answered);
}

// Some message and its arguments, for as long as it is sent.
class Request {
 public:
  Request(Kind kind, unsigned pair, const Message& m) {
    const AmCategory category = m.there != 0   ? AmCategory::kLong
                                : m.bytes != 0 ? AmCategory::kMedium
                                               : AmCategory::kShort;
    for (unsigned i = 0; i < kMostArguments; ++i) arguments_[i] = i;
    if (m.there != 0) std::memcpy(arguments_, &m.here, sizeof m.here);
    message_ = make(kind, pair, category, {arguments_, m.there != 0 ? kLongArguments : m.arguments});
    message_.data = m.data;
    message_.bytes = m.bytes;
    message_.dest = m.there;
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  const AmMessage& operator*() const { return message_; }

 private:
  std::uint32_t arguments_[kMostArguments];
  AmMessage message_;
};

upcr::Rank process_of(unsigned thread) { return job().topology.rank_of[thread]; }

void await(upcr::Slot me, const std::atomic<std::uint64_t>& counter, std::uint64_t value, const char* what) {
  upcr::wait_until(me, {what}, [&] { return counter.load(std::memory_order_acquire) >= value; });
}

}  // namespace

void register_messages() {
  upcr::AmEngine& engine = *job().engine;
  for (unsigned p = 0; p < kPairs; ++p) {
    pairs[p].taken = std::make_unique<char[]>(kLargestMessage);
    pairs[p].given = std::make_unique<char[]>(kLargestMessage);
    engine.set_handler(static_cast<std::uint8_t>(kRequest + p), on_request, &pairs[p]);
    engine.set_handler(static_cast<std::uint8_t>(kFloodRequest + p), on_flood, &pairs[p]);
    engine.set_handler(static_cast<std::uint8_t>(kAnswer + p), on_answer, &pairs[p]);
  }
}
const char* conduit_name() { return job().conduit->name(); }
std::size_t largest_medium() { return job().engine->max_medium(); }
std::size_t heap_bytes() { return job().segments.bytes; }
bool in_other_process(unsigned thread) { return process_of(thread) != job().topology.rank; }

void ask(unsigned thread, const Message& message, std::uint64_t times, unsigned pair) {
  const upcr::Rank to = process_of(thread);
  const Request request(kRequest, pair, message);
  const upcr::Slot me = upcr_mythread();
  Pair& p = pairs[pair];
  for (std::uint64_t i = 0; i < times; ++i) {
    job().engine->request(to, *request);
    await(me, p.answered, ++p.awaited, "reply");
  }
}

void serve(std::uint64_t times, unsigned pair) {
  Pair& p = pairs[pair];
  await(upcr_mythread(), p.asked, p.served += times, "request");
}

void flood(unsigned thread, const Message& message, std::uint64_t times, unsigned pair) {
  const upcr::Rank to = process_of(thread);
  const Request request(kFloodRequest, pair, message);
  Pair& p = pairs[pair];
  for (std::uint64_t i = 0; i < times; ++i) job().engine->request(to, *request);
  await(upcr_mythread(), p.answered, ++p.awaited, "word that all is handled");
}

void soak(unsigned thread, std::uint64_t times, unsigned pair) {
  serve(times, pair);
  job().engine->request(process_of(thread), make(kAnswer, pair, AmCategory::kShort, {}));
}

}  // namespace perf
