// SPDX-License-Identifier: BSD-3-Clause
// Which conduits there are. smp is in the library; the others are modules (upcr/conduit_NAME.so beside the
// library) that are loaded by name, so a program depends on no network library it does not use.
// Adding a conduit: one line in the table of conduits/net/known.cpp.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

inline constexpr std::uint32_t kConduitAbi = 7;  // modules of another number are refused

// What a module exports under the name `upcr_conduit_module`.
struct ConduitModule {
  ModuleHead head;
  std::unique_ptr<Conduit> (*create)();
  // Why this network cannot be used on this host, in words; empty: it can. Cheap, before create(), when the
  // user has chosen no conduit. Null: only a user's choice makes it used.
  std::string (*obstacle)() = nullptr;
};

struct ConduitInfo {
  std::string name, summary;
  bool present;
  std::string where;  // "built in", the module's path, or why it is missing
};

// Every conduit the project knows, present or not, for upcr_info.
UPCR_MODULE_API std::vector<ConduitInfo> list_conduits();
// The conduit of this name (UPCR_CONDUIT); fatal with the reason when it cannot be had.
UPCR_MODULE_API std::unique_ptr<Conduit> make_conduit(const char* name);
// The name of the conduit for a job whose user has chosen none: smp on one host, else ibv where every process
// can use it, else mpi; fatal when that is not here. Collective.
UPCR_MODULE_API const char* suitable_conduit(Bootstrap& bootstrap, bool one_host);

}  // namespace upcr
