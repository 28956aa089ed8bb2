// SPDX-License-Identifier: BSD-3-Clause
// Modules: shared objects that are loaded by name. upcr/LIBRARY/KIND_NAME.so beside the library is linked
// with that library (libupcr, libupcr_debug, libgasnet or libgasnet_debug); else upcr/KIND_NAME.so, which is
// linked with none of them, finds their symbols in the process. Directories of UPCR_MODULE_PATH replace upcr.
// A module exports one object that begins with a ModuleHead. Static libraries have modules linked in, and
// load none. Used by core's registry (conduits) and by bootstraps. Set-up time, main thread.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// One in each library: its address tells which library a module is bound to.
UPCR_MODULE_API extern const char library_mark;

struct ModuleHead {
  std::uint32_t abi;  // version of the kind's interface: modules of another version are refused
  const char* name;
  const void* library = &library_mark;
};

// A kind of modules.
struct ModuleKind {
  const char* what;    // for messages: "conduit"
  const char* prefix;  // of the file's name: "conduit_"
  const char* symbol;  // the exported object
  std::uint32_t abi;
};

// The exported object, or null and the reason. A loaded module stays loaded: its code may be on any thread's
// stack.
struct LoadedModule {
  const ModuleHead* object = nullptr;
  std::string where;   // the file; without an object the reason
  bool there = false;  // a file was found, whether it could be used or not
};

// A module of a static library: the name of the file that it would be otherwise, without ".so", the kind's
// symbol, and its object.
struct LinkedModule {
  std::string_view file, symbol;
  const ModuleHead* object;
};

// The modules of a static library (tools/cmake/UpcrStatic.cmake writes them), which are all that it can use.
// Null: the library is shared, and loads modules.
const std::span<const LinkedModule>* linked_modules();

// Loads PREFIX + `file` + ".so", from the folder of this library if it is there, and looks up the kind's
// object, whose name must be `name`. The same file may hold objects of several kinds.
LoadedModule load_module(const ModuleKind& kind, std::string_view file, std::string_view name);

// The folder of the library, or of the program that it is linked into. Empty: unknown.
std::string library_folder();

// The library's name, as in the name of its file and of the folder of its modules. Empty: it is linked into a
// program.
const char* library_name();

// Whether load_module() would find a file (or a linked module), which it may fail to load.
bool module_file_exists(const ModuleKind& kind, std::string_view file);

// Whether this can be a module's name, which is part of a file's name: no path out of the directory.
bool well_formed_module_name(std::string_view name);

}  // namespace upcr
