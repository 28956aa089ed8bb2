// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/startup/end_of_observation.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "upcr/barrier/check.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/observe/report/report.hpp"
#include "upcr/observe/settings.hpp"
#include "upcr/observe/thread.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

// All threads have come to the end of their program: one that has not would wait for this one in vain, and
// that is reported here as at the last barrier.
void wait_for_end(ThreadCtx& c) {
  job().barrier.notify(c.thread, {BarrierKind::kExit, 0});
  check_barrier(c, job().barrier.wait(c.thread));
}

constexpr unsigned kSizeTag = 0, kBlockTag = 1;

void send(coll::Call& call, const std::vector<char>& block) {
  const std::uint64_t size = block.size();
  call.send(0, kSizeTag, &size, sizeof size);
  call.send(0, kBlockTag, block.data(), block.size());
}

std::vector<char> receive(coll::Call& call, coll::TeamRank from) {
  std::uint64_t size = 0;
  call.recv(from, kSizeTag, &size, sizeof size);
  std::vector<char> block(size);
  call.recv(from, kBlockTag, block.data(), block.size());
  return block;
}

observe::Profile new_profile() {
  observe::Profile profile;
  profile.program = program_invocation_short_name;
  profile.conduit = job().conduit->name();
  profile.threads_of_job = runtime().threads;
  return profile;
}

void write(const observe::Profile& profile) {
  std::fflush(stdout);  // the summary follows what the program has written
  const std::string& file = observe::settings().statistics_file;
  if (!file.empty() && !write_json(profile, file.c_str()))
    warn("UPCR_STATS=%s: cannot write the file: %s; the summary is printed only", file.c_str(),
         std::strerror(errno));
  const std::string text = summary_of(profile, file);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void report_observations(ThreadCtx& c) {
  if (c.observed == nullptr) return;
  const std::vector<char> mine = c.observed->block();
  observe::end_thread(c);
  wait_for_end(c);
  coll::Call call(c, coll::world(c), "the end of statistics", coll::kInNoSync | coll::kOutNoSync);
  call.enter();
  if (c.thread != 0) {
    send(call, mine);
  } else {
    observe::Profile profile = new_profile();
    profile.complete = true;
    for (coll::TeamRank i = 0; i < call.team().size; ++i)
      if (!profile.add(i == 0 ? mine : receive(call, i)))
        warn("statistics: those of UPC thread %u are damaged", i);
    write(profile);
  }
  call.leave();
}

void report_own_observations() {
  ThreadCtx* const c = ctx_or_null();
  if (c == nullptr || c->observed == nullptr) return;
  observe::Profile profile = new_profile();
  (void)profile.add(c->observed->block());
  observe::end_thread(*c);
  write(profile);
}

}  // namespace upcr
