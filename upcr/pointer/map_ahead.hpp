// SPDX-License-Identifier: BSD-3-Clause
// Maps pages of neighbours' shared memory before a loop accesses them at random places.
//
// A page that its owner has written exists, but the first access of each other process to it is a fault: a
// loop of random accesses takes one an iteration, and they cost more than the accesses. Mapped together,
// pages take a tenth of that.
#pragma once
#include <cstdint>
#include <span>

namespace upcr {

// `places`: local addresses of some of the objects that are accessed; `accesses`: how many accesses follow.
// Does nothing where they are few for the memory between these places. Pages that no process has used stay
// so.
void map_ahead(std::span<const std::uintptr_t> places, std::uint64_t accesses) noexcept;

}  // namespace upcr
