// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/binding/other_jobs.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "tools/upcrun/binding/cpus.hpp"

namespace upcrun {
namespace {

constexpr const char* kClaim = "upcr-cpu-";  // the CPU's number follows

// "0-3,8" as numbers; those from `end_of_list` on are left out.
std::set<int> parse_list(const std::string& text, int end_of_list) {
  std::set<int> numbers;
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end + 1) {
    const long first = std::strtol(at, &end, 10);
    if (end == at) break;
    long final = first;
    if (*end == '-') final = std::strtol(end + 1, &end, 10);
    for (long cpu = first; cpu <= std::min<long>(final, end_of_list - 1); ++cpu)
      numbers.insert(static_cast<int>(cpu));
    if (*end != ',') break;
  }
  return numbers;
}

// What /proc/PID/status says.
struct ProcessStatus {
  std::string cpus;
  unsigned threads = 1;
  bool has_memory = false;  // the kernel's own threads have none, nor have processes that have ended
};

ProcessStatus read_status(const std::string& file) {
  ProcessStatus status;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    const std::string_view name(line.data(), colon);
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    if (value == line.npos) continue;
    if (name == "VmSize") status.has_memory = true;
    if (name == "Threads") status.threads = static_cast<unsigned>(std::strtoul(&line[value], nullptr, 10));
    if (name == "Cpus_allowed_list") status.cpus = line.substr(value);
  }
  return status;
}

// The threads of processes that are bound to some of the CPUs, on each CPU: those of one process are taken to
// be spread over its CPUs.
std::map<int, double> bound_threads(const std::vector<int>& allowed, const std::string& proc) {
  std::map<int, double> threads;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(proc, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!std::isdigit(static_cast<unsigned char>(name[0]))) continue;
    const ProcessStatus status = read_status(entry.path().string() + "/status");
    if (!status.has_memory) continue;
    const std::set<int> cpus = parse_list(status.cpus, kMaxCpus);
    // One that may use all that this process may use has no CPUs of its own.
    if (std::includes(cpus.begin(), cpus.end(), allowed.begin(), allowed.end())) continue;
    for (const int cpu : cpus) threads[cpu] += status.threads / static_cast<double>(cpus.size());
  }
  return threads;
}

// The CPUs that jobs of upcrun have claimed.
std::set<int> claimed_cpus(const std::string& proc) {
  std::set<int> cpus;
  const std::string mark = std::string("@") + kClaim;
  std::ifstream lines(proc + "/net/unix");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.rfind(' ') + 1;
    if (line.compare(name, mark.size(), mark) == 0) cpus.insert(std::atoi(&line[name + mark.size()]));
  }
  return cpus;
}

}  // namespace

bool CpuClaims::claim(int cpu) {
  if (sockets_.contains(cpu)) return true;
  const std::string name = kClaim + std::to_string(cpu);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const UniqueFd made(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  UniqueFd socket(::fcntl(made.get(), F_DUPFD_CLOEXEC, 3));  // not in the place of a closed standard stream
  if (!socket) return true;                                  // out of descriptors: then without claims
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
    return errno != EADDRINUSE;
  sockets_.emplace(cpu, std::move(socket));
  return true;
}

void CpuClaims::keep_only(const std::vector<int>& cpus) {
  std::erase_if(sockets_, [&cpus](const auto& claim) {
    return std::find(cpus.begin(), cpus.end(), claim.first) == cpus.end();
  });
}

std::map<int, unsigned> busy_cpus(const std::vector<int>& allowed, const std::string& proc) {
  std::map<int, unsigned> busy;
  if (allowed.empty()) return busy;
  // Two processes that are bound to the same eight CPUs leave each of these free.
  for (const auto& [cpu, threads] : bound_threads(allowed, proc))
    if (const auto whole = static_cast<unsigned>(threads + 1e-6); whole != 0) busy[cpu] = whole;
  for (const int cpu : claimed_cpus(proc)) busy[cpu] = std::max(busy[cpu], 1u);
  std::erase_if(busy, [&allowed](const auto& cpu) {
    return !std::binary_search(allowed.begin(), allowed.end(), cpu.first);
  });
  return busy;
}

}  // namespace upcrun
