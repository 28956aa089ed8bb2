// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/waits/thread_state.hpp"

#include <cstdio>

namespace upcrun {

std::string names_of(const ThreadGroup& threads) {
  if (threads.size() == 1) return "UPC thread " + std::to_string(threads[0]->report.thread);
  std::vector<std::string> parts;
  for (std::size_t first = 0, last; first < threads.size(); first = last + 1) {
    const auto number = [&](std::size_t i) { return threads[i]->report.thread; };
    for (last = first; last + 1 < threads.size() && number(last + 1) == number(last) + 1;) ++last;
    if (last - first < 2) last = first;
    parts.push_back(std::to_string(number(first)));
    if (last != first) parts.back() += " to " + std::to_string(number(last));
  }
  std::string text = "UPC threads " + parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) text += (i + 1 < parts.size() ? ", " : " and ") + parts[i];
  return text;
}

std::string lock_name(const upcr::ThreadReport& report) {
  constexpr unsigned kOffsetBits = 40;
  char text[80];
  std::snprintf(text, sizeof text, "lock at %#llx of UPC thread %u",
                static_cast<unsigned long long>(report.lock & ((std::uint64_t{1} << kOffsetBits) - 1)),
                static_cast<unsigned>(report.lock >> kOffsetBits));
  return text;
}

std::string barrier_name(const upcr::ThreadReport& report) {
  const std::string number = "barrier " + std::to_string(report.barriers + 1);
  return report.barrier_name.empty() ? number : number + " (upc_barrier " + report.barrier_name + ")";
}

std::string activity_of(const upcr::ThreadReport& report, bool many) {
  const std::string waits = many ? "wait" : "waits";
  switch (report.activity) {
    case Activity::kComputes:
      return many ? "compute" : "computes";
    case Activity::kBarrier:
      return waits + " in " + barrier_name(report);
    case Activity::kLock:
      return waits + " for the " + lock_name(report);
    case Activity::kCollective:
      return waits + " in " +
             (report.function.empty()
                  ? "a collective call"
                  : report.function + " (collective call " + std::to_string(report.call) + ")");
    case Activity::kLeft:
      return (many ? "have" : "has") + std::string(" left the program (returned from main or called exit)");
    case Activity::kAnswer:
    case Activity::kWaits:
      break;
  }
  return waits + " for " + report.what;
}

std::string position_of(const upcr::ThreadReport& report) {
  return report.file.empty() ? "" : " at " + report.file + ":" + std::to_string(report.line);
}

}  // namespace upcrun
