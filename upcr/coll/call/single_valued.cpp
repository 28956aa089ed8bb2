// SPDX-License-Identifier: BSD-3-Clause
// Comparing arguments of all members: see single_valued.hpp. The first member's thread has a board in its
// host's control memory. Whoever calls brings what it was called with: the first one to come leaves it there,
// the others compare, themselves or by a handler. A place is used again by a later call, so a thread that is
// many calls behind is compared with nobody.
#include "upcr/coll/call/single_valued.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

#include "conduits/core/base/report/report.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/coll/call/blame.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/state/handlers.hpp"

namespace upcr::coll {

void let_others_speak() {
#if UPCR_DEBUG
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < deadline) {
    make_progress();
    usleep(1000);
  }
#endif
}

void blame_sizes(const char* function, TeamRank from, std::size_t got, std::size_t bytes) {
  let_others_speak();
  fatal(
      "%s: member %u of the team sent %zu bytes where %zu are expected; do all threads pass the same "
      "arguments?",
      function, from, got, bytes);
}

#if UPCR_DEBUG
namespace {

constexpr unsigned kMostWords = 8, kNameBytes = 16, kFunctionBytes = 48, kPlaces = 32;

struct Claim {
  std::uint64_t team;
  std::uint32_t call;
  Slot thread;
  std::uint64_t count;
  std::uint64_t values[kMostWords];
  char names[kMostWords][kNameBytes];
  char function[kFunctionBytes];
};

// Who writes to a thread in a permutation.
struct Writer {
  std::uint64_t team;
  std::uint32_t call;
  Slot thread;
};

struct Board {
  SpinLock lock;
  Claim places[kPlaces];  // call 0: empty
  Writer writers[kPlaces];
};

NodeMemory::Area area;

Board& board_of(Slot thread) {
  const Topology& t = job().topology;
  return job().node_memory.at<Board>(area)[thread - t.window_first_slot()];
}

void copy_text(char* to, const char* from, std::size_t size) {
  const std::size_t n = std::min(std::strlen(from), size - 1);
  std::memcpy(to, from, n);
  to[n] = 0;
}

void compare(const Claim& first, const Claim& other) {
  if (std::strcmp(first.function, other.function) != 0)
    fatal("UPC thread %u calls %s where thread %u calls %s; all threads must make the same collective calls",
          first.thread, first.function, other.thread, other.function);
  for (std::uint64_t i = 0; i < first.count && i < kMostWords; ++i) {
    if (first.values[i] == other.values[i]) continue;
    const auto a = static_cast<unsigned long long>(first.values[i]),
               b = static_cast<unsigned long long>(other.values[i]);
    fatal(
        "%s: argument %s is %llu (%#llx) on UPC thread %u, but %llu (%#llx) on thread %u; all threads must "
        "pass the same",
        first.function, first.names[i], a, a, first.thread, b, b, other.thread);
  }
}

void bring(Board& board, const Claim& claim) {
  Claim first;
  {
    const std::lock_guard guard(board.lock);
    Claim& place = board.places[claim.call % kPlaces];
    if (place.call != claim.call || place.team != claim.team) place = claim;
    first = place;
  }
  compare(first, claim);
}

void bring(Board& board, const Writer& writer, Slot target) {
  Writer first;
  {
    const std::lock_guard guard(board.lock);
    Writer& place = board.writers[writer.call % kPlaces];
    if (place.call != writer.call || place.team != writer.team) place = writer;
    first = place;
  }
  if (first.thread != writer.thread)
    fatal("upc_all_permute: argument perm is no permutation: perm[%u] and perm[%u] are both %u", first.thread,
          writer.thread, target);
}

// home + claim, or writer
void on_claim(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
              void*) {
  const Topology& t = job().topology;
  if (nargs != 1 || args[0] - t.my_first_slot() >= t.my_slots() ||
      (bytes != sizeof(Claim) && bytes != sizeof(Writer)))
    fatal("rank %u sent arguments of a collective that make no sense", token.source);
  if (bytes == sizeof(Claim)) {
    Claim claim;
    std::memcpy(&claim, data, sizeof claim);
    bring(board_of(args[0]), claim);
  } else {
    Writer writer;
    std::memcpy(&writer, data, sizeof writer);
    bring(board_of(args[0]), writer, args[0]);
  }
}

void send_to(Slot home, const void* data, std::size_t bytes) {
  AmMessage message;
  message.category = AmCategory::kMedium;
  message.internal = true;
  message.handler = static_cast<std::uint8_t>(UpcHandler::kCollClaim);
  message.args = {&home, 1};
  message.data = data;
  message.bytes = bytes;
  job().engine->request(job().topology.rank_of[home], message);
}

}  // namespace
#endif

void check_single_valued(Call& call, const char* const* names, const std::uint64_t* values, unsigned count) {
#if UPCR_DEBUG
  UPCR_ASSERT(count <= kMostWords);
  Claim claim{};
  claim.team = call.team().key;
  claim.call = call.number();
  claim.thread = call.ctx().thread;
  claim.count = count;
  copy_text(claim.function, call.function(), sizeof claim.function);
  for (unsigned i = 0; i < count; ++i) {
    claim.values[i] = values[i];
    copy_text(claim.names[i], names[i], kNameBytes);
  }
  const Slot home = call.team().thread_of(0);
  if (job().segments.mapped[home] != 0) return bring(board_of(home), claim);
  send_to(home, &claim, sizeof claim);
#else
  (void)call, (void)names, (void)values, (void)count;
#endif
}

void check_only_one(Call& call, TeamRank target) {
#if UPCR_DEBUG
  const Slot home = call.team().thread_of(target);
  const Writer writer{call.team().key, call.number(), call.ctx().thread};
  if (job().segments.mapped[home] != 0) return bring(board_of(home), writer, home);
  send_to(home, &writer, sizeof writer);
#else
  (void)call, (void)target;
#endif
}

void plan_single_valued(Job& job) {
#if UPCR_DEBUG
  area = job.node_memory.reserve(job.topology.window_slots() * sizeof(Board));
#else
  (void)job;
#endif
}

void register_single_valued(AmEngine& engine) {
#if UPCR_DEBUG
  engine.set_internal(UpcHandler::kCollClaim, on_claim, nullptr);
#else
  (void)engine;
#endif
}

}  // namespace upcr::coll
