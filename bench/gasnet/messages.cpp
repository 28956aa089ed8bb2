// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gasnet/messages.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <utility>

#include "bench/perf/measure/pairs.hpp"

namespace perf {
namespace {

// The state of a pair, on the node of one of its threads. It is global because gasnet.h passes no pointer of
// the client's to handlers.
struct alignas(64) PairState {
  // Written by handlers, of which one runs at a time.
  std::atomic<std::uint64_t> requests_handled{0}, replies_handled{0};
  std::uint64_t requests_served = 0, replies_expected = 0;          // used by the pair's own thread only
  std::vector<char> received = std::vector<char>(kLargestMessage);  // where Medium messages are copied to
  std::vector<char> reply_data = std::vector<char>(kLargestMessage, 1);  // the data of replies
};
PairState pairs[Pairs::kMaxThreads];

void count(std::atomic<std::uint64_t>& counter) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Numbers of handlers: those of Short messages of N arguments, and those of pair P.
constexpr unsigned kFirst = 128, kCounts = 17;
constexpr unsigned kShortRequest = kFirst, kShortReply = kShortRequest + kCounts,
                   kFlood = kShortReply + kCounts, kPairRequest = kFlood + kCounts,
                   kPairReply = kPairRequest + Pairs::kMaxThreads,
                   kMediumRequest = kPairReply + Pairs::kMaxThreads, kMediumReply = kMediumRequest + 1,
                   kLongRequest = kMediumRequest + 2, kLongReply = kMediumRequest + 3, kLast = kLongReply;
static_assert(kLast < 256);

template <std::size_t>
using Argument = gasnet_handlerarg_t;

// The numbered call for so many arguments.
template <typename... Arguments>
void request_short(gasnet_node_t node, gasnet_handler_t handler, Arguments... a) {
  constexpr std::size_t kCount = sizeof...(a);
  static_assert(kCount <= 1 || kCount == 8 || (kCount >= 14 && kCount <= 16));
  if constexpr (kCount == 0) gasnet_AMRequestShort0(node, handler);
  if constexpr (kCount == 1) gasnet_AMRequestShort1(node, handler, a...);
  if constexpr (kCount == 8) gasnet_AMRequestShort8(node, handler, a...);
  if constexpr (kCount == 14) gasnet_AMRequestShort14(node, handler, a...);
  if constexpr (kCount == 15) gasnet_AMRequestShort15(node, handler, a...);
  if constexpr (kCount == 16) gasnet_AMRequestShort16(node, handler, a...);
}
template <typename... Arguments>
void reply_short(gasnet_token_t token, gasnet_handler_t handler, Arguments... a) {
  constexpr std::size_t kCount = sizeof...(a);
  if constexpr (kCount == 0) gasnet_AMReplyShort0(token, handler);
  if constexpr (kCount == 1) gasnet_AMReplyShort1(token, handler, a...);
  if constexpr (kCount == 8) gasnet_AMReplyShort8(token, handler, a...);
  if constexpr (kCount == 14) gasnet_AMReplyShort14(token, handler, a...);
  if constexpr (kCount == 15) gasnet_AMReplyShort15(token, handler, a...);
  if constexpr (kCount == 16) gasnet_AMReplyShort16(token, handler, a...);
}

template <typename... Arguments>
void on_short_request(gasnet_token_t token, Arguments... a) {
  reply_short(token, static_cast<gasnet_handler_t>(kShortReply + sizeof...(a)), a...);
  count(pairs[0].requests_handled);
}
template <typename... Arguments>
void on_short_reply(gasnet_token_t, Arguments...) {
  count(pairs[0].replies_handled);
}
template <typename... Arguments>
void on_flood(gasnet_token_t, Arguments...) {
  count(pairs[0].requests_handled);
}

// Short messages without arguments of pair P.
template <unsigned kPair>
void on_pair_request(gasnet_token_t token) {
  gasnet_AMReplyShort0(token, kPairReply + kPair);
  count(pairs[kPair].requests_handled);
}
template <unsigned kPair>
void on_pair_reply(gasnet_token_t) {
  count(pairs[kPair].replies_handled);
}

void on_medium_request(gasnet_token_t token, void* data, std::size_t bytes) {
  std::memcpy(pairs[0].received.data(), data, bytes);
  gasnet_AMReplyMedium0(token, kMediumReply, pairs[0].reply_data.data(), bytes);
  count(pairs[0].requests_handled);
}
void on_medium_reply(gasnet_token_t, void* data, std::size_t bytes) {
  std::memcpy(pairs[0].received.data(), data, bytes);
  count(pairs[0].replies_handled);
}

// The arguments are the address for the reply, in two words.
void on_long_request(gasnet_token_t token, void* data, std::size_t bytes, gasnet_handlerarg_t high,
                     gasnet_handlerarg_t low) {
  read_payload(data, bytes);
  const std::uint64_t address =
      std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
  gasnet_AMReplyLong2(token, kLongReply, pairs[0].reply_data.data(), bytes, reinterpret_cast<void*>(address),
                      high, low);
  count(pairs[0].requests_handled);
}
void on_long_reply(gasnet_token_t, void* data, std::size_t bytes, gasnet_handlerarg_t, gasnet_handlerarg_t) {
  read_payload(data, bytes);
  count(pairs[0].replies_handled);
}

template <typename Handler>
gasnet_handlerentry_t entry(unsigned number, Handler* handler) {
  gasnet_handlerentry_t e;
  e.index = static_cast<gasnet_handler_t>(number);
  e.fnptr = reinterpret_cast<decltype(e.fnptr)>(handler);
  return e;
}
template <std::size_t... kArgument>
void add_short(std::vector<gasnet_handlerentry_t>& table, std::index_sequence<kArgument...>) {
  constexpr unsigned kCount = sizeof...(kArgument);
  table.push_back(entry(kShortRequest + kCount, on_short_request<Argument<kArgument>...>));
  table.push_back(entry(kShortReply + kCount, on_short_reply<Argument<kArgument>...>));
  table.push_back(entry(kFlood + kCount, on_flood<Argument<kArgument>...>));
}
template <unsigned... kPair>
void add_pairs(std::vector<gasnet_handlerentry_t>& table, std::integer_sequence<unsigned, kPair...>) {
  (table.push_back(entry(kPairRequest + kPair, on_pair_request<kPair>)), ...);
  (table.push_back(entry(kPairReply + kPair, on_pair_reply<kPair>)), ...);
}

// `times` requests of the pair, each replied before the next.
template <typename Request>
void each_with_reply(PairState& pair, std::uint64_t times, Request request) {
  for (std::uint64_t i = 0; i < times; ++i) {
    request();
    const std::uint64_t wanted = ++pair.replies_expected;
    GASNET_BLOCKUNTIL(pair.replies_handled.load(std::memory_order_acquire) >= wanted);
  }
}

// each(send), where send() sends one request of so many arguments.
template <typename Each, std::size_t... kArgument>
void short_requests(gasnet_node_t node, unsigned first_handler, Each each,
                    std::index_sequence<kArgument...>) {
  const auto handler = static_cast<gasnet_handler_t>(first_handler + sizeof...(kArgument));
  each([=] { request_short(node, handler, static_cast<gasnet_handlerarg_t>(kArgument)...); });
}
template <typename Each>
void short_requests(gasnet_node_t node, unsigned first_handler, unsigned arguments, Each each) {
  switch (arguments) {
    case 0:
      return short_requests(node, first_handler, each, std::make_index_sequence<0>());
    case 1:
      return short_requests(node, first_handler, each, std::make_index_sequence<1>());
    case 8:
      return short_requests(node, first_handler, each, std::make_index_sequence<8>());
    case 14:
      return short_requests(node, first_handler, each, std::make_index_sequence<14>());
    case 15:
      return short_requests(node, first_handler, each, std::make_index_sequence<15>());
    case 16:
      return short_requests(node, first_handler, each, std::make_index_sequence<16>());
    default:
      std::fprintf(stderr, "gasnet_perf: no Short message of %u arguments is registered\n", arguments);
      gasnet_exit(1);
  }
}

void send_long_requests(gasnet_node_t node, const Message& m, std::uint64_t times) {
  const auto address = reinterpret_cast<std::uint64_t>(m.here);
  const auto high = static_cast<gasnet_handlerarg_t>(address >> 32);
  const auto low = static_cast<gasnet_handlerarg_t>(address & 0xffffffffu);
  each_with_reply(pairs[0], times, [&] {
    gasnet_AMRequestLong2(node, kLongRequest, const_cast<void*>(m.data), m.bytes, m.there, high, low);
  });
}

}  // namespace

std::vector<gasnet_handlerentry_t> message_handlers() {
  std::vector<gasnet_handlerentry_t> table;
  add_short(table, std::make_index_sequence<0>());
  add_short(table, std::make_index_sequence<1>());
  add_short(table, std::make_index_sequence<8>());
  add_short(table, std::make_index_sequence<14>());
  add_short(table, std::make_index_sequence<15>());
  add_short(table, std::make_index_sequence<16>());
  add_pairs(table, std::make_integer_sequence<unsigned, Pairs::kMaxThreads>());
  table.push_back(entry(kMediumRequest, on_medium_request));
  table.push_back(entry(kMediumReply, on_medium_reply));
  table.push_back(entry(kLongRequest, on_long_request));
  table.push_back(entry(kLongReply, on_long_reply));
  return table;
}

void send_requests(gasnet_node_t node, const Message& m, std::uint64_t times, unsigned pair) {
  if (m.there != nullptr) return send_long_requests(node, m, times);
  if (m.bytes != 0)
    return each_with_reply(pairs[0], times, [&] {
      gasnet_AMRequestMedium0(node, kMediumRequest, const_cast<void*>(m.data), m.bytes);
    });
  if (pair != 0)
    return each_with_reply(pairs[pair], times, [&] {
      gasnet_AMRequestShort0(node, static_cast<gasnet_handler_t>(kPairRequest + pair));
    });
  short_requests(node, kShortRequest, m.arguments,
                 [&](auto send) { each_with_reply(pairs[0], times, send); });
}

void serve_requests(std::uint64_t times, unsigned pair) {
  PairState& p = pairs[pair];
  p.requests_served += times;
  GASNET_BLOCKUNTIL(p.requests_handled.load(std::memory_order_acquire) >= p.requests_served);
}

void send_flood(gasnet_node_t node, unsigned arguments, std::uint64_t times) {
  short_requests(node, kFlood, arguments, [&](auto send) {
    for (std::uint64_t i = 0; i < times; ++i) send();
  });
  const std::uint64_t wanted = ++pairs[0].replies_expected;
  GASNET_BLOCKUNTIL(pairs[0].replies_handled.load(std::memory_order_acquire) >= wanted);
}

void receive_flood(gasnet_node_t node, std::uint64_t times) {
  serve_requests(times);
  gasnet_AMRequestShort0(node, kShortReply);
}

}  // namespace perf
