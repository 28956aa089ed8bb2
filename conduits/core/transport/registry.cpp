// SPDX-License-Identifier: BSD-3-Clause
// Threads: main thread, at start-up.
#include "conduits/core/transport/registry.hpp"

#include <algorithm>
#include <string_view>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/transport/known_conduits.hpp"

namespace upcr {
namespace {

LogComponent log_conduit("conduit");

constexpr ModuleKind kModuleKind = {"conduit", "conduit_", "upcr_conduit_module", kConduitAbi};

const KnownConduit* find_known(std::string_view name) {
  for (const KnownConduit& k : known_conduits())
    if (name == k.name) return &k;
  return nullptr;
}

[[gnu::cold]] std::string present_names() {
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
  const KnownConduit* known = find_known(name);
  return known != nullptr && known->load != nullptr ? known->load(kModuleKind)
                                                    : load_module(kModuleKind, name, name);
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

// Why this process cannot use the module; empty: it can.
std::string obstacle(const LoadedModule& loaded) {
  if (loaded.object == nullptr) return loaded.where;
  const auto* module = reinterpret_cast<const ConduitModule*>(loaded.object);
  return module->obstacle != nullptr ? module->obstacle() : "it is used only where it is asked for";
}

// The lowest rank that cannot use something, the same on all processes; their number if all can.
Rank first_without(Bootstrap& bootstrap, bool here) {
  std::vector<std::uint8_t> can(bootstrap.size());
  const std::uint8_t mine = here ? 1 : 0;
  bootstrap.allgather(&mine, sizeof mine, can.data());
  return static_cast<Rank>(std::find(can.begin(), can.end(), 0) - can.begin());
}

// "a or b": conduits that connect hosts.
[[gnu::cold]] std::string names_for_hosts() {
  std::string names, last;
  for (const DefaultFor order : {DefaultFor::kSeveralHosts, DefaultFor::kElse})
    for (const KnownConduit& k : known_conduits()) {
      if (k.default_for != order || k.name == last) continue;
      last = k.name;
      names += (names.empty() ? "" : " or ") + last;
    }
  return names;
}

[[gnu::cold]] const char* conduit_for_hosts(Bootstrap& bootstrap) {
  std::string refused, reasons;  // of the conduits that are preferred: "a", "a cannot be used: why; "
  for (const KnownConduit& k : known_conduits()) {
    if (k.default_for != DefaultFor::kSeveralHosts) continue;
    const std::string why_not = obstacle(load(k.name));
    const Rank without = first_without(bootstrap, why_not.empty());
    if (without == bootstrap.size()) {
      UPCR_LOG(log_conduit, kInfo, "%s is chosen: the job is on several hosts, and every process can use it",
               k.name);
      return k.name;
    }
    const std::string why = why_not.empty() ? "rank " + std::to_string(without) + " cannot use it" : why_not;
    refused += std::string(", and not ") + k.name + ": " + why;
    reasons += std::string(k.name) + " cannot be used: " + why + "; ";
  }
  for (const KnownConduit& k : known_conduits()) {
    if (k.default_for != DefaultFor::kElse) continue;
    UPCR_LOG(log_conduit, kInfo, "%s is chosen: the job is on several hosts%s", k.name, refused.c_str());
    const LoadedModule loaded = load(k.name);
    if (loaded.object != nullptr) return k.name;
    fatal(
        "the job has processes on several hosts, which needs conduit %s; %s%s cannot: %s; present: %s; "
        "install one, or start all processes on one host",
        names_for_hosts().c_str(), reasons.c_str(), k.name, loaded.where.c_str(), present_names().c_str());
  }
  fatal("the job has processes on several hosts, and no conduit for them is known; %spresent: %s",
        reasons.c_str(), present_names().c_str());
}

[[gnu::cold]] const char* conduit_for_one_host() {
  for (const KnownConduit& k : known_conduits())
    if (k.default_for == DefaultFor::kOneHost) return k.name;
  fatal("no conduit for jobs on one host is known");
}

}  // namespace

std::vector<ConduitInfo> list_conduits() {
  std::vector<ConduitInfo> all;
  for (const KnownConduit& k : known_conduits()) {
    if (k.create != nullptr) {
      all.push_back({k.name, k.summary, true, "built in"});
      continue;
    }
    const LoadedModule loaded = load_module(kModuleKind, k.file != nullptr ? k.file : k.name, k.name);
    all.push_back({k.name, k.summary, loaded.object != nullptr, loaded.where});
  }
  return all;
}

std::unique_ptr<Conduit> make_conduit(const char* name) { return wrap_conduit(create(name)); }

bool is_default_for_one_host(std::string_view name) {
  const KnownConduit* known = find_known(name);
  return known != nullptr && known->default_for == DefaultFor::kOneHost;
}

const char* suitable_conduit(Bootstrap& bootstrap, bool one_host) {
  return one_host ? conduit_for_one_host() : conduit_for_hosts(bootstrap);
}

}  // namespace upcr
