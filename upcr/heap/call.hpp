// SPDX-License-Identifier: BSD-3-Clause
// heap_call(): carries out a request to a heap, wherever that heap is managed. It is served on the spot where
// the home's segment is mapped here, and by an active message to the home's process where not.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "conduits/core/am/args.hpp"
#include "upcr/heap/service.hpp"

namespace upcr {

// At attach, before the first message.
void attach_heap_calls(Job& job);

namespace heap_detail {

using ReplyWords = std::array<std::uint32_t, kMaxAmArgs>;

// Sends the request of that number (heap_request_number) to `home`'s process and waits for the reply, which
// has `reply_words` words; else fatal.
ReplyWords call_remote(Slot caller, Slot home, std::uint32_t number, std::span<const std::uint32_t> request,
                       unsigned reply_words);

}  // namespace heap_detail

// `caller`: the calling thread's slot. Blocking; not from a handler.
template <typename Request>
typename Request::Reply heap_call(Slot caller, const Request& request) {
  const Slot home = home_of(request);
  if (can_serve(home)) return serve(request);
  constexpr std::uint32_t kNumber = heap_request_number<Request>();
  static_assert(std::is_empty_v<Request> || std::has_unique_object_representations_v<Request>,
                "without gaps");
  static_assert(std::has_unique_object_representations_v<typename Request::Reply>, "without gaps");
  constexpr unsigned kReplyWords = sizeof(typename Request::Reply) / 4;
  heap_detail::ReplyWords words;
  if constexpr (std::is_empty_v<Request>)
    words = heap_detail::call_remote(caller, home, kNumber, {}, kReplyWords);
  else
    words = heap_detail::call_remote(caller, home, kNumber, to_args(request), kReplyWords);
  typename Request::Reply reply;
  std::memcpy(&reply, words.data(), sizeof reply);
  return reply;
}

}  // namespace upcr
