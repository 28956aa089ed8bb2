// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan.hpp"

#include <algorithm>

#include "tools/upcrun/program.hpp"

namespace upcrun {
namespace {

unsigned choose_pthreads(const Options& options, const std::string& program) {
  if (options.pthreads != 0) return options.pthreads;
  const unsigned built_for = default_pthreads(program);
  return built_for != 0 ? built_for : 1;
}

// The threads of one process as far as upcrun knows them. The nodes of GASNet have threads of their own
// unless the program is GASNET_SEQ; what is unknown but started as a GASNet program counts as one.
unsigned binding_width(const Options& options, const std::string& program, unsigned pthreads) {
  const GasnetMode mode = gasnet_mode(program);
  const bool unknown = mode == GasnetMode::kThreads || (mode == GasnetMode::kUnknown && options.gasnet);
  return unknown ? Binding::kAnyWidth : std::min(pthreads, options.threads);
}

}  // namespace

Plan::Plan(Options wanted)
    : options(std::move(wanted)),
      program(find_program(options.program)),
      pthreads(choose_pthreads(options, program)),
      processes((options.threads + pthreads - 1) / pthreads),
      binding(options.bind, processes, binding_width(options, program, pthreads)) {}

bool Plan::single(unsigned rank) const { return pthreads == 1 || rank * pthreads + 1 == options.threads; }

std::string Plan::thread_range(unsigned rank) const {
  const unsigned first = rank * pthreads, last = std::min(options.threads, first + pthreads) - 1;
  return single(rank) ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

std::string Plan::threads_of(unsigned rank) const {
  return (single(rank) ? "UPC thread " : "UPC threads ") + thread_range(rank);
}

}  // namespace upcrun
