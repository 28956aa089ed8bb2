// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/kernels.hpp"

#include <cstring>

namespace upcr {
namespace {

// How one element is copied. Exactly `N` bytes:
template <std::size_t N>
struct Exact {
  void operator()(char* to, const char* from) const noexcept { std::memcpy(to, from, N); }
};
// More than N, at most 2 N: two moves that overlap.
template <std::size_t N>
struct Twice {
  std::size_t tail;  // where the second one begins
  void operator()(char* to, const char* from) const noexcept {
    char first[N], second[N];
    std::memcpy(first, from, N);
    std::memcpy(second, from + tail, N);
    std::memcpy(to, first, N);
    std::memcpy(to + tail, second, N);
  }
};
struct Any {
  std::size_t bytes;
  void operator()(char* to, const char* from) const noexcept { std::memcpy(to, from, bytes); }
};

// Calls body(copy) with the best copy for elements of this size.
template <typename Body>
void with_copy(std::size_t elem, Body&& body) {
  switch (elem) {
    case 1:
      return body(Exact<1>{});
    case 2:
      return body(Exact<2>{});
    case 4:
      return body(Exact<4>{});
    case 8:
      return body(Exact<8>{});
    case 16:
      return body(Exact<16>{});
    case 32:
      return body(Exact<32>{});
    case 64:
      return body(Exact<64>{});
    default:
      break;
  }
  if (elem > 64) return body(Any{elem});
  if (elem > 32) return body(Twice<32>{elem - 32});
  if (elem > 16) return body(Twice<16>{elem - 16});
  if (elem > 8) return body(Twice<8>{elem - 8});
  if (elem > 4) return body(Twice<4>{elem - 4});
  if (elem == 3) return body(Twice<2>{1});
}

template <typename Copy>
void copy_plane(char* to, const char* from, VisPair::Dim row, VisPair::Dim column, Copy copy) noexcept {
  for (std::size_t i = 0; i < column.count; ++i) {
    char* t = to;
    const char* f = from;
    for (std::size_t k = row.count; k != 0; --k) {
      copy(t, f);
      t += row.to;
      f += row.from;
    }
    to += column.to;
    from += column.from;
  }
}

// The slower dimensions: an odometer.
template <typename Copy>
void copy_all(const VisPair& p, Copy copy) noexcept {
  auto* to = reinterpret_cast<char*>(p.to);
  const auto* from = reinterpret_cast<const char*>(p.from);
  const VisPair::Dim one{1, 0, 0};
  const VisPair::Dim row = p.dims > 0 ? p.dim[0] : one, column = p.dims > 1 ? p.dim[1] : one;
  std::size_t index[2 * kVisDims];
  for (unsigned i = 2; i < p.dims; ++i) index[i] = 0;
  for (;;) {
    copy_plane(to, from, row, column, copy);
    unsigned i = 2;
    for (; i < p.dims; ++i) {
      const VisPair::Dim& d = p.dim[i];
      to += d.to;
      from += d.from;
      if (++index[i] < d.count) break;
      index[i] = 0;
      to -= d.to * static_cast<std::ptrdiff_t>(d.count);
      from -= d.from * static_cast<std::ptrdiff_t>(d.count);
    }
    if (i >= p.dims) return;
  }
}

const char* at(std::uint64_t address) { return reinterpret_cast<const char*>(address); }

}  // namespace

void vis_copy_pair(const VisPair& p) noexcept {
  with_copy(p.elem, [&](auto copy) { copy_all(p, copy); });
}

void vis_copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
  with_copy(bytes, [&](auto copy) { copy(static_cast<char*>(to), static_cast<const char*>(from)); });
}

void vis_gather(void* to, const std::uint64_t* from, std::uint64_t from_delta, std::size_t count,
                std::size_t elem) noexcept {
  with_copy(elem, [=](auto copy) {
    auto* t = static_cast<char*>(to);
    for (std::size_t i = 0; i < count; ++i, t += elem) copy(t, at(from[i] + from_delta));
  });
}

void vis_scatter(const std::uint64_t* to, std::uint64_t to_delta, const void* from, std::size_t count,
                 std::size_t elem) noexcept {
  with_copy(elem, [=](auto copy) {
    const auto* f = static_cast<const char*>(from);
    for (std::size_t i = 0; i < count; ++i, f += elem) copy(const_cast<char*>(at(to[i] + to_delta)), f);
  });
}

void vis_move_each(const std::uint64_t* to, std::uint64_t to_delta, const std::uint64_t* from,
                   std::uint64_t from_delta, std::size_t count, std::size_t elem) noexcept {
  with_copy(elem, [=](auto copy) {
    for (std::size_t i = 0; i < count; ++i)
      copy(const_cast<char*>(at(to[i] + to_delta)), at(from[i] + from_delta));
  });
}

namespace {

// The section's shape with the other side contiguous.
VisPair beside(const VisSection& s, std::uint64_t to, std::uint64_t from, bool section_is_to) noexcept {
  VisPair p;
  p.to = to;
  p.from = from;
  p.elem = s.elem;
  p.dims = s.dims;
  auto run = static_cast<std::ptrdiff_t>(s.elem);
  for (unsigned i = 0; i < s.dims; ++i) {
    p.dim[i] = section_is_to ? VisPair::Dim{s.dim[i].count, s.dim[i].stride, run}
                             : VisPair::Dim{s.dim[i].count, run, s.dim[i].stride};
    run *= static_cast<std::ptrdiff_t>(s.dim[i].count);
  }
  return p;
}

}  // namespace

void vis_pack(void* to, const VisSection& from) noexcept {
  vis_copy_pair(beside(from, reinterpret_cast<std::uint64_t>(to), from.base, false));
}
void vis_unpack(const VisSection& to, const void* from) noexcept {
  vis_copy_pair(beside(to, to.base, reinterpret_cast<std::uint64_t>(from), true));
}

}  // namespace upcr
