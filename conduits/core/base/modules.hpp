// SPDX-License-Identifier: BSD-3-Clause
// Parts of upcr that are loaded by name: upcr/LIBRARY/KIND_NAME.so beside the library, linked with that
// library (libupcr, libupcr_debug, libgasnet or libgasnet_debug), or else upcr/KIND_NAME.so, which links none
// of them and takes their symbols from the process; or in a directory of UPCR_MODULE_PATH instead of upcr. A
// module exports one object that begins with a ModuleHead. Used by core's registry (conduits) and by
// bootstraps. Set-up time, main thread.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// Each library has one of its own: by its address a module tells which library it is bound to.
UPCR_MODULE_API extern const char library_mark;

struct ModuleHead {
  std::uint32_t abi;  // of the kind's interface: modules of another number are refused
  const char* name;
  const void* library = &library_mark;
};

// What is asked for.
struct ModuleKind {
  const char* what;    // for messages: "conduit"
  const char* prefix;  // of the file's name: "conduit_"
  const char* symbol;  // the exported object
  std::uint32_t abi;
};

// The exported object, or null and why. A loaded module stays loaded: its code may be on any thread's stack.
struct LoadedModule {
  const ModuleHead* object = nullptr;
  std::string where;   // the file; or the reason why there is none
  bool there = false;  // a file was found, whether it could be used or not
};

// Loads PREFIX + `file` + ".so", rather from the folder of this library, and looks for the kind's object,
// which must say that it is `name`. The same file may hold objects of several kinds.
LoadedModule load_module(const ModuleKind& kind, std::string_view file, std::string_view name);

// The folder of the file that holds this code: the library, or a program that it is linked into. Empty:
// unknown.
std::string library_folder();

// The name of the library that holds this code, as in the name of its file, and of the folder with its
// modules; empty: a program that holds it.
const char* library_name();

// Whether there is a file for it.
bool module_file_exists(const ModuleKind& kind, std::string_view file);

// Could a module be called that? (A module is a file name: nothing that leads out of the directory.)
bool well_formed_module_name(std::string_view name);

}  // namespace upcr
