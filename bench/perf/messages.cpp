// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/messages.hpp"

#include <atomic>

#include "conduits/core/am_engine.hpp"
#include "conduits/core/job.hpp"
#include "conduits/core/progress.hpp"

namespace perf {
namespace {

using upcr::AmCategory;
using upcr::AmMessage;
using upcr::AmToken;
using upcr::job;

std::atomic<std::uint64_t> asked{0}, answered{0};
std::uint64_t served = 0, awaited = 0;  // of the one thread that serves or asks

AmMessage message(const void* data, std::size_t bytes) {
  AmMessage m;
  m.category = bytes != 0 ? AmCategory::kMedium : AmCategory::kShort;
  m.internal = true;
  m.handler = static_cast<std::uint8_t>(upcr::InternalHandler::kTest);
  m.data = data;
  m.bytes = bytes;
  return m;
}

// Requests are answered in kind.
void on_message(AmToken& token, const std::uint32_t*, unsigned, void* data, std::size_t bytes, void*) {
  if (token.is_request) {
    asked.fetch_add(1, std::memory_order_release);
    token.engine.reply(token, message(data, bytes));
  } else {
    answered.fetch_add(1, std::memory_order_release);
  }
}

}  // namespace

void register_messages() { job().engine->set_internal(upcr::InternalHandler::kTest, on_message, nullptr); }
const char* conduit_name() { return job().conduit->name(); }
std::size_t largest_medium() { return job().engine->max_medium(); }
bool in_other_process(unsigned thread) { return job().topology.rank_of[thread] != job().topology.rank; }

void ask(unsigned thread, const void* data, std::size_t bytes, std::uint64_t times) {
  const upcr::Rank to = job().topology.rank_of[thread];
  const AmMessage m = message(data, bytes);
  for (std::uint64_t i = 0; i < times; ++i) {
    ++awaited;
    job().engine->request(to, m);
    upcr::wait_until(0, {"reply"}, [] { return answered.load(std::memory_order_acquire) == awaited; });
  }
}

void serve(std::uint64_t times) {
  served += times;
  upcr::wait_until(job().topology.my_first_slot(), {"request"},
                   [] { return asked.load(std::memory_order_acquire) >= served; });
}

}  // namespace perf
