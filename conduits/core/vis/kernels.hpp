// SPDX-License-Identifier: BSD-3-Clause
// The copy loops: between two addresses in this process, for one element size each. Elements of 1, 2, 4, 8,
// 16, 32 and 64 bytes, and with two overlapping moves all others up to 64, are copied by instructions for
// exactly that size; the two fastest dimensions are loops inside the kernel, because a call or a variable
// size per element costs many times the copy itself. Any thread, handlers too. The destination must not
// overlap the source. (lists.hpp has the loops over lists of regions.)
#pragma once
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/vis/shape.hpp"

namespace upcr {

// Two sections of the same shape: source and destination of a copy. Order does not matter, so dimensions may
// be exchanged and reversed.
struct VisPair {
  struct Dim {
    std::size_t count;
    std::ptrdiff_t to, from;  // strides
  };
  std::uint64_t to = 0, from = 0;
  std::size_t elem = 0;
  unsigned dims = 0;
  Dim dim[2 * kVisDims];  // both sides' boundaries may differ

  VisPair() noexcept {}
};

// Cuts both sections into the same shape; false when their boundaries do not fit into each other. Both have
// equally many bytes and at least one, and are folded.
bool vis_pair(const VisSection& to, const VisSection& from, VisPair* pair) noexcept;
// Removes, reverses, sorts and merges dimensions so that the copy has few and long loops.
void vis_fold(VisPair& pair) noexcept;

void vis_copy_pair(const VisPair& pair) noexcept;
// One piece.
void vis_copy_bytes(void* to, const void* from, std::size_t bytes) noexcept;
// `count` elements each; the contiguous side has them one after the other.
void vis_gather(void* to, const std::uint64_t* from, std::uint64_t from_delta, std::size_t count,
                std::size_t elem) noexcept;
void vis_scatter(const std::uint64_t* to, std::uint64_t to_delta, const void* from, std::size_t count,
                 std::size_t elem) noexcept;
// The same for addresses `base` + a 32-bit offset; the offsets need not be aligned.
void vis_gather_near(void* to, std::uint64_t base, const char* offsets, std::size_t count,
                     std::size_t elem) noexcept;
void vis_scatter_near(std::uint64_t base, const char* offsets, const void* from, std::size_t count,
                      std::size_t elem) noexcept;
// The same for addresses `base` + a number of steps of 16 bits with a sign, each 2^step bytes.
struct VisSteps {
  std::uint64_t base;
  const char* steps;  // need not be aligned
  unsigned step;
};
void vis_gather_steps(void* to, const VisSteps& from, std::size_t count, std::size_t elem) noexcept;
void vis_scatter_steps(const VisSteps& to, const void* from, std::size_t count, std::size_t elem) noexcept;
void vis_move_each(const std::uint64_t* to, std::uint64_t to_delta, const std::uint64_t* from,
                   std::uint64_t from_delta, std::size_t count, std::size_t elem) noexcept;
// Copies lists, each with a number to be added to its addresses, until one of them ends.
UPCR_MODULE_API void vis_copy_regions(const VisRegion* to, std::size_t to_count, std::uint64_t to_delta,
                                      const VisRegion* from, std::size_t from_count,
                                      std::uint64_t from_delta) noexcept;
void vis_copy_addresses(const std::uint64_t* to, std::size_t to_count, std::size_t to_length,
                        std::uint64_t to_delta, const std::uint64_t* from, std::size_t from_count,
                        std::size_t from_length, std::uint64_t from_delta) noexcept;
// The next `bytes` bytes of a list of regions to or from contiguous memory; advances the mark.
struct VisListMark {
  std::uint64_t entry, byte;
};
void vis_pack_regions(void* to, std::size_t bytes, const VisRegion* from, std::size_t count,
                      std::uint64_t delta, VisListMark* mark) noexcept;
void vis_unpack_regions(const VisRegion* to, std::size_t count, std::uint64_t delta, VisListMark* mark,
                        const void* from, std::size_t bytes) noexcept;
// A section to or from contiguous memory.
void vis_pack(void* to, const VisSection& from) noexcept;
void vis_unpack(const VisSection& to, const void* from) noexcept;

}  // namespace upcr
