// SPDX-License-Identifier: BSD-3-Clause
// The table of conduits. Declared here and defined above, in conduits/net/known.cpp: core names no network.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

// When a conduit is used although the user has chosen none.
enum class DefaultFor : std::uint8_t {
  kNoJob,
  kOneHost,  // jobs on one host
  // Jobs on several hosts, if every process can use it (ConduitModule::obstacle). In this order: the first of
  // these that is preferred, the first of the next, and the first of these as a last resort.
  kSeveralHosts,
  kElse,
};

struct KnownConduit {
  const char* name;
  const char* summary;
  DefaultFor default_for = DefaultFor::kNoJob;
  std::unique_ptr<Conduit> (*create)() = nullptr;  // of one that is built in; null: it is a module
  // Of a module that is one of several files: one of them, a row of the table for each, and the function that
  // finds the right one.
  const char* file = nullptr;
  LoadedModule (*load)(const ModuleKind& kind) = nullptr;
};

std::span<const KnownConduit> known_conduits();

// Wraps every conduit that the library creates: with rings to neighbours, and with faults where the user asks
// for them (UPCR_FAULT).
std::unique_ptr<Conduit> wrap_conduit(std::unique_ptr<Conduit> conduit);

}  // namespace upcr
