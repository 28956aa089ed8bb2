// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/binding/cpus.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#if UPCRUN_HAS_HWLOC
#  include <hwloc.h>
#endif

namespace upcrun {
namespace {

#if UPCRUN_HAS_HWLOC
class Topology {
 public:
  // `synthetic`: the description of a machine that does not exist, or null.
  explicit Topology(const char* synthetic) {
    // Plugins find graphics cards and the like, which takes longer than all the rest.
    const bool plugins_chosen = std::getenv(kPlugins) != nullptr;
    if (!plugins_chosen) (void)::setenv(kPlugins, "/dev/null", 0);
    initialized_ = ::hwloc_topology_init(&topology_) == 0;
    if (!plugins_chosen) (void)::unsetenv(kPlugins);
    if (!initialized_) return;
    if (synthetic != nullptr && ::hwloc_topology_set_synthetic(topology_, synthetic) != 0) return;
    // The kernel's files alone: the component x86 would run on each CPU in turn, and wait for it.
    if (synthetic == nullptr)
      (void)::hwloc_topology_set_components(topology_, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    loaded_ = ::hwloc_topology_load(topology_) == 0;
  }
  ~Topology() {
    if (initialized_) ::hwloc_topology_destroy(topology_);
  }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  std::vector<Cpu> cpus() const {
    std::vector<Cpu> all;
    const int count = loaded_ ? ::hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PU) : 0;
    for (int i = 0; i < count; ++i) {
      const hwloc_obj_t pu = ::hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PU, static_cast<unsigned>(i));
      Cpu cpu{.number = static_cast<int>(pu->os_index), .core = pu->logical_index};
      if (const hwloc_obj_t core = ::hwloc_get_ancestor_obj_by_type(topology_, HWLOC_OBJ_CORE, pu))
        cpu.core = core->logical_index;
      if (const hwloc_obj_t socket = ::hwloc_get_ancestor_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, pu))
        cpu.socket = socket->logical_index;
      cpu.numa = numa_node_of(pu);
      all.push_back(cpu);
    }
    return all;
  }

 private:
  // NUMA nodes are no ancestors in hwloc: they are attached to objects that have the same CPUs.
  unsigned numa_node_of(hwloc_obj_t pu) const {
    for (hwloc_obj_t node = nullptr;
         (node = ::hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
      if (::hwloc_bitmap_isset(node->cpuset, pu->os_index) != 0) return node->logical_index;
    return 0;
  }

  static constexpr const char* kPlugins = "HWLOC_PLUGINS_PATH";
  hwloc_topology_t topology_ = nullptr;
  bool initialized_ = false, loaded_ = false;
};
#endif

// Numbers the hardware threads of each core, of those that may be used, and sorts.
void put_in_order(std::vector<Cpu>& cpus) {
  std::map<unsigned, unsigned> threads;
  for (Cpu& cpu : cpus) cpu.thread = threads[cpu.core]++;
  std::stable_sort(cpus.begin(), cpus.end(), [](const Cpu& a, const Cpu& b) {
    return std::tie(a.thread, a.socket, a.numa, a.core) < std::tie(b.thread, b.socket, b.numa, b.core);
  });
}

}  // namespace

std::vector<Cpu> cpus_in_order(const std::vector<int>& allowed) {
  std::vector<Cpu> cpus;
#if UPCRUN_HAS_HWLOC
  cpus = Topology(nullptr).cpus();
  std::erase_if(cpus, [&allowed](const Cpu& cpu) {
    return std::find(allowed.begin(), allowed.end(), cpu.number) == allowed.end();
  });
#endif
  if (cpus.size() == allowed.size()) {
    put_in_order(cpus);
    return cpus;
  }
  cpus.clear();
  for (const int number : allowed)
    cpus.push_back({.number = number, .core = static_cast<unsigned>(cpus.size())});
  return cpus;
}

std::vector<Cpu> cpus_of_synthetic(const std::string& machine) {
  std::vector<Cpu> cpus;
#if UPCRUN_HAS_HWLOC
  cpus = Topology(machine.c_str()).cpus();
  put_in_order(cpus);
#else
  (void)machine;
#endif
  return cpus;
}

}  // namespace upcrun
