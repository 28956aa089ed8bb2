// SPDX-License-Identifier: BSD-3-Clause
// Remote memory access by active messages, for conduits that have only these.
// Private to core/rma and its tests. Not from a handler.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/model/completion.hpp"

namespace upcr {

// Registers the handlers. `readable` and `writable` in the engine's configuration guard addresses.
void register_rma_handlers(AmEngine& engine, bool (*allowed)(void* context, std::uint64_t, std::size_t),
                           void* context);

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
void amo_over_am(AmEngine& engine, Rank at, std::uint64_t raddr, AmoOp op, std::uint64_t a, std::uint64_t b,
                 std::uint64_t* old, Pending& done);

}  // namespace upcr
