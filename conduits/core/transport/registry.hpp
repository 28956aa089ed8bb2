// SPDX-License-Identifier: BSD-3-Clause
// Finds and creates conduits. A conduit is built into the library, or it is a module (upcr/conduit_NAME.so
// beside the library) that is loaded by name, so that a program depends on no network library that it does
// not use. The table of known conduits is conduits/net/known.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

inline constexpr std::uint32_t kConduitAbi = 14;  // modules of another number are refused

// How well a conduit has to suit a job on several hosts whose user has chosen none.
enum class Preference : std::uint8_t {
  kPreferred,   // this network is what the hosts are connected by
  kLastResort,  // messages get through, and no other conduit can be used
};

// The object that a module exports under the name `upcr_conduit_module`.
struct ConduitModule {
  ModuleHead head;
  std::unique_ptr<Conduit> (*create)();
  // Why this network cannot or should not be used on this host, in words; empty: it can. Asked before
  // create() if the user has chosen no conduit; cheap. Null: it is used only if the user chooses it.
  std::string (*obstacle)(Preference preference) = nullptr;
};

struct ConduitInfo {
  std::string name, summary;
  bool present;
  std::string where;  // "built in", the module's path, or why it is missing
  std::string
      obstacle;  // why a conduit of a network that is present cannot or should not be used here, or empty
};

// Every known conduit, present or not, for upcr_info.
UPCR_MODULE_API std::vector<ConduitInfo> list_conduits();
// Creates the conduit of this name (UPCR_CONDUIT); fatal, with the reason, if that is impossible.
UPCR_MODULE_API std::unique_ptr<Conduit> make_conduit(const char* name);
// The name of the conduit for a job whose user has chosen none, by the table of known conduits (DefaultFor);
// fatal if none can be used. Collective.
UPCR_MODULE_API const char* suitable_conduit(Bootstrap& bootstrap, bool one_host);
// Is this the conduit of jobs on one host whose user has chosen none?
bool is_default_for_one_host(std::string_view name);

}  // namespace upcr
