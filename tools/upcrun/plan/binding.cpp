// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/binding.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

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

// Reading the machine takes some milliseconds, which a job that is not bound need not spend.
std::vector<Cpu> cpus_for(Bind mode, unsigned processes) {
  const std::vector<int> allowed = allowed_cpus();
  const bool automatic = mode == Bind::kAuto && processes > 1 && processes <= allowed.size();
  if (automatic || (mode != Bind::kAuto && mode != Bind::kNone)) return cpus_in_order(allowed);
  std::vector<Cpu> cpus;
  for (const int number : allowed) cpus.push_back({number, static_cast<unsigned>(cpus.size()), 0, 0, 0});
  return cpus;
}

// "core 3", "cores 3 4"
std::string list_of(const std::string& name, const std::vector<Cpu>& cpus, unsigned Cpu::*member) {
  std::set<unsigned> numbers;
  for (const Cpu& cpu : cpus) numbers.insert(cpu.*member);
  std::string text = name + (numbers.size() > 1 ? "s" : "");
  for (const unsigned number : numbers) text += " " + std::to_string(number);
  return text;
}

}  // namespace

Binding::Binding(Bind mode, unsigned processes, unsigned width)
    : Binding(mode, processes, width, cpus_for(mode, processes)) {}

Binding::Binding(Bind mode, unsigned processes, unsigned width, std::vector<Cpu> cpus)
    : allowed_(cpus.size()), reason_("not bound") {
  const bool any_width = width == kAnyWidth;
  if (any_width) width = std::max(1u, static_cast<unsigned>(allowed_ / processes));
  if (mode == Bind::kNuma) share_domains(processes, cpus, &Cpu::numa);
  if (mode == Bind::kSocket) share_domains(processes, cpus, &Cpu::socket);
  const bool requested = mode == Bind::kCore || (mode == Bind::kAuto && processes > 1 && !any_width);
  if (!requested) return;
  const std::size_t needed = std::size_t{processes} * width;
  const std::string counts = std::to_string(needed) + " needed, " + std::to_string(allowed_) + " allowed";
  reason_ = "not bound (CPUs: " + counts + ")";
  if (needed <= allowed_)
    share_cores(processes, width, std::move(cpus));
  else if (mode == Bind::kCore)
    throw Failure{2, "--bind core: not enough CPUs (" + counts + "); lower -n, or use --bind none"};
}

void Binding::share_cores(unsigned processes, unsigned width, std::vector<Cpu> cpus) {
  const auto cores = static_cast<std::size_t>(
      std::count_if(cpus.begin(), cpus.end(), [](const Cpu& cpu) { return cpu.thread == 0; }));
  // Where cores must be shared, better by the threads of one process than by two processes.
  if (width > 1 && std::size_t{processes} * width > cores)
    std::stable_sort(cpus.begin(), cpus.end(), [](const Cpu& a, const Cpu& b) {
      return std::tie(a.socket, a.numa, a.core) < std::tie(b.socket, b.numa, b.core);
    });
  for (auto first = cpus.begin(); shares_.size() < processes; first += width)
    shares_.emplace_back(first, first + width);
}

// Consecutive processes are on the same node or socket, in shares as equal as possible.
void Binding::share_domains(unsigned processes, const std::vector<Cpu>& cpus, unsigned Cpu::*domain) {
  std::set<unsigned> numbers;
  for (const Cpu& cpu : cpus) numbers.insert(cpu.*domain);
  const std::vector<unsigned> domains(numbers.begin(), numbers.end());
  for (unsigned rank = 0; rank < processes && !domains.empty(); ++rank) {
    const unsigned number = domains[std::size_t{rank} * domains.size() / processes];
    std::vector<Cpu>& share = shares_.emplace_back();
    std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(share),
                 [domain, number](const Cpu& cpu) { return cpu.*domain == number; });
  }
}

std::vector<int> Binding::cpus(unsigned rank) const {
  std::vector<int> numbers;
  if (bound())
    for (const Cpu& cpu : shares_[rank]) numbers.push_back(cpu.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void Binding::apply(unsigned rank) const {
  if (!bound()) return;
  cpu_set_t* set = CPU_ALLOC(kMaxCpus);
  if (set == nullptr) return;
  const std::size_t bytes = CPU_ALLOC_SIZE(kMaxCpus);
  CPU_ZERO_S(bytes, set);
  for (const Cpu& cpu : shares_[rank]) CPU_SET_S(cpu.number, bytes, set);
  // If a CPU has been taken offline since, the process runs unbound.
  (void)::sched_setaffinity(0, bytes, set);
  CPU_FREE(set);
}

std::string Binding::describe(unsigned rank) const {
  if (!bound()) return reason_;
  std::string text = "CPU";
  for (const int number : cpus(rank)) text += " " + std::to_string(number);
  const std::vector<Cpu>& share = shares_[rank];
  return text + " (" + list_of("socket", share, &Cpu::socket) + ", " +
         list_of("NUMA node", share, &Cpu::numa) + ", " + list_of("core", share, &Cpu::core) + ")";
}

}  // namespace upcrun
