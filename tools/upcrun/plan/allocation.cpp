// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/allocation.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

constexpr int kWrongUse = 2;
constexpr unsigned kMaxNumber = 1 << 20;  // of hosts, and of processes of a host

using Variables = std::function<std::string(const char*)>;
using Files = std::function<std::optional<std::string>(const std::string&)>;

[[noreturn]] void not_understood(const std::string& what, const std::string& text) {
  throw Failure{kWrongUse,
                what + ": '" + text + "' is not what the batch system writes; name the hosts by -H"};
}

// A whole number; nothing for other text.
std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kMaxNumber) return std::nullopt;
  return value;
}

unsigned total(const std::vector<Host>& hosts) {
  return std::accumulate(hosts.begin(), hosts.end(), 0u,
                         [](unsigned sum, const Host& host) { return sum + host.slots; });
}

// "1-3,07" in brackets: 1 2 3 07, with the leading zeros of the first number.
std::vector<std::string> expand_range(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::string_view first = item.substr(0, item.find('-'));
    const std::string_view last = item.find('-') == item.npos ? first : item.substr(first.size() + 1);
    const auto from = number(first), to = number(last);
    if (!from || !to || *from > *to || *to - *from >= kMaxNumber)
      not_understood("the host list", std::string(text));
    for (unsigned i = *from; i <= *to; ++i) {
      std::string digits = std::to_string(i);
      if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
      names.push_back(std::move(digits));
    }
    if (item.size() == text.size()) return names;
    text.remove_prefix(item.size() + 1);
  }
}

// One entry of a host list, with any number of brackets.
void expand_entry(const std::string& before, std::string_view entry, std::vector<std::string>& names) {
  const std::size_t open = entry.find('['), close = entry.find(']', open);
  if (open == entry.npos) {
    names.push_back(before + std::string(entry));
    return;
  }
  if (close == entry.npos) not_understood("the host list", std::string(entry));
  for (const std::string& middle : expand_range(entry.substr(open + 1, close - open - 1)))
    expand_entry(before + std::string(entry.substr(0, open)) + middle, entry.substr(close + 1), names);
}

Allocation of_slurm(const Variables& variable) {
  const auto either = [&variable](const char* name, const char* older) {
    const std::string value = variable(name);
    return value.empty() ? variable(older) : value;
  };
  Allocation allocation{BatchSystem::kSlurm, either("SLURM_JOB_ID", "SLURM_JOBID"), {}, 0};
  for (const std::string& name : expand_host_list(either("SLURM_JOB_NODELIST", "SLURM_NODELIST")))
    allocation.hosts.push_back({name, 0});
  const std::string text = either("SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE");
  const std::vector<unsigned> counts = expand_counts(text);
  // In a step the counts are the step's, whose hosts may be fewer.
  if (counts.size() == allocation.hosts.size())
    for (std::size_t i = 0; i < counts.size(); ++i) allocation.hosts[i].slots = counts[i];
  const std::string tasks = either("SLURM_NTASKS", "SLURM_NPROCS");
  if (!tasks.empty()) {
    if (!number(tasks)) not_understood("SLURM_NTASKS", tasks);
    allocation.processes = *number(tasks);
  }
  return allocation;
}

// A line for each process, with its host.
Allocation of_pbs(const Variables& variable, const Files& file) {
  Allocation allocation{BatchSystem::kPbs, variable("PBS_JOBID"), {}, 0};
  const std::string path = variable("PBS_NODEFILE");
  if (path.empty()) return allocation;
  const auto text = file(path);
  if (!text) throw Failure{kWrongUse, "PBS_NODEFILE=" + path + " cannot be read; name the hosts by -H"};
  std::istringstream words(*text);
  for (std::string name; words >> name;) add_host(allocation.hosts, {name, 1});
  allocation.processes = total(allocation.hosts);
  return allocation;
}

