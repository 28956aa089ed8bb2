// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/user/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "bench/perf/measure/job_facts.hpp"

namespace perf::user {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string cpu_model(const utsname& system) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return system.machine;
}

// "L1d 48K, L2 2048K, L3 32768K (CPUs 0-7)": of the first CPU.
std::string caches() {
  std::string text;
  for (unsigned i = 0; i < 8; ++i) {
    const fs::path index = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i);
    const std::string size = first_line(index / "size"), type = first_line(index / "type");
    if (size.empty() || type == "Instruction") continue;
    const std::string shared = first_line(index / "shared_cpu_list");
    text += (text.empty() ? "L" : ", L") + first_line(index / "level") + (type == "Data" ? "d " : " ") + size;
    if (shared.find_first_of(",-") != std::string::npos) text += " (CPUs " + shared + ")";
  }
  return text;
}

// RDMA devices, and network interfaces that have one.
std::string devices() {
  std::string text;
  std::error_code error;
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator("/sys/class/infiniband", error))
    names.insert("RDMA " + entry.path().filename().string());
  for (const auto& entry : fs::directory_iterator("/sys/class/net", error)) {
    const fs::path driver = fs::read_symlink(entry.path() / "device/driver", error);
    if (!error) names.insert(entry.path().filename().string() + " (" + driver.filename().string() + ")");
  }
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

unsigned allowed_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 0;
}

}  // namespace

Machine this_machine() {
  Machine m;
  utsname system{};
  (void)uname(&system);
  m.cores = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  m.load = std::strtod(first_line("/proc/loadavg").c_str(), nullptr);
  // That of conduit mpi begins "mpi: Open MPI 4.1.4, ...".
  const std::string network = network_description();
  const bool over_mpi = network.rfind("mpi: ", 0) == 0;
  char load[32];
  std::snprintf(load, sizeof load, "%.2f", m.load);
  m.facts = {{"CPU", cpu_model(system)},
             {"cores", std::to_string(m.cores) + ", " + std::to_string(allowed_cores()) + " for a process"},
             {"caches", caches()},
             {"kernel", std::string(system.sysname) + " " + system.release},
             {"network", network},
             {"MPI", over_mpi ? network.substr(5, network.find(',') - 5) : "not in this job"},
             {"devices", devices()},
             {"load before", load}};
  return m;
}

}  // namespace perf::user
