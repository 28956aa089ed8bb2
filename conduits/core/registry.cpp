// SPDX-License-Identifier: BSD-3-Clause
// Finds conduits: the built-in ones, and modules that are loaded by name. Set-up time, main thread.
#include "conduits/core/registry.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "conduits/base/config.hpp"
#include "conduits/base/log.hpp"
#include "conduits/base/report.hpp"
#include "conduits/smp/smp.hpp"
#if defined(UPCR_DEBUG) && UPCR_DEBUG
#  include "conduits/fault/fault.hpp"
#endif

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_MODULE_PATH", ConfigType::kString, nullptr,
     "directories of conduit modules, separated by colons; unset: the directory upcr beside the library"},
};
ConfigTable table("core", kVars);
LogComponent log_conduit("conduit");

struct KnownConduit {
  const char* name;
  const char* summary;
  std::unique_ptr<Conduit> (*create)();  // nullptr: a module
};
constexpr KnownConduit kConduits[] = {
    {"smp", "one host, shared memory", make_smp_conduit},
    {"mpi", "several hosts, over any MPI library", nullptr},
    {"ibv", "several hosts, InfiniBand and RoCE", nullptr},
};

const KnownConduit* find_known(std::string_view name) {
  for (const KnownConduit& k : kConduits)
    if (name == k.name) return &k;
  return nullptr;
}

std::string library_directory() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_known), &info) == 0 || info.dli_fname == nullptr) return ".";
  char real[PATH_MAX];  // without the "bin/.." that a run path may bring in
  const std::string file = realpath(info.dli_fname, real) != nullptr ? real : info.dli_fname;
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash);
}

std::vector<std::string> module_directories() {
  const char* path = config_string("UPCR_MODULE_PATH");
  if (path == nullptr) return {library_directory() + "/upcr"};
  std::vector<std::string> directories;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    rest.remove_prefix(directory.size() < rest.size() ? directory.size() + 1 : directory.size());
    if (!directory.empty()) directories.emplace_back(directory);
  }
  return directories;
}

// The module, or why there is none. A loaded module stays loaded: its code may be on any thread's stack.
struct Loaded {
  const ConduitModule* module = nullptr;
  std::string where;
};

Loaded open_module(const std::string& file, const char* name) {
  // Local: a module's own libraries must not answer for the program's symbols.
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, std::string("cannot be loaded: ") + dlerror()};
  const auto* module = static_cast<const ConduitModule*>(dlsym(handle, "upcr_conduit_module"));
  if (module == nullptr) return {nullptr, file + " is not a conduit module (it has no upcr_conduit_module)"};
  if (module->abi != kConduitAbi)
    return {nullptr, file + " was built for another upcr: its interface has number " +
                         std::to_string(module->abi) + ", this library's " + std::to_string(kConduitAbi)};
  if (std::strcmp(module->name, name) != 0)
    return {nullptr, file + " holds the conduit " + module->name + ", not " + name};
  return {module, file};
}

Loaded load_module(const char* name) {
  const std::string file = std::string("/conduit_") + name + ".so";
  std::string looked_in;
  for (const std::string& directory : module_directories()) {
    if (access((directory + file).c_str(), F_OK) == 0) return open_module(directory + file, name);
    looked_in += (looked_in.empty() ? "" : ", ") + directory;
  }
  return {nullptr, "not installed: no " + file.substr(1) + " in " +
                       (looked_in.empty() ? "UPCR_MODULE_PATH" : looked_in)};
}

std::string present_names() {
  std::string names;
  for (const ConduitInfo& c : list_conduits())
    if (c.present) names += (names.empty() ? "" : ", ") + c.name;
  return names;
}

// A module is a file name: nothing that leads out of the directory.
bool well_formed(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos;
}

std::unique_ptr<Conduit> create(const char* name) {
  const KnownConduit* known = find_known(name);
  if (known != nullptr && known->create != nullptr) return known->create();
  const Loaded loaded = well_formed(name) ? load_module(name) : Loaded{nullptr, "not a conduit's name"};
  if (loaded.module == nullptr)
    fatal("conduit '%s' (UPCR_CONDUIT) cannot be used: %s; present: %s", name, loaded.where.c_str(),
          present_names().c_str());
  UPCR_LOG(log_conduit, kInfo, "%s is loaded from %s", name, loaded.where.c_str());
  return loaded.module->create();
}

}  // namespace

std::vector<ConduitInfo> list_conduits() {
  std::vector<ConduitInfo> all;
  for (const KnownConduit& k : kConduits) {
    if (k.create != nullptr) {
      all.push_back({k.name, k.summary, true, "built in"});
      continue;
    }
    const Loaded loaded = load_module(k.name);
    all.push_back({k.name, k.summary, loaded.module != nullptr, loaded.where});
  }
  return all;
}

std::unique_ptr<Conduit> make_conduit(const char* name) {
  auto conduit = create(name);
#if defined(UPCR_DEBUG) && UPCR_DEBUG
  conduit = wrap_in_configured_faults(std::move(conduit));
#endif
  return conduit;
}

}  // namespace upcr
