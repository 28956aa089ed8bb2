// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/kinds.hpp"

namespace upcr::observe {
namespace {

constexpr const char* kNames[] = {
    "get",
    "put",
    "memget",
    "memput",
    "memcpy",
    "memset",
    "nb_get",
    "nb_put",
    "nb_copy",
    "nb_set",
    "sync",
    "vis",
    "atomic",
    "lock",
    "lock_attempt",
    "unlock",
    "notify",
    "barrier",
    "broadcast",
    "scatter",
    "gather",
    "gather_all",
    "exchange",
    "permute",
    "reduce",
    "prefix_reduce",
    "sort",
    "team",
    "alloc",
    "all_alloc",
    "free",
    "lock_alloc",
    "sem_post",
    "sem_wait",
    "io_read",
    "io_write",
    "io",
    "user",
    "request_short",
    "request_medium",
    "request_long",
    "reply_short",
    "reply_medium",
    "reply_long",
    "request_handler",
    "reply_handler",
    "bytes_in_flight",
    "heap_bytes",
    "mark",
};
static_assert(sizeof kNames / sizeof kNames[0] == kKinds);

}  // namespace

const char* name_of(Kind kind) noexcept {
  const auto number = static_cast<unsigned>(kind);
  return number < kKinds ? kNames[number] : "?";
}

}  // namespace upcr::observe
