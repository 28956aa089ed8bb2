// SPDX-License-Identifier: BSD-3-Clause
// The table of conduits. Declared here and defined above, in conduits/net/known.cpp: core names no network.
#pragma once
#include <memory>
#include <span>

#include "conduits/core/transport/conduit.hpp"

namespace upcr {

struct KnownConduit {
  const char* name;
  const char* summary;
  std::unique_ptr<Conduit> (*create)();  // nullptr: a module
  const char* file = nullptr;            // the module's, where that is not the name
};

std::span<const KnownConduit> known_conduits();

// Wraps every conduit that the library creates, where the user asks for it (UPCR_FAULT).
std::unique_ptr<Conduit> wrap_conduit(std::unique_ptr<Conduit> conduit);

}  // namespace upcr
