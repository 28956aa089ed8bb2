// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/startup/end_of_observation.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "upcr/barrier/check.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/observe/report/report.hpp"
#include "upcr/observe/report/timeline.hpp"
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

// Messages of one thread in this call.
enum Tag : unsigned { kBlockSize, kBlock, kPartSize, kPart, kPing };

void send(coll::Call& call, unsigned tag, const std::vector<char>& block) {
  const std::uint64_t size = block.size();
  call.send(0, tag, &size, sizeof size);
  call.send(0, tag + 1, block.data(), block.size());
}

std::vector<char> receive(coll::Call& call, coll::TeamRank from, unsigned tag) {
  std::uint64_t size = 0;
  call.recv(from, tag, &size, sizeof size);
  std::vector<char> block(size);
  call.recv(from, tag + 1, block.data(), block.size());
  return block;
}

// The offset of UPC thread 0's clock from that of a thread on another host, by the quickest of some round
// trips: half of it is the most that the offset is wrong by.
constexpr unsigned kPings = 8;
bool on_other_host(Slot thread) {
  const auto host = [](Slot of) { return runtime().processes[job().topology.rank_of[of]].host; };
  return host(thread) != host(0);
}
void answer_pings(coll::Call& call) {
  for (unsigned i = 0; i < kPings; ++i) {
    std::uint64_t time = 0;
    call.recv(0, kPing + 2 * i, &time, sizeof time);
    time = ticks_now();
    call.send(0, kPing + 2 * i + 1, &time, sizeof time);
  }
}
std::int64_t clock_offset(coll::Call& call, coll::TeamRank thread) {
  std::uint64_t least = ~std::uint64_t{0};
  std::int64_t offset = 0;
  for (unsigned i = 0; i < kPings; ++i) {
    const std::uint64_t before = ticks_now();
    std::uint64_t there = 0;
    call.send(thread, kPing + 2 * i, &before, sizeof before);
    call.recv(thread, kPing + 2 * i + 1, &there, sizeof there);
    const std::uint64_t trip = ticks_now() - before;
    if (trip >= least) continue;
    least = trip;
    offset = static_cast<std::int64_t>(before + trip / 2 - there);
  }
  return offset;
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
  const bool written = !file.empty() && write_json(profile, file.c_str());
  if (!file.empty() && !written)
    warn("UPCR_STATS=%s: cannot write the file: %s; the summary is printed only", file.c_str(),
         std::strerror(errno));
  const std::string text = summary_of(profile, written ? file : "");
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void gather_statistics(coll::Call& call, const std::vector<char>& mine) {
  if (call.ctx().thread != 0) return send(call, kBlockSize, mine);
  observe::Profile profile = new_profile();
  profile.complete = true;
  for (coll::TeamRank i = 0; i < call.team().size; ++i)
    if (!profile.add(i == 0 ? mine : receive(call, i, kBlockSize)))
      warn("statistics: those of UPC thread %u are damaged", i);
  write(profile);
}

void write_timeline(coll::Call& call, std::vector<char> mine) {
  const char* const file = observe::settings().trace_file.c_str();
  std::FILE* const out = std::fopen(file, "we");
  const int error = errno;
  std::FILE* const sink =
      out != nullptr ? out : std::fopen("/dev/null", "we");  // the others send all the same
  if (sink == nullptr) fatal("UPCR_TRACE=%s: cannot write the file: %s", file, std::strerror(error));
  observe::Timeline timeline(sink);
  for (coll::TeamRank i = 0; i < call.team().size; ++i) {
    std::vector<char> part = i == 0 ? std::exchange(mine, {}) : receive(call, i, kPartSize);
    if (on_other_host(i)) {
      const std::int64_t offset = clock_offset(call, i);
      std::memcpy(part.data() + offsetof(observe::PartHeader, clock_offset), &offset, sizeof offset);
    }
    if (!timeline.add(part)) warn("UPCR_TRACE: the trace of UPC thread %u is damaged", i);
  }
  timeline.end();
  const bool written = std::ferror(sink) == 0;
  if (std::fclose(sink) != 0 || !written || out == nullptr)
    return warn("UPCR_TRACE=%s: cannot write the file: %s", file,
                std::strerror(out == nullptr ? error : errno));
  std::fprintf(stderr, "upcr trace: %llu events in %s; open it in ui.perfetto.dev or chrome://tracing\n",
               static_cast<unsigned long long>(timeline.events()), file);
  if (timeline.lost() != 0)
    std::fprintf(
        stderr,
        "upcr trace: %llu earlier events are lost; UPCR_TRACE_EVENTS=%llu keeps all, UPCR_TRACE_KINDS "
        "chooses\n",
        static_cast<unsigned long long>(timeline.lost()),
        static_cast<unsigned long long>(timeline.most_of_a_thread()));
}

void gather_trace(coll::Call& call, observe::Trace& trace) {
  std::vector<char> mine = trace.compact();
  trace.remove_file();
  if (call.ctx().thread == 0) return write_timeline(call, std::move(mine));
  send(call, kPartSize, mine);
  if (on_other_host(call.ctx().thread)) answer_pings(call);
}

}  // namespace

void report_observations(ThreadCtx& c) {
  if (c.observed == nullptr) return;
  const std::vector<char> counts = c.observed->block();
  c.observed->set_on(false);
  wait_for_end(c);
  coll::Call call(c, coll::world(c), "the end of statistics", coll::kInNoSync | coll::kOutNoSync);
  call.enter();
  if (observe::settings().statistics) gather_statistics(call, counts);
  if (c.observed->trace() != nullptr) gather_trace(call, *c.observed->trace());
  call.leave();
  observe::end_thread(c);
}

void report_own_observations() {
  ThreadCtx* const c = ctx_or_null();
  if (c == nullptr || c->observed == nullptr || !observe::settings().statistics) return;
  const std::string& file = observe::settings().statistics_file;
  if (c->observed->record().has_file() && runtime().threads > 1) {
    (void)c->observed->block();  // reads the clocks
    std::fprintf(
        stderr,
        "upcr statistics: UPC thread %u ends the job; what each thread has done is in %s.part*, of which upcrun, or "
        "upcr_report -o %s %s.part*, makes the report\n",
        c->thread, file.c_str(), file.c_str(), file.c_str());
    return;
  }
  observe::Profile profile = new_profile();
  (void)profile.add(c->observed->block());
  observe::end_thread(*c);
  write(profile);
}

}  // namespace upcr
