// SPDX-License-Identifier: BSD-3-Clause
// The description of one side of a non-contiguous copy. A side is a stream of bytes: its pieces in their
// order. The two sides of a copy have equally many bytes and may differ in everything else.
//
//   vector    regions, each an address and a length
//   indexed   addresses, all with one length
//   section   an element of `elem` contiguous bytes, repeated along dimensions; dimension 0 moves fastest.
//             `base` is where the element with index 0 everywhere is; strides are in bytes and may be
//             negative, so memory may extend to both sides of it. Contiguous memory has no dimensions.
//
// Addresses are those of the process that holds the memory; `delta` is added to each (where it is mapped
// here). Lists are not copied: they stay valid as long as the Side is used.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upcr {

struct VisRegion {
  std::uint64_t address;
  std::size_t bytes;
};

struct VisDim {
  std::size_t count;
  std::ptrdiff_t stride;  // bytes
};

// Sufficient for any section: dimensions of one element are not stored, and there are at most 2^64 bytes.
inline constexpr unsigned kVisDims = 64;

struct VisSection {
  std::uint64_t base = 0;
  std::size_t elem = 0;
  unsigned dims = 0;
  VisDim dim[kVisDims];

  VisSection() noexcept {}  // leaves dim[] alone: a kilobyte
  VisSection(std::uint64_t address, std::size_t bytes) noexcept : base(address), elem(bytes) {}
  VisSection(const VisSection& o) noexcept : base(o.base), elem(o.elem), dims(o.dims) {
    std::copy(o.dim, o.dim + o.dims, dim);
  }
  VisSection& operator=(const VisSection& o) noexcept {
    base = o.base;
    elem = o.elem;
    dims = o.dims;
    std::copy(o.dim, o.dim + o.dims, dim);  // to itself: every element to itself
    return *this;
  }

  // Appends the next slower dimension.
  void add(std::size_t count, std::ptrdiff_t stride) noexcept { dim[dims++] = {count, stride}; }
  std::size_t bytes() const noexcept {
    std::size_t n = elem;
    for (unsigned i = 0; i < dims; ++i) n *= dim[i].count;
    return n;
  }
};

// The lowest and one past the highest byte that a section touches; false when the section leaves the
// address space. Not for empty sections.
bool vis_extent(const VisSection& section, std::uint64_t* first, std::uint64_t* end) noexcept;

// Removes dimensions of one element and merges contiguous ones; the stream stays the same.
void vis_fold(VisSection& section) noexcept;

struct VisSide {
  enum class Kind : std::uint8_t { kVector, kIndexed, kSection };
  Kind kind = Kind::kSection;
  std::size_t count = 0;  // entries of the list
  const VisRegion* regions = nullptr;
  const std::uint64_t* addresses = nullptr;
  std::size_t length = 0;  // of each address; of each region, 0: not known, or they differ
  std::uint64_t delta = 0;
  VisSection section;

  static VisSide vector(const VisRegion* list, std::size_t n, std::size_t bytes_each = 0) noexcept {
    VisSide s;
    s.kind = Kind::kVector;
    s.count = n;
    s.regions = list;
    s.length = bytes_each;
    return s;
  }
  static VisSide indexed(const std::uint64_t* list, std::size_t n, std::size_t bytes_each) noexcept {
    VisSide s;
    s.kind = Kind::kIndexed;
    s.count = n;
    s.addresses = list;
    s.length = bytes_each;
    return s;
  }
  static VisSide of(const VisSection& section) noexcept {
    VisSide s;
    s.section = section;
    vis_fold(s.section);
    return s;
  }
  static VisSide contiguous(const void* p, std::size_t bytes) noexcept {
    return of({reinterpret_cast<std::uint64_t>(p), bytes});
  }
  std::size_t bytes() const noexcept;
  // Whether bytes() reads the whole list.
  bool adds_up() const noexcept { return kind == Kind::kVector && length == 0; }
};

}  // namespace upcr
