// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/binding.hpp"

#include <algorithm>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

constexpr int kMaxCpus = 8192;

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t* set = CPU_ALLOC(kMaxCpus);
  if (set == nullptr) return cpus;
  const std::size_t bytes = CPU_ALLOC_SIZE(kMaxCpus);
  CPU_ZERO_S(bytes, set);
  if (::sched_getaffinity(0, bytes, set) == 0)
    for (int cpu = 0; cpu < kMaxCpus; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set)) cpus.push_back(cpu);
  CPU_FREE(set);
  return cpus;
}

}  // namespace

Binding::Binding(Bind mode, unsigned processes, unsigned width) : width_(width), allowed_(allowed_cpus()) {
  const bool any_width = width == kAnyWidth;
  if (any_width) width_ = std::max(1u, static_cast<unsigned>(allowed_.size() / processes));
  const std::size_t cpus_needed = std::size_t{processes} * width_;
  const std::string counts =
      std::to_string(cpus_needed) + " needed, " + std::to_string(allowed_.size()) + " allowed";
  const bool requested = mode == Bind::kCore || (mode == Bind::kAuto && processes > 1 && !any_width);
  bound_ = requested && cpus_needed <= allowed_.size();
  reason_ = requested ? "not bound (CPUs: " + counts + ")" : "not bound";
  if (mode == Bind::kCore && !bound_)
    throw Failure{2, "--bind core: not enough CPUs (" + counts + "); lower -n, or use --bind none"};
}

void Binding::apply(unsigned rank) const {
  if (!bound_) return;
  cpu_set_t* set = CPU_ALLOC(kMaxCpus);
  if (set == nullptr) return;
  const std::size_t bytes = CPU_ALLOC_SIZE(kMaxCpus);
  CPU_ZERO_S(bytes, set);
  for (unsigned i = 0; i < width_; ++i) CPU_SET_S(allowed_[rank * width_ + i], bytes, set);
  // If a CPU has been taken offline since, the process runs unbound.
  (void)::sched_setaffinity(0, bytes, set);
  CPU_FREE(set);
}

std::string Binding::describe(unsigned rank) const {
  if (!bound_) return reason_;
  std::string text = "CPU";
  for (unsigned i = 0; i < width_; ++i) text += " " + std::to_string(allowed_[rank * width_ + i]);
  return text;
}

}  // namespace upcrun
