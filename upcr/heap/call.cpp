// SPDX-License-Identifier: BSD-3-Clause
// Requests to the heaps by active message: kHeapRequest(number, home, call, request) -> kHeapReply(call,
// reply), where `request` and `reply` are structs of requests.hpp and `call` is the requester's own address.
#include "upcr/heap/call.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/state/handlers.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

struct RequestHead {
  std::uint32_t number;
  Slot home;
  std::uint64_t call;
};
struct ReplyHead {
  std::uint64_t call;
};
constexpr unsigned kRequestHead = sizeof(RequestHead) / 4, kReplyHead = sizeof(ReplyHead) / 4;

// The reply that the requester waits for.
struct RemoteCall {
  heap_detail::ReplyWords reply;
  unsigned words = 0;
  Pending pending;
};

// The arguments of one message, put together from structs.
class Arguments {
 public:
  void add(std::span<const std::uint32_t> words) {
    UPCR_ASSERT(n_ + words.size() <= kMaxAmArgs);
    std::copy(words.begin(), words.end(), words_.begin() + n_);
    n_ += static_cast<unsigned>(words.size());
  }
  std::span<const std::uint32_t> span() const { return {words_.data(), n_}; }

 private:
  std::array<std::uint32_t, kMaxAmArgs> words_;
  unsigned n_ = 0;
};

// Serves the request in `words` and replies.
template <typename Request>
void reply_to(AmToken& token, std::uint64_t call, const std::uint32_t* words) {
  Request request{};
  if constexpr (!std::is_empty_v<Request>) std::memcpy(&request, words, sizeof request);
  Arguments reply;
  reply.add(to_args(ReplyHead{call}));
  reply.add(to_args(serve(request)));
  token.engine.reply(token, internal_message(UpcHandler::kHeapReply, reply.span()));
}

struct Service {
  unsigned words;  // of the request's struct
  void (*reply_to)(AmToken&, std::uint64_t, const std::uint32_t*);
};
template <typename... Requests>
constexpr std::array<Service, sizeof...(Requests)> services_for(const std::tuple<Requests...>*) {
  return {Service{std::is_empty_v<Requests> ? 0 : sizeof(Requests) / 4, reply_to<Requests>}...};
}
constexpr auto kServices = services_for(static_cast<const HeapRequests*>(nullptr));

void on_request(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto head = from_args<RequestHead>(args, std::min(nargs, kRequestHead), token.source, "heap request");
  if (head.number >= kServices.size() || nargs - kRequestHead != kServices[head.number].words ||
      head.home - job().topology.my_first_slot() >= job().topology.my_slots())
    fatal("a malformed heap request from rank %u: request %u to UPC thread %u, %u arguments", token.source,
          head.number, head.home, nargs);
  kServices[head.number].reply_to(token, head.call, args + kRequestHead);
}

void on_reply(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto head = from_args<ReplyHead>(args, std::min(nargs, kReplyHead), token.source, "heap reply");
  auto* call = reinterpret_cast<RemoteCall*>(head.call);
  call->words = nargs - kReplyHead;
  std::copy_n(args + kReplyHead, call->words, call->reply.begin());
  call->pending.complete();
}

}  // namespace

void attach_heap_calls(Job& job) {
  job.engine->set_internal(UpcHandler::kHeapRequest, on_request, nullptr);
  job.engine->set_internal(UpcHandler::kHeapReply, on_reply, nullptr);
}

heap_detail::ReplyWords heap_detail::call_remote(Slot caller, Slot home, std::uint32_t number,
                                                 std::span<const std::uint32_t> request,
                                                 unsigned reply_words) {
  const Rank rank = job().topology.rank_of[home];
  RemoteCall call;
  call.pending.add();
  Arguments args;
  args.add(to_args(RequestHead{number, home, reinterpret_cast<std::uintptr_t>(&call)}));
  args.add(request);
  job().engine->request(rank, internal_message(UpcHandler::kHeapRequest, args.span()));
  job().progress.wait_until(caller, {"reply of a shared heap", home, WaitFor::kAnswer},
                            [&] { return call.pending.done(); });
  if (call.words != reply_words)
    fatal("a malformed heap reply from rank %u: %u words instead of %u", rank, call.words, reply_words);
  return call.reply;
}

}  // namespace upcr
