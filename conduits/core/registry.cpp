// SPDX-License-Identifier: BSD-3-Clause
// Finds conduits: the built-in ones, and modules that are loaded by name. Set-up time, main thread.
#include "conduits/core/registry.hpp"

#include <string_view>

#include "conduits/base/log.hpp"
#include "conduits/base/modules.hpp"
#include "conduits/base/report.hpp"
#include "conduits/bootstrap/mpi_library.hpp"
#include "conduits/smp/smp.hpp"
#if defined(UPCR_DEBUG) && UPCR_DEBUG
#  include "conduits/fault/fault.hpp"
#endif

namespace upcr {
namespace {

LogComponent log_conduit("conduit");

constexpr ModuleKind kModuleKind = {"conduit", "conduit_", "upcr_conduit_module", kConduitAbi};

struct KnownConduit {
  const char* name;
  const char* summary;
  std::unique_ptr<Conduit> (*create)();  // nullptr: a module
  const char* file = nullptr;            // the module's, where that is not the name
};
// The mpi conduit is a module for each MPI library; which one is taken is mpi_library.hpp's.
constexpr KnownConduit kConduits[] = {
    {"smp", "one host, shared memory", make_smp_conduit},
    {"mpi", "several hosts, over Open MPI", nullptr, "mpi_openmpi"},
    {"mpi", "several hosts, over MPICH", nullptr, "mpi_mpich"},
    {"ibv", "several hosts, InfiniBand and RoCE", nullptr},
};

const KnownConduit* find_known(std::string_view name) {
  for (const KnownConduit& k : kConduits)
    if (name == k.name) return &k;
  return nullptr;
}

std::string present_names() {
  std::string names, last;
  for (const ConduitInfo& c : list_conduits()) {
    if (!c.present || c.name == last) continue;
    last = c.name;
    names += (names.empty() ? "" : ", ") + last;
  }
  return names;
}

LoadedModule load(std::string_view name) {
  if (!well_formed_module_name(name)) return {nullptr, "not a conduit's name"};
  return name == "mpi" ? load_mpi_module(kModuleKind) : load_module(kModuleKind, name, name);
}

std::unique_ptr<Conduit> create(const LoadedModule& loaded, const char* name) {
  UPCR_LOG(log_conduit, kInfo, "%s is loaded from %s", name, loaded.where.c_str());
  return reinterpret_cast<const ConduitModule*>(loaded.object)->create();
}

std::unique_ptr<Conduit> create(const char* name) {
  const KnownConduit* known = find_known(name);
  if (known != nullptr && known->create != nullptr) return known->create();
  const LoadedModule loaded = load(name);
  if (loaded.object == nullptr)
    fatal("conduit '%s' (UPCR_CONDUIT) cannot be used: %s; present: %s", name, loaded.where.c_str(),
          present_names().c_str());
  return create(loaded, name);
}

std::unique_ptr<Conduit> create_for_hosts() {
  const LoadedModule loaded = load("mpi");
  if (loaded.object == nullptr)
    fatal(
        "the job has processes on several hosts, which needs conduit mpi, and that cannot be used: %s; "
        "present: %s; install it, or start all processes on one host",
        loaded.where.c_str(), present_names().c_str());
  return create(loaded, "mpi");
}

// What the debug library puts around every conduit.
std::unique_ptr<Conduit> wrap(std::unique_ptr<Conduit> conduit) {
#if defined(UPCR_DEBUG) && UPCR_DEBUG
  return wrap_in_configured_faults(std::move(conduit));
#else
  return conduit;
#endif
}

}  // namespace

std::vector<ConduitInfo> list_conduits() {
  std::vector<ConduitInfo> all;
  for (const KnownConduit& k : kConduits) {
    if (k.create != nullptr) {
      all.push_back({k.name, k.summary, true, "built in"});
      continue;
    }
    const LoadedModule loaded = load_module(kModuleKind, k.file != nullptr ? k.file : k.name, k.name);
    all.push_back({k.name, k.summary, loaded.object != nullptr, loaded.where});
  }
  return all;
}

std::unique_ptr<Conduit> make_conduit(const char* name) { return wrap(create(name)); }

std::unique_ptr<Conduit> make_suitable_conduit(bool one_host) {
  return wrap(one_host ? create("smp") : create_for_hosts());
}

}  // namespace upcr
