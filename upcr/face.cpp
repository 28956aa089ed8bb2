// SPDX-License-Identifier: BSD-3-Clause
// The UPC face: how failures below are worded and how they end the job for a UPC program.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>

#include "conduits/base/config.hpp"
#include "conduits/base/report.hpp"
#include "conduits/base/text.hpp"
#include "conduits/core/job.hpp"
#include "upcr/runtime.hpp"

namespace upcr {
namespace {

const ConfigVar kVars[] = {
    {"UPC_WARN_FATAL", ConfigType::kBool, "no", "end the job at the first warning"},
};
const ConfigTable table("messages", kVars);

// "UPC thread 3 of 4, rank 1, at heat.upc:12". Also in signal handlers.
std::size_t identity(char* buf, std::size_t size) {
  const Runtime& r = runtime();
  SafeText text(buf, size);
  const ThreadCtx* c = ctx_or_null();
  if (c != nullptr) text.add("UPC thread ").add_number(c->thread).add(" of ").add_number(r.threads).add(", ");
  if (r.stage.load() != Stage::kNone) text.add("rank ").add_number(job().topology.rank);
  if (c != nullptr && c->file != nullptr)
    text.add(", at ").add(c->file).add(":").add_number(static_cast<std::uint64_t>(c->line));
  return text.size();
}

std::atomic<bool> flushed{false};

void* flush_all(void*) {
  std::fflush(nullptr);
  flushed.store(true);
  return nullptr;
}

// Writes buffered output of this process. A thread that waits for input holds the lock of its stream, and
// fflush(nullptr) wants all of them: so another thread tries, and this one goes on without it after a second.
void flush_or_give_up() {
  pthread_t helper;
  if (pthread_create(&helper, nullptr, flush_all, nullptr) != 0) return;
  for (int ms = 0; ms < 1000 && !flushed.load(); ++ms) {
    const timespec one_ms = {0, 1'000'000};
    nanosleep(&one_ms, nullptr);
  }
}

void end_job(int status) {
  flush_or_give_up();
  if (getpid() == runtime().pid && job().bootstrap != nullptr) job().bootstrap->abort(status);
  _exit(status);
}

bool warnings_are_fatal() { return config_bool("UPC_WARN_FATAL"); }

constexpr Face kUpcFace = {"UPC Runtime error: ", "UPC Runtime warning: ", identity, end_job, warnings_are_fatal};

}  // namespace

void install_upc_face() { set_face(&kUpcFace); }

std::size_t describe_address(const void* address, char* buf, std::size_t size) {
  const Job& j = job();
  SafeText text(buf, size);
  if (!j.attached) return 0;
  const auto a = reinterpret_cast<std::uintptr_t>(address);
  const Topology& t = j.topology;
  const std::uintptr_t reach = j.segments.has_window ? std::uintptr_t{1} << j.segments.stride_bits : j.segments.bytes;
  for (Slot s = t.window_first_slot(); s < t.window_first_slot() + t.window_slots(); ++s) {
    const std::uintptr_t base = j.segments.mapped[s];
    if (base == 0 || a - base >= reach) continue;
    text.add(a - base < j.segments.bytes ? "in" : "past the end of").add(" the shared memory of UPC thread ");
    text.add_number(s).add(", at offset ").add_address(a - base).add(" of ").add_address(j.segments.bytes);
    break;
  }
  return text.size();
}

}  // namespace upcr
