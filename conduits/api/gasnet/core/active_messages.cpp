// SPDX-License-Identifier: BSD-3-Clause
// Active messages: from the C calls to core's engine, and from the engine to the client's C handlers.
#include "include/gasnet/am.h"

#include <cstdarg>
#include <cstring>
#include <memory>
#include <utility>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"

namespace upcr::gasnet {
namespace {

constexpr int kFirstClientIndex = 128, kIndices = 256;

AmEngine* engine = nullptr;  // set in attach

// A Medium payload that is not aligned as handlers may expect is copied here. One handler runs at a time in a
// process (core's poll lock).
constexpr std::size_t kAlignment = 16;
struct alignas(kAlignment) Aligned {
  char bytes[kAlignment];
};
std::unique_ptr<Aligned[]> aligned_buffer;

using Function = void (*)();

// Handlers are called with exactly their number of arguments.
template <typename... Payload, std::size_t... I>
void call(Function function, gasnet_token_t token, const std::uint32_t* args, std::index_sequence<I...>,
          Payload... payload) {
  using Handler = void (*)(gasnet_token_t, Payload..., decltype(I, gasnet_handlerarg_t{})...);
  reinterpret_cast<Handler>(function)(token, payload..., static_cast<gasnet_handlerarg_t>(args[I])...);
}

template <typename... Payload>
void call_with(unsigned nargs, Function f, gasnet_token_t token, const std::uint32_t* args, Payload... p) {
  using Caller = void (*)(Function, gasnet_token_t, const std::uint32_t*, Payload...);
  static constexpr auto kCallers = []<std::size_t... M>(std::index_sequence<M...>) {
    return std::array<Caller, kMaxAmArgs + 1>{
        [](Function fn, gasnet_token_t t, const std::uint32_t* a, Payload... payload) {
          call<Payload...>(fn, t, a, std::make_index_sequence<M>(), payload...);
        }...};
  }
  (std::make_index_sequence<kMaxAmArgs + 1>());
  kCallers[nargs](f, token, args, p...);
}

void* align(void* data, std::size_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(data) % kAlignment == 0 || bytes == 0) return data;
  return std::memcpy(aligned_buffer.get(), data, bytes);
}

Event handler_event(AmCategory category) noexcept {
  if (category == AmCategory::kShort) return Event::kHandlerShort;
  return category == AmCategory::kMedium ? Event::kHandlerMedium : Event::kHandlerLong;
}

void run_handler(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                 void* function) {
  const auto f = reinterpret_cast<Function>(function);
#ifdef UPCR_DEBUG
  gasnet_hsl_t* const before = thread_rules.held_before;
  thread_rules.held_before = thread_rules.held;
#endif
  switch (token.category) {
    case AmCategory::kShort:
      call_with(nargs, f, &token, args);
      break;
    case AmCategory::kMedium:
      call_with<void*, std::size_t>(nargs, f, &token, args, align(data, bytes), bytes);
      break;
    case AmCategory::kLong:
      call_with<void*, std::size_t>(nargs, f, &token, args, data, bytes);
      break;
  }
#ifdef UPCR_DEBUG
  if (thread_rules.held != thread_rules.held_before)
    fatal("a handler returned with a handler-safe lock (%p) held", static_cast<void*>(thread_rules.held));
  thread_rules.held_before = before;
#endif
}

void run_traced_handler(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data,
                        std::size_t bytes, void* function) {
  const Traced traced(handler_event(token.category), token.source, bytes,
                      token.is_request ? "request" : "reply");
  run_handler(token, args, nargs, data, bytes, function);
}

AmMessage message(AmCategory category, gasnet_handler_t handler, int numargs,
                  const gasnet_handlerarg_t* args) {
  AmMessage m;
  m.category = category;
  m.handler = handler;
  m.args = {reinterpret_cast<const std::uint32_t*>(args), static_cast<std::size_t>(numargs)};
  return m;
}

// The debug library's checks of what is sent. `limit`: of the payload.
[[maybe_unused]] void check(const char* function, int numargs, std::size_t nbytes, std::size_t limit) {
  if (numargs < 0 || numargs > static_cast<int>(kMaxAmArgs))
    fatal("%s: %d arguments; 0 to %u are possible", function, numargs, kMaxAmArgs);
  if (nbytes > limit) fatal("%s: %zu bytes; %zu are the most", function, nbytes, limit);
}

[[maybe_unused]] void check_destination(const char* function, gasnet_node_t node, const void* dst,
                                        std::size_t nbytes) {
  if (node >= gasneti_state.nodes)
    fatal("%s: there is no node %u; the job has %u", function, node, gasneti_state.nodes);
  if (nbytes == 0) return;
  const gasneti_peer_t& peer = gasneti_state.peers[node];
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(dst) - peer.addr;
  if (offset > peer.size || nbytes > peer.size - offset)
    fatal("%s: [%p, +%zu) is not in the segment of node %u, which is [%p, +%zu)", function, dst, nbytes, node,
          reinterpret_cast<void*>(peer.addr), static_cast<std::size_t>(peer.size));
}

void check_request([[maybe_unused]] const char* function, [[maybe_unused]] gasnet_node_t dest,
                   [[maybe_unused]] int numargs, [[maybe_unused]] std::size_t nbytes = 0,
                   [[maybe_unused]] std::size_t limit = 0) {
#ifdef UPCR_DEBUG
  check_attached(function);
  require_free_thread(function);
  check(function, numargs, nbytes, limit);
  check_destination(function, dest, nullptr, 0);
#endif
}

AmToken& check_reply(const char* function, gasnet_token_t token, [[maybe_unused]] int numargs,
                     [[maybe_unused]] std::size_t nbytes = 0, [[maybe_unused]] std::size_t limit = 0) {
#ifdef UPCR_DEBUG
  if (token == nullptr || !AmEngine::in_handler()) fatal("%s called outside of a handler", function);
  check(function, numargs, nbytes, limit);
#endif
  check_no_lock(function);
  return *static_cast<AmToken*>(token);
}

// The arguments of a variadic call.
struct Arguments {
  Arguments(int numargs, std::va_list list) {
    for (int i = 0; i < numargs && i < static_cast<int>(kMaxAmArgs); ++i)
      values[i] = va_arg(list, gasnet_handlerarg_t);
  }
  gasnet_handlerarg_t values[kMaxAmArgs];
};

}  // namespace

