// SPDX-License-Identifier: BSD-3-Clause
// Remote memory access by active messages, for conduits that have only these.
// Private to core/rma and its tests. Not from a handler.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/memory/access_guard.hpp"
#include "conduits/core/model/completion.hpp"

namespace upcr {

// Registers the handlers. `guard` outlives the engine.
void register_rma_handlers(AmEngine& engine, const AccessGuard& guard);

// The source is reusable on return.
void put_over_am(AmEngine& engine, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes,
                 Pending& remote);
// A put of at most max_medium bytes, without waiting: kNoResource means that nothing happened.
Status try_put_over_am(AmEngine& engine, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes,
                       Pending& remote);
void get_over_am(AmEngine& engine, Rank from, void* dst, std::uint64_t raddr, std::size_t bytes,
                 Pending& done);
void fill_over_am(AmEngine& engine, Rank to, std::uint64_t raddr, unsigned char byte, std::size_t bytes,
                  Pending& done);

}  // namespace upcr
