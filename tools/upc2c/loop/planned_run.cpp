// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/planned_run.hpp"

#include <cstdlib>

namespace upc2c {
namespace {

// The elements in a thread's memory from one of its iterations to the next, for an array in blocks: within a
// block of which several elements are accessed, or by rounds of all threads' blocks.
std::optional<std::int64_t> local_stride(Extent stride, std::int64_t block, Pace pace, std::int64_t threads) {
  if (pace == Pace::kVaries || (pace == Pace::kThreads && stride.threads)) return {};
  const bool times_threads = stride.threads || pace == Pace::kThreads;
  if (times_threads) {
    if (stride.factor % block == 0) return stride.factor;
  } else if (std::abs(stride.factor) * 4 <= block) {
    return stride.factor;
  } else if (threads != 0 && stride.factor % (block * threads) == 0) {
    return stride.factor / threads;
  }
  return {};
}

}  // namespace

bool place(PlannedRun& run, Pace pace, std::int64_t threads) {
  const Extent* stride = &run.run.factor;
  run.stride = *stride;
  if (stride->factor == 0) {  // one element
    run.local = 0;
    return true;
  }
  const std::uint32_t block = run.run.element.block;
  if (block > 1) {
    run.local = local_stride(*stride, block, pace, threads);
    return run.local.has_value();
  }
  if (block == 0) {
    if (pace == Pace::kEach && !stride->threads) run.local = stride->factor;
    return true;
  }
  if (pace == Pace::kThreads && !stride->threads) run.local = stride->factor;
  if (pace != Pace::kEach) return true;
  if (stride->threads)
    run.local = stride->factor;
  else if (threads != 0 && stride->factor % threads == 0)
    run.local = stride->factor / threads;
  return run.local.has_value();
}

// Elements that are not mapped may be fetched before the iterations and written behind them if the loop does
// nothing in between that must see them, or that they must see. Accesses of mapped memory and through private
// pointers concern other memory; runs that overlap are found when the program runs.
std::string_view why_uncopied(const Run& run, const References& references, const BodyFacts& facts) {
  if (facts.calls) return "the loop calls functions";
  if (facts.leaves) return "break, goto or return may end the loop";
  if (references.other_writes || (run.written && references.other_reads))
    return "other accesses of the loop may be of the same elements";
  // Elements that no iteration accesses may be outside of the object, and elements that none writes are not
  // written.
  if (!run.always) return "not every iteration accesses them";
  if (run.written && !run.always_written) return "not every iteration writes them";
  return {};
}

}  // namespace upc2c