bool choose_indices(gasnet_handlerentry_t* table, int entries, const char** mistake) {
  bool used[kIndices] = {};
  *mistake = nullptr;
  if (entries > kIndices - kFirstClientIndex) *mistake = "more than 128 handlers";
  for (int i = 0; i < entries && *mistake == nullptr; ++i) {
    if (table[i].index == 0) continue;
    if (table[i].index < kFirstClientIndex) *mistake = "an index is not in 128..255";
    if (used[table[i].index]) *mistake = "an index is used twice";
    used[table[i].index] = true;
  }
  if (*mistake != nullptr) return false;
  int next = kFirstClientIndex;
  for (int i = 0; i < entries; ++i) {
    if (table[i].index != 0) continue;
    while (used[next]) ++next;
    used[next] = true;
    table[i].index = static_cast<gasnet_handler_t>(next);
  }
  return true;
}

void register_handlers(AmEngine& e, const gasnet_handlerentry_t* table, int entries) {
  engine = &e;
  aligned_buffer = std::make_unique<Aligned[]>(e.max_medium() / kAlignment + 1);
  for (int i = 0; i < entries; ++i)
    e.set_handler(table[i].index, observing ? run_traced_handler : run_handler,
                  reinterpret_cast<void*>(table[i].fnptr));
}

