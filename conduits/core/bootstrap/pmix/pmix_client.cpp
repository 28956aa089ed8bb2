// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/pmix/pmix_client.hpp"

#include <pmix.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "conduits/core/base/report/error.hpp"

namespace upcr::pmix {
namespace {

// Bytes of one value: servers keep values in segments of a few MiB, and some forward each in one message.
constexpr std::size_t kPiece = 16 * 1024;
constexpr unsigned kLauncherSeconds = 10;

void check(pmix_status_t code, const char* what) {
  if (code != PMIX_SUCCESS)
    fatal("%s failed: %s (PMIx error %d); is the launcher's PMIx server still there?", what,
          PMIx_Error_string(code), code);
}

pmix_proc_t process(const Member& me, pmix_rank_t rank) {
  pmix_proc_t proc;
  PMIX_PROC_LOAD(&proc, me.name_space.c_str(), rank);
  return proc;
}

void check_fence(pmix_status_t code) {
  // A member has died. The launcher reports that and ends the others, this process among them.
  if (code == PMIX_ERR_PARTIAL_SUCCESS || code == PMIX_ERR_LOST_CONNECTION)
    for (unsigned left = kLauncherSeconds; left != 0;) left = ::sleep(left);
  check(code, "PMIx_Fence");
}

void fence(const Member& me, bool collect) {
  const pmix_proc_t all_ranks = process(me, PMIX_RANK_WILDCARD);
  pmix_info_t info;
  PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
  const pmix_status_t code = PMIx_Fence(&all_ranks, 1, &info, 1);
  PMIX_INFO_DESTRUCT(&info);
  check_fence(code);
}

// A fence that ends on PMIx's thread.
struct PendingFence {
  std::atomic<bool> ended = false;
  pmix_status_t code = PMIX_SUCCESS;
};
void end_fence(pmix_status_t code, void* pending) {
  auto* const fence = static_cast<PendingFence*>(pending);
  fence->code = code;
  fence->ended.store(true, std::memory_order_release);
}

struct Key {
  char text[PMIX_MAX_KEYLEN + 1];
};
// Servers never delete values, so each collective has keys of its own.
Key key_of(unsigned collective, std::size_t piece) {
  Key key;
  (void)std::snprintf(key.text, sizeof key.text, "upcr.%u.%zu", collective, piece);
  return key;
}

void fetch(const Member& me, Rank rank, const Key& key, char* to, std::size_t bytes) {
  const pmix_proc_t owner = process(me, rank);
  pmix_value_t* value = nullptr;
  check(PMIx_Get(&owner, key.text, nullptr, 0, &value), "PMIx_Get");
  if (value->type != PMIX_BYTE_OBJECT || value->data.bo.size != bytes)
    fatal("rank %u's value %s is not what it put: type %u, %zu bytes instead of %zu", rank, key.text,
          value->type, value->type == PMIX_BYTE_OBJECT ? value->data.bo.size : 0, bytes);
  std::memcpy(to, value->data.bo.bytes, bytes);
  PMIX_VALUE_RELEASE(value);
}

// The number of the next collective of this process: of all of them, since all make the same calls.
unsigned next_collective() {
  static unsigned collective = 0;
  return ++collective;
}

// Puts bytes under keys from `first` on, and gets those of another rank.
void put(unsigned collective, std::size_t first, const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kPiece) {
    pmix_value_t value;
    PMIX_VALUE_CONSTRUCT(&value);
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo.bytes = const_cast<char*>(static_cast<const char*>(from)) + at;  // copied by PMIx_Put
    value.data.bo.size = std::min(kPiece, bytes - at);
    check(PMIx_Put(PMIX_GLOBAL, key_of(collective, first + at / kPiece).text, &value), "PMIx_Put");
  }
}
void fetch(const Member& me, Rank rank, unsigned collective, std::size_t first, void* to, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kPiece)
    fetch(me, rank, key_of(collective, first + at / kPiece), static_cast<char*>(to) + at,
          std::min(kPiece, bytes - at));
}

// On PMIx's thread.
int hang_up_fd = -1;
void on_lost_connection(std::size_t, pmix_status_t, const pmix_proc_t*, pmix_info_t*, std::size_t,
                        pmix_info_t*, std::size_t, pmix_event_notification_cbfunc_fn_t done, void* data) {
  (void)::shutdown(hang_up_fd, SHUT_RDWR);
  if (done != nullptr) done(PMIX_EVENT_ACTION_COMPLETE, nullptr, 0, nullptr, nullptr, data);
}

}  // namespace

Member join() {
  pmix_proc_t me;
  check(PMIx_Init(&me, nullptr, 0), "PMIx_Init");
  Member member;
  member.rank = me.rank;
  member.name_space = me.nspace;
  const pmix_proc_t job = process(member, PMIX_RANK_WILDCARD);
  pmix_value_t* value = nullptr;
  check(PMIx_Get(&job, PMIX_JOB_SIZE, nullptr, 0, &value), "PMIx_Get of the job's size");
  member.size = value->data.uint32;
  PMIX_VALUE_RELEASE(value);
  return member;
}

void allgather(const Member& me, const void* mine, std::size_t bytes, void* all) {
  const unsigned collective = next_collective();
  put(collective, 0, mine, bytes);
  check(PMIx_Commit(), "PMIx_Commit");
  fence(me, true);
  for (Rank r = 0; r < me.size; ++r) fetch(me, r, collective, 0, static_cast<char*>(all) + r * bytes, bytes);
}

std::string broadcast(const Member& me, Rank root, const std::string& text) {
  const unsigned collective = next_collective();
  std::uint64_t length = text.size();
  if (me.rank == root) {
    put(collective, 0, &length, sizeof length);
    put(collective, 1, text.data(), text.size());
    check(PMIx_Commit(), "PMIx_Commit");
  }
  fence(me, true);
  if (me.rank == root) return text;
  fetch(me, root, collective, 0, &length, sizeof length);
  std::string received(length, '\0');
  fetch(me, root, collective, 1, received.data(), length);
  return received;
}

void barrier(const Member& me) { fence(me, false); }

void polling_barrier(const Member& me, const std::function<void()>& poll) {
  const pmix_proc_t all_ranks = process(me, PMIX_RANK_WILDCARD);
  PendingFence pending;
  const pmix_status_t begun = PMIx_Fence_nb(&all_ranks, 1, nullptr, 0, &end_fence, &pending);
  if (begun == PMIX_OPERATION_SUCCEEDED) return;
  check_fence(begun);
  while (!pending.ended.load(std::memory_order_acquire)) poll();
  check_fence(pending.code);
}

int watched_connection() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return -1;
  hang_up_fd = fds[1];
  pmix_status_t codes[] = {
      PMIX_ERR_LOST_CONNECTION,
#ifdef PMIX_ERR_LOST_CONNECTION_TO_SERVER
      PMIX_ERR_LOST_CONNECTION_TO_SERVER  // of PMIx 3
#endif
  };
  if (PMIx_Register_event_handler(codes, std::size(codes), nullptr, 0, on_lost_connection, nullptr, nullptr) <
      0) {
    ::close(fds[0]);
    ::close(fds[1]);
    return -1;
  }
  return fds[0];
}

bool has_left() { return PMIx_Initialized() == 0; }

void leave() { (void)PMIx_Finalize(nullptr, 0); }

bool leave_for_all() {
  while (PMIx_Initialized() != 0)  // counted
    if (PMIx_Finalize(nullptr, 0) != PMIX_SUCCESS) return false;
  return true;
}

void end_job(int status) { (void)PMIx_Abort(status, "", nullptr, 0); }

}  // namespace upcr::pmix
