// SPDX-License-Identifier: BSD-3-Clause
// The client API for base/report: the wording of failures, and how they end the job, for a UPC program.
#include <unistd.h>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/system/text.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "conduits/core/bootstrap/launcher/launched.hpp"
#include "conduits/core/progress/current_waits.hpp"
#include "upcr/startup/wait_report.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

const ConfigVar kVars[] = {
    {"UPC_WARN_FATAL", ConfigType::kBool, "no", "end the job at the first warning"},
};
const ConfigTable table("messages", kVars);

// "UPC thread 3 of 4, rank 1, last UPC call at heat.upc:12". Also in signal handlers.
std::size_t identity(char* buf, std::size_t size) {
  const Runtime& r = runtime();
  SafeText text(buf, size);
  const ThreadCtx* c = ctx_or_null();
  if (c != nullptr) text.add("UPC thread ").add_number(c->thread).add(" of ").add_number(r.threads).add(", ");
  if (r.stage.load() != Stage::kNone) text.add("rank ").add_number(job().topology.rank);
  if (c != nullptr && c->file != nullptr)
    text.add(", last UPC call at ").add(c->file).add(":").add_number(static_cast<std::uint64_t>(c->line));
  return text.size();
}

void end_job(int status) {
  (void)flush_all_files();
  if (getpid() == runtime().pid) {
    if (job().bootstrap != nullptr) job().bootstrap->abort(status);
    abort_joined_job(status);
  }
  _exit(status);
}

bool warnings_are_fatal() { return config_bool("UPC_WARN_FATAL"); }

void add_position(SafeText& text, const ThreadCtx& c) {
  const observe::Position at = last_position(c);
  if (at.file != nullptr)
    text.add(", last UPC call at ").add(at.file).add(":").add_number(static_cast<std::uint64_t>(at.line));
}

// "UPC thread 3 waits for 12 ms: barrier, last UPC call at heat.upc:12".
void write_thread(const ThreadCtx& c) {
  char line[1024];
  SafeText text(line, sizeof line);
  text.add("UPC thread ").add_number(c.thread);
  const CurrentWait wait = current_wait(c.thread);
  if (wait.reason.what == nullptr) {
    text.add(" computes");
  } else {
    text.add(" waits");
    if (wait.since_ns != 0)
      text.add(" for ").add_number((ticks_now() - wait.since_ns) / 1'000'000).add(" ms");
    text.add(": ").add(wait.reason.what);
    // A barrier's is a number of core's own.
    if (wait.reason.waits_for != WaitFor::kBarrier) text.add(" (").add_number(wait.reason.detail).add(")");
  }
  add_position(text, c);
  text.end_line();
  write_all(STDERR_FILENO, text.data(), text.size());
}

void write_threads() {
  const Runtime& r = runtime();
  if (r.stage.load() != Stage::kRunning) return;
  for (Slot i = 0; i < r.threads_here; ++i) write_thread(r.contexts[i]);
}

constexpr ClientApi upc_api() {
  ClientApi api = {"UPC Runtime error: ", "UPC Runtime warning: ", identity, end_job, warnings_are_fatal};
  api.write_threads = write_threads;
  return api;
}
constexpr ClientApi kUpcApi = upc_api();

}  // namespace

void install_upc_client_api() { set_client_api(&kUpcApi); }

std::size_t describe_address(const void* address, char* buf, std::size_t size) {
  const Job& j = job();
  SafeText text(buf, size);
  if (!j.attached) return 0;
  const auto a = reinterpret_cast<std::uintptr_t>(address);
  const Topology& t = j.topology;
  const std::uintptr_t reach =
      j.segments.has_reservation ? std::uintptr_t{1} << j.segments.stride_bits : j.segments.bytes;
  for (Slot s = t.window_group_first_slot(); s < t.window_group_first_slot() + t.window_group_slots(); ++s) {
    const std::uintptr_t base = j.segments.mapped[s];
    if (base == 0 || a - base >= reach) continue;
    if (a - base < j.segments.null_bytes) {
      add_null_access(text, s, a - base, j.segments.null_bytes);
      break;
    }
    text.add(a - base < j.segments.bytes ? "in" : "past the end of").add(" the shared memory of UPC thread ");
    text.add_number(s).add(", at offset ").add_address(a - base).add(" of ").add_address(j.segments.bytes);
    break;
  }
  return text.size();
}

}  // namespace upcr
