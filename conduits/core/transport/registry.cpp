// SPDX-License-Identifier: BSD-3-Clause
// Threads: main thread, at start-up.
#include "conduits/core/transport/registry.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
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

std::vector<ConduitInfo> list(bool with_obstacles) {
  std::vector<ConduitInfo> all;
  for (const KnownConduit& k : known_conduits()) {
    if (k.create != nullptr) {
      all.push_back({k.name, k.summary, true, "built in", {}});
      continue;
    }
    const LoadedModule loaded = load_module(kModuleKind, k.file != nullptr ? k.file : k.name, k.name);
    ConduitInfo info{k.name, k.summary, loaded.object != nullptr, loaded.where, {}};
    const auto* const module = reinterpret_cast<const ConduitModule*>(loaded.object);
    // The others wait for a launcher, which says nothing of this host.
    if (with_obstacles && info.present && k.default_for == DefaultFor::kSeveralHosts &&
        module->obstacle != nullptr)
      info.obstacle = module->obstacle(Preference::kLastResort);
    all.push_back(std::move(info));
  }
  return all;
}

[[gnu::cold]] std::string present_names() {
  std::string names, last;
  for (const ConduitInfo& c : list(false)) {
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
    fatal_setting("conduit '%s' (UPCR_CONDUIT) cannot be used: %s; present: %s", name, loaded.where.c_str(),
                  present_names().c_str());
  return create(loaded, name);
}

// Why this process cannot use the conduit; empty: it can.
std::string obstacle(const KnownConduit& known, Preference preference) {
  const LoadedModule loaded = load(known.name);
  if (loaded.object == nullptr) return loaded.where;
  const auto* module = reinterpret_cast<const ConduitModule*>(loaded.object);
  return module->obstacle != nullptr ? module->obstacle(preference) : "it is used only where it is asked for";
}

// The lowest rank that cannot use something, the same on all processes; their number if all can.
Rank first_without(Bootstrap& bootstrap, bool here) {
  std::vector<std::uint8_t> can(bootstrap.size());
  const std::uint8_t mine = here ? 1 : 0;
  bootstrap.allgather(&mine, sizeof mine, can.data());
  return static_cast<Rank>(std::find(can.begin(), can.end(), 0) - can.begin());
}

// The conduits that connect hosts, in the order in which they are tried; one may be there twice.
std::vector<std::pair<const KnownConduit*, Preference>> candidates() {
  std::vector<std::pair<const KnownConduit*, Preference>> found;
  const auto add = [&found](DefaultFor kind, Preference preference) {
    for (const KnownConduit& k : known_conduits()) {
      const bool repeated = !found.empty() && std::string_view(found.back().first->name) == k.name;
      if (k.default_for == kind && !repeated) found.emplace_back(&k, preference);
    }
  };
  add(DefaultFor::kSeveralHosts, Preference::kPreferred);
  add(DefaultFor::kElse, Preference::kPreferred);
  add(DefaultFor::kSeveralHosts, Preference::kLastResort);
  return found;
}

// Conduits that cannot be used, each with the last reason that it has given.
class Refused {
 public:
  void add(std::string name, std::string why) {
    const auto known = std::find_if(all_.begin(), all_.end(), [&](const auto& r) { return r.first == name; });
    if (known != all_.end())
      known->second = std::move(why);
    else
      all_.emplace_back(std::move(name), std::move(why));
  }
  // ", and not NAME: WHY" of each other than `chosen`.
  std::string and_not(std::string_view chosen) const {
    std::string text;
    for (const auto& [name, why] : all_)
      if (name != chosen) text.append(", and not ").append(name).append(": ").append(why);
    return text;
  }
  // "a, b or c", and "NAME cannot be used: WHY; " of each.
  std::string names() const {
    std::string text;
    for (std::size_t i = 0; i < all_.size(); ++i)
      text += (i == 0 ? "" : i + 1 < all_.size() ? ", " : " or ") + all_[i].first;
    return text;
  }
  std::string reasons() const {
    std::string text;
    for (const auto& [name, why] : all_)
      text.append(name).append(" cannot be used: ").append(why).append("; ");
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

[[gnu::cold]] const char* conduit_for_hosts(Bootstrap& bootstrap) {
  Refused refused;
  for (const auto& [known, preference] : candidates()) {
    const std::string why_not = obstacle(*known, preference);
    const Rank without = first_without(bootstrap, why_not.empty());
    if (without == bootstrap.size()) {
      UPCR_LOG(log_conduit, kInfo, "%s is chosen: the job is on several hosts, every process can use it%s",
               known->name, refused.and_not(known->name).c_str());
      return known->name;
    }
    refused.add(known->name,
                why_not.empty() ? "rank " + std::to_string(without) + " cannot use it" : why_not);
  }
  fatal_setting(
      "the job has processes on several hosts, which needs conduit %s; %spresent: %s; install one, or start "
      "all processes on one host",
      refused.names().c_str(), refused.reasons().c_str(), present_names().c_str());
}

[[gnu::cold]] const char* conduit_for_one_host() {
  for (const KnownConduit& k : known_conduits())
    if (k.default_for == DefaultFor::kOneHost) return k.name;
  fatal("no conduit for jobs on one host is known");
}

}  // namespace

std::vector<ConduitInfo> list_conduits() { return list(true); }

std::unique_ptr<Conduit> make_conduit(const char* name) { return wrap_conduit(create(name)); }

bool is_default_for_one_host(std::string_view name) {
  const KnownConduit* known = find_known(name);
  return known != nullptr && known->default_for == DefaultFor::kOneHost;
}

const char* suitable_conduit(Bootstrap& bootstrap, bool one_host) {
  return one_host ? conduit_for_one_host() : conduit_for_hosts(bootstrap);
}

}  // namespace upcr
