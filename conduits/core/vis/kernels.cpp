// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/kernels.hpp"

#include <type_traits>

#include "conduits/core/vis/element.hpp"

namespace upcr {
namespace {

// Elements of 8 bytes to contiguous memory, four at once by two stores. Returns how many.
std::size_t copy_eights(char* to, const char* from, std::size_t count, std::ptrdiff_t stride) noexcept {
  using Two [[gnu::vector_size(16)]] = long long;
  const auto at = [](const char* p) {
    long long word;
    std::memcpy(&word, p, sizeof word);
    return word;
  };
  const std::size_t whole = count - count % 4;
  for (std::size_t i = 0; i < whole; i += 4, to += 32, from += 4 * stride) {
    const Two first{at(from), at(from + stride)}, second{at(from + 2 * stride), at(from + 3 * stride)};
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + sizeof first, &second, sizeof second);
  }
  return whole;
}

template <typename Copy>
void copy_plane(char* to, const char* from, VisPair::Dim row, VisPair::Dim column, Copy copy) noexcept {
  for (std::size_t i = 0; i < column.count; ++i) {
    char* t = to;
    const char* f = from;
    std::size_t k = row.count;
    if constexpr (std::is_same_v<Copy, Exact<8>>) {
      if (row.to == 8) {
        const std::size_t n = copy_eights(t, f, k, row.from);
        t += n * 8;
        f += static_cast<std::ptrdiff_t>(n) * row.from;
        k -= n;
      }
    }
    if constexpr (kCopyFitsRegisters<Copy>) {
      for (; k >= 4; k -= 4, t += 4 * row.to, f += 4 * row.from) {
        const auto a = copy.load(f), b = copy.load(f + row.from), c = copy.load(f + 2 * row.from),
                   d = copy.load(f + 3 * row.from);
        copy.store(t, a);
        copy.store(t + row.to, b);
        copy.store(t + 2 * row.to, c);
        copy.store(t + 3 * row.to, d);
      }
    }
    for (; k != 0; --k, t += row.to, f += row.from) copy(t, f);
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
  if (bytes == 0) return;
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

namespace {

// The places of a run, from their description.
struct NearPlaces {
  using Word = std::uint32_t;
  char* base;
  char* at(Word offset) const noexcept { return base + offset; }
};
struct StepPlaces {
  using Word = std::int16_t;
  char* base;
  unsigned step;
  char* at(Word steps) const noexcept {
    return base + static_cast<std::ptrdiff_t>(static_cast<std::uint64_t>(steps) << step);
  }
};

// Loads places and contents of four elements before the first store.
template <bool kScatter, typename Places, typename Copy>
void copy_places(Places places, const char* words, char* single, std::size_t count, Copy copy) noexcept {
  const std::size_t size = copy.size();
  typename Places::Word w[4];
  if constexpr (kCopyFitsRegisters<Copy>) {
    for (; count >= 4; count -= 4, words += sizeof w, single += 4 * size) {
      std::memcpy(w, words, sizeof w);
      const auto to = [&](std::size_t k) { return kScatter ? places.at(w[k]) : single + k * size; };
      const auto from = [&](std::size_t k) { return kScatter ? single + k * size : places.at(w[k]); };
      const auto a = copy.load(from(0)), b = copy.load(from(1)), c = copy.load(from(2)),
                 d = copy.load(from(3));
      copy.store(to(0), a);
      copy.store(to(1), b);
      copy.store(to(2), c);
      copy.store(to(3), d);
    }
  }
  for (; count != 0; --count, words += sizeof w[0], single += size) {
    std::memcpy(w, words, sizeof w[0]);
    kScatter ? copy(places.at(w[0]), single) : copy(single, places.at(w[0]));
  }
}

char* memory_at(std::uint64_t address) noexcept { return reinterpret_cast<char*>(address); }

}  // namespace

void vis_gather_near(void* to, std::uint64_t base, const char* offsets, std::size_t count,
                     std::size_t elem) noexcept {
  with_copy(elem, [=](auto copy) {
    copy_places<false>(NearPlaces{memory_at(base)}, offsets, static_cast<char*>(to), count, copy);
  });
}

void vis_scatter_near(std::uint64_t base, const char* offsets, const void* from, std::size_t count,
                      std::size_t elem) noexcept {
  with_copy(elem, [=](auto copy) {
    copy_places<true>(NearPlaces{memory_at(base)}, offsets, static_cast<char*>(const_cast<void*>(from)),
                      count, copy);
  });
}

void vis_gather_steps(void* to, const VisSteps& from, std::size_t count, std::size_t elem) noexcept {
  with_copy(elem, [=](auto copy) {
    copy_places<false>(StepPlaces{memory_at(from.base), from.step}, from.steps, static_cast<char*>(to), count,
                       copy);
  });
}

void vis_scatter_steps(const VisSteps& to, const void* from, std::size_t count, std::size_t elem) noexcept {
  with_copy(elem, [=](auto copy) {
    copy_places<true>(StepPlaces{memory_at(to.base), to.step}, to.steps,
                      static_cast<char*>(const_cast<void*>(from)), count, copy);
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
