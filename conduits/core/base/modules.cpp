// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/modules.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/system/signal_actions.hpp"

namespace upcr {

const char library_mark = 0;

namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_MODULE_PATH", ConfigType::kCode, nullptr,
     "directories of modules, separated by colons; unset: the directory upcr beside the library"},
};
const ConfigTable table("core", kVars);

std::vector<std::string> module_directories() {
  const char* path = config_string("UPCR_MODULE_PATH");
  if (path == nullptr) return {library_folder() + "/upcr"};
  std::vector<std::string> directories;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    rest.remove_prefix(directory.size() < rest.size() ? directory.size() + 1 : directory.size());
    if (!directory.empty()) directories.emplace_back(directory);
  }
  return directories;
}

// The paths at which the file may be: in each directory the one for this library, then the one for any.
std::vector<std::string> candidates(const std::string& file_name) {
  const std::string own = library_name();
  std::vector<std::string> paths;
  for (const std::string& directory : module_directories()) {
    if (!own.empty()) paths.push_back(directory + "/" + own + "/" + file_name);
    paths.push_back(directory + "/" + file_name);
  }
  return paths;
}

std::string file_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "another library";
}

LoadedModule open_module(const ModuleKind& kind, const std::string& file, std::string_view name) {
  // Local: the program's symbols must not be resolved from a module's own libraries.
  void* handle;
  {
    const SavedSignalActions saved;  // libinfinipath, which comes with libfabric, sets handlers
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == nullptr) return {nullptr, std::string("cannot be loaded: ") + dlerror()};
  const auto* object = static_cast<const ModuleHead*>(dlsym(handle, kind.symbol));
  if (object == nullptr)
    return {nullptr, file + " is not a " + kind.what + " module (it has no " + kind.symbol + ")"};
  if (object->abi != kind.abi)
    return {nullptr, file + " was built for another upcr: its interface has version " +
                         std::to_string(object->abi) + ", this library's " + std::to_string(kind.abi)};
  if (object->library != &library_mark)
    return {nullptr, file + " is bound to " + file_of(object->library) +
                         ", which is in this process besides " + file_of(&library_mark) +
                         ": a module that serves both has to be linked with each, as " + "LIBRARY/" +
                         file.substr(file.rfind('/') + 1)};
  if (object->name != name)
    return {nullptr, file + " holds the " + kind.what + " " + object->name + ", not " + std::string(name)};
  return {object, file};
}

const ModuleHead* find_linked(const ModuleKind& kind, std::string_view file) {
  for (const LinkedModule& module : *linked_modules())
    if (module.file == kind.prefix + std::string(file) && module.symbol == kind.symbol) return module.object;
  return nullptr;
}

// Whether the object that is mapped from `base` on is the program itself, whose headers' address the kernel
// passes on.
bool is_program(const void* base) {
  const auto* header = static_cast<const ElfW(Ehdr)*>(base);
  return ::getauxval(AT_PHDR) == reinterpret_cast<std::uintptr_t>(base) + header->e_phoff;
}

}  // namespace

std::string library_folder() {
  Dl_info info{};
  char real[PATH_MAX];  // without the "bin/.." that a run path may bring in
  // The program's own name, as dladdr knows it, is argv[0], which may be anything.
  const bool in_library = dladdr(reinterpret_cast<const void*>(&library_folder), &info) != 0 &&
                          info.dli_fname != nullptr && !is_program(info.dli_fbase);
  if (realpath(in_library ? info.dli_fname : "/proc/self/exe", real) == nullptr) return {};
  const std::string path = real;
  return path.substr(0, path.rfind('/'));
}

LoadedModule load_module(const ModuleKind& kind, std::string_view file, std::string_view name) {
  if (linked_modules() != nullptr) {
    const ModuleHead* const object = find_linked(kind, file);
    if (object != nullptr) return {object, "the program itself", true};
    return {nullptr, "not linked in: the program has a static libupcr without " + std::string(kind.prefix) +
                         std::string(file) + "; link it with the shared one (upcc without -static-libupcr)"};
  }
  const std::string file_name = kind.prefix + std::string(file) + ".so";
  for (const std::string& path : candidates(file_name)) {
    if (access(path.c_str(), F_OK) != 0) continue;
    LoadedModule loaded = open_module(kind, path, name);
    loaded.there = true;
    return loaded;
  }
  std::string searched;
  for (const std::string& directory : module_directories())
    searched += (searched.empty() ? "" : ", ") + directory;
  return {nullptr,
          "not installed: no " + file_name + " in " + (searched.empty() ? "UPCR_MODULE_PATH" : searched)};
}

bool module_file_exists(const ModuleKind& kind, std::string_view file) {
  if (linked_modules() != nullptr) return find_linked(kind, file) != nullptr;
  for (const std::string& path : candidates(kind.prefix + std::string(file) + ".so"))
    if (access(path.c_str(), F_OK) == 0) return true;
  return false;
}

bool well_formed_module_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos;
}

}  // namespace upcr