extern "C" {

GASNETI_API int gasneti_request_short(gasnet_node_t dest, gasnet_handler_t handler, int numargs,
                                      const gasnet_handlerarg_t* args) {
  check_request("gasnet_AMRequestShort", dest, numargs);
  perform(Event::kRequestShort, dest, 0,
          [=] { engine->request(dest, message(AmCategory::kShort, handler, numargs, args)); });
  return GASNET_OK;
}

GASNETI_API int gasneti_request_medium(gasnet_node_t dest, gasnet_handler_t handler, const void* src,
                                       size_t nbytes, int numargs, const gasnet_handlerarg_t* args) {
  check_request("gasnet_AMRequestMedium", dest, numargs, nbytes, gasnet_AMMaxMedium());
  const Traced traced(Event::kRequestMedium, dest, nbytes);
  AmMessage m = message(AmCategory::kMedium, handler, numargs, args);
  m.data = src;
  m.bytes = nbytes;
  engine->request(dest, m);
  return GASNET_OK;
}

GASNETI_API int gasneti_request_long(gasnet_node_t dest, gasnet_handler_t handler, const void* src,
                                     size_t nbytes, void* dst, int numargs, const gasnet_handlerarg_t* args) {
  check_request("gasnet_AMRequestLong", dest, numargs, nbytes, gasnet_AMMaxLongRequest());
#ifdef UPCR_DEBUG
  check_destination("gasnet_AMRequestLong", dest, dst, nbytes);
#endif
  const Traced traced(Event::kRequestLong, dest, nbytes);
  AmMessage m = message(AmCategory::kLong, handler, numargs, args);
  m.data = src;
  m.bytes = nbytes;
  m.dest = reinterpret_cast<std::uintptr_t>(dst);
  engine->request(dest, m);
  return GASNET_OK;
}

GASNETI_API int gasneti_reply_short(gasnet_token_t token, gasnet_handler_t handler, int numargs,
                                    const gasnet_handlerarg_t* args) {
  AmToken& t = check_reply("gasnet_AMReplyShort", token, numargs);
  perform(Event::kReplyShort, t.source, 0, [&t, handler, numargs, args] {
    engine->reply(t, message(AmCategory::kShort, handler, numargs, args));
  });
  return GASNET_OK;
}

GASNETI_API int gasneti_reply_medium(gasnet_token_t token, gasnet_handler_t handler, const void* src,
                                     size_t nbytes, int numargs, const gasnet_handlerarg_t* args) {
  AmToken& t = check_reply("gasnet_AMReplyMedium", token, numargs, nbytes, gasnet_AMMaxMedium());
  const Traced traced(Event::kReplyMedium, t.source, nbytes);
  AmMessage m = message(AmCategory::kMedium, handler, numargs, args);
  m.data = src;
  m.bytes = nbytes;
  engine->reply(t, m);
  return GASNET_OK;
}

GASNETI_API int gasneti_reply_long(gasnet_token_t token, gasnet_handler_t handler, const void* src,
                                   size_t nbytes, void* dst, int numargs, const gasnet_handlerarg_t* args) {
  AmToken& t = check_reply("gasnet_AMReplyLong", token, numargs, nbytes, gasnet_AMMaxLongReply());
#ifdef UPCR_DEBUG
  check_destination("gasnet_AMReplyLong", t.source, dst, nbytes);
#endif
  const Traced traced(Event::kReplyLong, t.source, nbytes);
  AmMessage m = message(AmCategory::kLong, handler, numargs, args);
  m.data = src;
  m.bytes = nbytes;
  m.dest = reinterpret_cast<std::uintptr_t>(dst);
  engine->reply(t, m);
  return GASNET_OK;
}

GASNETI_API int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t* source) {
  if (token == nullptr || source == nullptr)
    return refuse({GASNET_ERR_BAD_ARG, "gasnet_AMGetMsgSource"}, "an argument is null");
  *source = static_cast<const AmToken*>(token)->source;
  return GASNET_OK;
}

#define GASNETI_TAKE_ARGUMENTS              \
  std::va_list list;                        \
  va_start(list, numargs);                  \
  const Arguments arguments(numargs, list); \
  va_end(list)

GASNETI_API int gasnet_AMRequestShort(gasnet_node_t dest, gasnet_handler_t handler, int numargs, ...) {
  GASNETI_TAKE_ARGUMENTS;
  return gasneti_request_short(dest, handler, numargs, arguments.values);
}

GASNETI_API int gasnet_AMRequestMedium(gasnet_node_t dest, gasnet_handler_t handler, const void* src,
                                       size_t nbytes, int numargs, ...) {
  GASNETI_TAKE_ARGUMENTS;
  return gasneti_request_medium(dest, handler, src, nbytes, numargs, arguments.values);
}

GASNETI_API int gasnet_AMRequestLong(gasnet_node_t dest, gasnet_handler_t handler, const void* src,
                                     size_t nbytes, void* dst, int numargs, ...) {
  GASNETI_TAKE_ARGUMENTS;
  return gasneti_request_long(dest, handler, src, nbytes, dst, numargs, arguments.values);
}

GASNETI_API int gasnet_AMRequestLongAsync(gasnet_node_t dest, gasnet_handler_t handler, const void* src,
                                          size_t nbytes, void* dst, int numargs, ...) {
  GASNETI_TAKE_ARGUMENTS;
  return gasneti_request_long(dest, handler, src, nbytes, dst, numargs, arguments.values);
}

GASNETI_API int gasnet_AMReplyShort(gasnet_token_t token, gasnet_handler_t handler, int numargs, ...) {
  GASNETI_TAKE_ARGUMENTS;
  return gasneti_reply_short(token, handler, numargs, arguments.values);
}

GASNETI_API int gasnet_AMReplyMedium(gasnet_token_t token, gasnet_handler_t handler, const void* src,
                                     size_t nbytes, int numargs, ...) {
  GASNETI_TAKE_ARGUMENTS;
  return gasneti_reply_medium(token, handler, src, nbytes, numargs, arguments.values);
}

GASNETI_API int gasnet_AMReplyLong(gasnet_token_t token, gasnet_handler_t handler, const void* src,
                                   size_t nbytes, void* dst, int numargs, ...) {
  GASNETI_TAKE_ARGUMENTS;
  return gasneti_reply_long(token, handler, src, nbytes, dst, numargs, arguments.values);
}

}  // extern "C"

}  // namespace upcr::gasnet
