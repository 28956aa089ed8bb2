// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/binding/binding.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

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

Binding::Binding(const BindingRequest& request)
    : Binding(request, cpus_for(request.bind, request.processes)) {}

Binding::Binding(const BindingRequest& request, std::vector<Cpu> cpus)
    : allowed_(cpus.size()), reason_("not bound") {
  const bool any_width = request.width == BindingRequest::kAnyWidth;
  const unsigned width =
      any_width ? std::max(1u, static_cast<unsigned>(allowed_ / request.processes)) : request.width;
  if (request.bind == Bind::kNuma) share_domains(request, cpus, &Cpu::numa);
  if (request.bind == Bind::kSocket) share_domains(request, cpus, &Cpu::socket);
  const bool requested = request.bind == Bind::kCore ||
                         (request.bind == Bind::kAuto && request.processes > 1 && !any_width);
  if (!requested) return;
  const std::size_t needed = std::size_t{request.processes} * width;
  const std::string counts = std::to_string(needed) + " needed, " + std::to_string(allowed_) + " allowed";
  reason_ = "not bound (CPUs: " + counts + ")";
  if (needed <= allowed_)
    share_cores(request, width, std::move(cpus));
  else if (request.bind == Bind::kCore)
    throw Failure{2, "--bind core: not enough CPUs (" + counts + "); lower -n, or use --bind none"};
}

void Binding::share_cores(const BindingRequest& request, unsigned width, std::vector<Cpu> cpus) {
  const auto cores = static_cast<std::size_t>(
      std::count_if(cpus.begin(), cpus.end(), [](const Cpu& cpu) { return cpu.thread == 0; }));
  // Where cores must be shared, better by the threads of one process than by two processes.
  const bool whole_cores = width > 1 && std::size_t{request.processes} * width > cores;
  if (whole_cores || request.map_by == MapBy::kHardwareThread)
    std::stable_sort(cpus.begin(), cpus.end(), [](const Cpu& a, const Cpu& b) {
      return std::tie(a.socket, a.numa, a.core) < std::tie(b.socket, b.numa, b.core);
    });
  if (request.map_by == MapBy::kNuma)
    return deal_over_domains(request.processes, width, std::move(cpus), &Cpu::numa);
  if (request.map_by == MapBy::kSocket)
    return deal_over_domains(request.processes, width, std::move(cpus), &Cpu::socket);
  for (auto first = cpus.begin(); shares_.size() < request.processes; first += width)
    shares_.emplace_back(first, first + width);
}

// Each process gets the next CPUs of the next domain that has enough of them; where none has, those that are
// left.
void Binding::deal_over_domains(unsigned processes, unsigned width, std::vector<Cpu> cpus,
                                unsigned Cpu::*domain) {
  std::map<unsigned, std::vector<Cpu>> domains;
  for (const Cpu& cpu : cpus) domains[cpu.*domain].push_back(cpu);
  auto next = domains.begin();
  while (shares_.size() < processes) {
    std::size_t tried = 0;
    for (; tried < domains.size() && next->second.size() < width; ++tried)
      if (++next == domains.end()) next = domains.begin();
    std::vector<Cpu>& share = shares_.emplace_back();
    if (tried == domains.size()) {
      for (auto& [number, left] : domains)
        while (share.size() < width && !left.empty()) {
          share.push_back(left.front());
          left.erase(left.begin());
        }
      continue;
    }
    const auto end = next->second.begin() + width;
    share.assign(next->second.begin(), end);
    next->second.erase(next->second.begin(), end);
    if (++next == domains.end()) next = domains.begin();
  }
}

// In shares as equal as possible. Consecutive processes are on the same node or socket, unless they are mapped
// to these in turn.
void Binding::share_domains(const BindingRequest& request, const std::vector<Cpu>& cpus,
                            unsigned Cpu::*domain) {
  std::set<unsigned> numbers;
  for (const Cpu& cpu : cpus) numbers.insert(cpu.*domain);
  const std::vector<unsigned> domains(numbers.begin(), numbers.end());
  const bool in_turn = request.map_by == MapBy::kNuma || request.map_by == MapBy::kSocket;
  for (unsigned rank = 0; rank < request.processes && !domains.empty(); ++rank) {
    const unsigned number =
        domains[in_turn ? rank % domains.size() : std::size_t{rank} * domains.size() / request.processes];
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
