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
bool may_be_bound(const BindingRequest& request, std::size_t allowed) {
  if (request.bind == Bind::kAuto) return request.processes > 1 && request.processes <= allowed;
  return request.bind != Bind::kNone;
}

std::vector<Cpu> cpus_for(const BindingRequest& request) {
  const std::vector<int> allowed = allowed_cpus();
  if (may_be_bound(request, allowed.size())) return cpus_in_order(allowed);
  std::vector<Cpu> cpus;
  for (const int number : allowed)
    cpus.push_back({.number = number, .core = static_cast<unsigned>(cpus.size())});
  return cpus;
}

void mark_busy(std::vector<Cpu>& cpus) {
  std::vector<int> numbers;
  for (const Cpu& cpu : cpus) numbers.push_back(cpu.number);
  std::sort(numbers.begin(), numbers.end());
  const std::map<int, unsigned> busy = busy_cpus(numbers);
  for (Cpu& cpu : cpus)
    if (const auto found = busy.find(cpu.number); found != busy.end()) cpu.busy = found->second;
}

// Free cores, then the free hardware threads of cores on which other jobs run, then CPUs that they use.
void put_free_first(std::vector<Cpu>& cpus) {
  std::map<unsigned, unsigned> core;  // the busiest hardware thread of each
  for (const Cpu& cpu : cpus) core[cpu.core] = std::max(core[cpu.core], cpu.busy);
  std::stable_sort(cpus.begin(), cpus.end(), [&core](const Cpu& a, const Cpu& b) {
    return std::tie(a.busy, core[a.core]) < std::tie(b.busy, core[b.core]);
  });
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

Binding::Binding(const BindingRequest& request) {
  std::vector<Cpu> cpus = cpus_for(request);
  allowed_ = cpus.size();
  const bool claims = request.heeds_other_jobs && may_be_bound(request, allowed_);
  if (claims) mark_busy(cpus);
  do {
    shares_.clear();
    share(request, cpus);
  } while (claims && !claim_shares(cpus));
}

Binding::Binding(const BindingRequest& request, std::vector<Cpu> cpus) : allowed_(cpus.size()) {
  share(request, std::move(cpus));
}

// False where another job has claimed one of the CPUs since they were looked at, which is then marked as
// busy. Whole nodes and sockets are not claimed: processes that are bound to them leave their CPUs to others,
// too.
bool Binding::claim_shares(std::vector<Cpu>& cpus) {
  std::set<int> lost;
  std::vector<int> kept;
  for (const std::vector<Cpu>& share : shares_)
    for (const Cpu& cpu : share) {
      kept.push_back(cpu.number);
      if (owns_cpus_ && cpu.busy == 0 && !claims_.claim(cpu.number)) lost.insert(cpu.number);
    }
  if (lost.empty()) claims_.keep_only(kept);
  for (Cpu& cpu : cpus)
    if (lost.contains(cpu.number)) cpu.busy = 1;
  return lost.empty();
}

void Binding::share(const BindingRequest& request, std::vector<Cpu> cpus) {
  put_free_first(cpus);
  const bool any_width = request.width == BindingRequest::kAnyWidth;
  const unsigned width =
      any_width ? std::max(1u, static_cast<unsigned>(allowed_ / request.processes)) : request.width;
  if (request.bind == Bind::kNuma) share_domains(request, cpus, &Cpu::numa);
  if (request.bind == Bind::kSocket) share_domains(request, cpus, &Cpu::socket);
  const bool requested =
      request.bind == Bind::kCore || (request.bind == Bind::kAuto && request.processes > 1 && !any_width);
  if (!requested) return;
  const std::size_t needed = std::size_t{request.processes} * width;
  const std::string counts = std::to_string(needed) + " needed, " + std::to_string(allowed_) + " allowed";
  reason_ = "not bound (CPUs: " + counts + ")";
  owns_cpus_ = needed <= allowed_;
  if (owns_cpus_)
    share_cores(request, width, std::move(cpus));
  else if (request.bind == Bind::kCore)
    throw Failure{2, "--bind core: not enough CPUs (" + counts + "); lower -n, or use --bind none"};
}

void Binding::share_cores(const BindingRequest& request, unsigned width, std::vector<Cpu> cpus) {
  const auto cores = static_cast<std::size_t>(std::count_if(
      cpus.begin(), cpus.end(), [](const Cpu& cpu) { return cpu.thread == 0 && cpu.busy == 0; }));
  // Where cores must be shared, better by the threads of one process than by two processes.
  const bool whole_cores = width > 1 && std::size_t{request.processes} * width > cores;
  if (whole_cores || request.map_by == MapBy::kHardwareThread)
    std::stable_sort(cpus.begin(), cpus.end(), [](const Cpu& a, const Cpu& b) {
      return std::tie(a.busy, a.socket, a.numa, a.core) < std::tie(b.busy, b.socket, b.numa, b.core);
    });
  if (request.map_by == MapBy::kNuma) return deal_over_domains(request.processes, width, cpus, &Cpu::numa);
  if (request.map_by == MapBy::kSocket)
    return deal_over_domains(request.processes, width, cpus, &Cpu::socket);
  for (auto first = cpus.begin(); shares_.size() < request.processes; first += width)
    shares_.emplace_back(first, first + width);
}

// Each process gets the next CPUs of the next domain that has enough of them, free ones as long as there are
// any; where none has, those that are left.
void Binding::deal_over_domains(unsigned processes, unsigned width, const std::vector<Cpu>& cpus,
                                unsigned Cpu::*domain) {
  std::map<unsigned, std::vector<Cpu>> domains;
  unsigned most_busy = 0;
  for (const Cpu& cpu : cpus) {
    domains[cpu.*domain].push_back(cpu);
    most_busy = std::max(most_busy, cpu.busy);
  }
  const auto take = [width](std::vector<Cpu>& from, std::vector<Cpu>& to) {
    const std::size_t count = std::min(from.size(), width - to.size());
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
    to.insert(to.end(), from.begin(), end);
    from.erase(from.begin(), end);
  };
  auto next = domains.begin();
  for (unsigned busy = 0; shares_.size() < processes;) {
    std::size_t tried = 0;
    const auto has_enough = [&] {
      return next->second.size() >= width && next->second[width - 1].busy <= busy;
    };
    for (; tried < domains.size() && !has_enough(); ++tried)
      if (++next == domains.end()) next = domains.begin();
    if (tried == domains.size() && busy < most_busy) {
      ++busy;
      continue;
    }
    std::vector<Cpu>& share = shares_.emplace_back();
    if (tried == domains.size()) {
      for (auto& [number, left] : domains) take(left, share);
    } else {
      take(next->second, share);
      if (++next == domains.end()) next = domains.begin();
    }
  }
}

// In shares as equal as possible. Consecutive processes are on the same node or socket, unless they are
// mapped to these in turn.
void Binding::share_domains(const BindingRequest& request, const std::vector<Cpu>& cpus,
                            unsigned Cpu::*domain) {
  std::map<unsigned, std::size_t> busy;
  for (const Cpu& cpu : cpus) busy[cpu.*domain] += cpu.busy;
  std::vector<unsigned> domains;
  for (const auto& [number, threads] : busy) domains.push_back(number);
  if (request.processes < domains.size()) {
    std::stable_sort(domains.begin(), domains.end(),
                     [&busy](unsigned a, unsigned b) { return busy[a] < busy[b]; });
    domains.resize(request.processes);
    std::sort(domains.begin(), domains.end());
  }
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
  const bool shared = std::any_of(share.begin(), share.end(), [](const Cpu& cpu) { return cpu.busy != 0; });
  return text + " (" + list_of("socket", share, &Cpu::socket) + ", " +
         list_of("NUMA node", share, &Cpu::numa) + ", " + list_of("core", share, &Cpu::core) + ")" +
         (shared ? ", which another job uses too" : "");
}

}  // namespace upcrun