// LSB_MCPU_HOSTS: "a 4 b 2"; LSB_HOSTS: "a a a a b b", which LSF leaves out for large jobs.
Allocation of_lsf(const Variables& variable) {
  Allocation allocation{BatchSystem::kLsf, variable("LSB_JOBID"), {}, 0};
  const std::string pairs = variable("LSB_MCPU_HOSTS");
  std::istringstream words(pairs.empty() ? variable("LSB_HOSTS") : pairs);
  for (std::string name, count; words >> name;) {
    if (pairs.empty()) {
      add_host(allocation.hosts, {name, 1});
    } else if (!(words >> count) || !number(count)) {
      not_understood("LSB_MCPU_HOSTS", pairs);
    } else if (*number(count) != 0) {
      add_host(allocation.hosts, {name, *number(count)});
    }
  }
  allocation.processes = total(allocation.hosts);
  return allocation;
}

// Lines "host slots queue processors".
Allocation of_sge(const Variables& variable, const Files& file) {
  Allocation allocation{BatchSystem::kSge, variable("JOB_ID"), {}, 0};
  const std::string path = variable("PE_HOSTFILE");
  const auto text = file(path);
  if (!text) throw Failure{kWrongUse, "PE_HOSTFILE=" + path + " cannot be read; name the hosts by -H"};
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, count;
    if (!(words >> name)) continue;
    if (!(words >> count) || !number(count)) not_understood("PE_HOSTFILE=" + path, line);
    add_host(allocation.hosts, {name, *number(count)});
  }
  allocation.processes = total(allocation.hosts);
  return allocation;
}

}  // namespace

const char* batch_system_name(BatchSystem system) {
  switch (system) {
    case BatchSystem::kSlurm:
      return "Slurm";
    case BatchSystem::kPbs:
      return "PBS";
    case BatchSystem::kLsf:
      return "LSF";
    case BatchSystem::kSge:
      return "SGE";
    case BatchSystem::kNone:
      break;
  }
  return "";
}

std::string Allocation::describe() const { return std::string(batch_system_name(system)) + "'s job " + id; }

std::vector<std::string> expand_host_list(std::string_view text) {
  std::vector<std::string> names;
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size() && !text.empty(); ++i) {
    if (i < text.size() && text[i] == '[') inside = true;
    if (i < text.size() && text[i] == ']') inside = false;
    if (i < text.size() && (text[i] != ',' || inside)) continue;
    if (i == start) not_understood("the host list", std::string(text));
    expand_entry({}, text.substr(start, i - start), names);
    start = i + 1;
  }
  return names;
}

std::vector<unsigned> expand_counts(std::string_view text) {
  std::vector<unsigned> counts;
  const std::string all(text);
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t times = item.find("(x");
    const auto count = number(item.substr(0, times));
    const auto repeats = times == item.npos    ? std::optional<unsigned>(1)
                         : item.ends_with(')') ? number(item.substr(times + 2, item.size() - times - 3))
                                               : std::nullopt;
    if (!count || !repeats || counts.size() + *repeats > kMaxNumber)
      not_understood("the numbers of processes", all);
    counts.insert(counts.end(), *repeats, *count);
    text.remove_prefix(std::min(item.size() + 1, text.size()));
  }
  return counts;
}

Allocation read_allocation(const Variables& variable, const Files& file) {
  if (!variable("SLURM_JOB_ID").empty() || !variable("SLURM_JOBID").empty()) return of_slurm(variable);
  if (!variable("PBS_JOBID").empty()) return of_pbs(variable, file);
  if (!variable("LSB_JOBID").empty()) return of_lsf(variable);
  if (!variable("PE_HOSTFILE").empty()) return of_sge(variable, file);
  return {};
}

Allocation current_allocation() {
  return read_allocation(
      [](const char* name) {
        const char* value = ::secure_getenv(name);
        return std::string(value != nullptr ? value : "");
      },
      [](const std::string& path) -> std::optional<std::string> {
        std::ifstream stream(path);
        if (!stream) return std::nullopt;
        return std::string(std::istreambuf_iterator<char>(stream), {});
      });
}

}  // namespace upcrun
