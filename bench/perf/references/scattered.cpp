// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -O3: the loops are what a compiler makes of them at its best.
#include "bench/perf/references/scattered.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "bench/perf/measure/interleave.hpp"

namespace perf {

Scattered::Scattered(const UpcrThreadTeam& team, std::size_t elem)
    : team_(team),
      elem_(elem),
      count_(kBytes / elem),
      source_(kBytes, 1),
      scattered_source_(2 * kBytes, 3),
      fallback_(2 * kBytes, 2) {
  target_here_ =
      team.target_here() != nullptr ? reinterpret_cast<char*>(team.target_here()) : fallback_.data();
  std::vector<std::size_t> places(count_);
  for (std::size_t i = 0; i < count_; ++i) places[i] = 2 * elem * i;
  std::minstd_rand random(1);
  const std::size_t page = 4096 / elem;
  for (std::size_t i = 0; i < count_; i += page)
    std::shuffle(places.begin() + static_cast<std::ptrdiff_t>(i),
                 places.begin() + static_cast<std::ptrdiff_t>(std::min(i + page, count_)), random);
  const auto at = [&](std::size_t byte) {
    return upcr_pshared_to_shared(
        upcr_add_psharedI(upcr_shared_to_pshared(team_.target()), 1, static_cast<std::ptrdiff_t>(byte)));
  };
  for (const std::size_t p : places) {
    shared_list_.push_back(at(p));
    plain_list_.push_back(target_here_ + p);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    char* const from = scattered_source_.data() + places[i];
    source_list_.push_back(from);
    source_regions_.push_back({from, elem});
    shuffled_.shared.push_back({shared_list_[i], elem});
    shuffled_.plain.push_back({plain_list_[i], elem});
  }
  const auto add = [&](Regions& r, std::size_t first, std::size_t n) {
    r.shared.push_back({at(2 * elem * first), n * elem});
    r.plain.push_back({target_here_ + 2 * elem * first, n * elem});
  };
  for (std::size_t i = 0; i < count_; ++i) add(equal_, i, 1);
  for (std::size_t i = 0, n; i < count_; i += n) {
    n = std::min<std::size_t>(1 + random() % 4, count_ - i);
    add(mixed_, i, n);
  }
}

void Scattered::strided(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i)
    bupc_memput_strided2d(team_.target(), 2 * elem_, source_.data(), elem_, elem_, count_);
}

void Scattered::indexed(std::uint64_t n) {
  const void* const from[] = {source_.data()};
  for (std::uint64_t i = 0; i < n; ++i)
    bupc_memput_ilist(count_, shared_list_.data(), elem_, 1, from, elem_ * count_);
}

void Scattered::put(const Regions& regions, std::uint64_t n) {
  const bupc_pmemvec_t from[] = {{source_.data(), elem_ * count_}};
  for (std::uint64_t i = 0; i < n; ++i)
    bupc_memput_vlist(regions.shared.size(), regions.shared.data(), 1, from);
}
void Scattered::vector_lists(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i)
    bupc_memput_vlist(count_, shuffled_.shared.data(), count_, source_regions_.data());
}
void Scattered::vector_get(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i)
    bupc_memget_vlist(count_, source_regions_.data(), count_, shuffled_.shared.data());
}
void Scattered::vector_gather(std::uint64_t n) {
  const bupc_pmemvec_t to[] = {{source_.data(), elem_ * count_}};
  for (std::uint64_t i = 0; i < n; ++i) bupc_memget_vlist(1, to, count_, shuffled_.shared.data());
}
void Scattered::indexed_lists(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i)
    bupc_memput_ilist(count_, shared_list_.data(), elem_, count_, source_list_.data(), elem_);
}
void Scattered::vector(std::uint64_t n) { put(equal_, n); }
void Scattered::vector_mixed(std::uint64_t n) { put(mixed_, n); }

namespace {

template <std::size_t N>
void copy_strided(char* to, const char* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) std::memcpy(to + 2 * N * k, from + N * k, N);
}
template <std::size_t N>
void copy_indexed(char* const* to, const char* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) std::memcpy(to[k], from + N * k, N);
}
template <std::size_t N, bool kBack>
void copy_regions(const bupc_pmemvec_t* to, const bupc_pmemvec_t* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    kBack ? std::memcpy(from[k].addr, to[k].addr, N) : std::memcpy(to[k].addr, from[k].addr, N);
}
template <std::size_t N>
void gather_regions(char* to, const bupc_pmemvec_t* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) std::memcpy(to + N * k, from[k].addr, N);
}
template <std::size_t N>
void scatter_regions(const bupc_pmemvec_t* to, const char* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) std::memcpy(to[k].addr, from + N * k, N);
}
template <std::size_t N>
void copy_places(char* const* to, void* const* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) std::memcpy(to[k], from[k], N);
}

}  // namespace

void Scattered::plain_strided(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory())
    elem_ == 8 ? copy_strided<8>(target_here_, source_.data(), count_)
               : copy_strided<64>(target_here_, source_.data(), count_);
}

void Scattered::plain_indexed(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory())
    elem_ == 8 ? copy_indexed<8>(plain_list_.data(), source_.data(), count_)
               : copy_indexed<64>(plain_list_.data(), source_.data(), count_);
}

void Scattered::copy(const Regions& regions, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory()) {
    const char* from = source_.data();
    for (const bupc_pmemvec_t& r : regions.plain) {
      std::memcpy(r.addr, from, r.len);
      from += r.len;
    }
  }
}
void Scattered::plain_vector(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory())
    elem_ == 8 ? scatter_regions<8>(equal_.plain.data(), source_.data(), count_)
               : scatter_regions<64>(equal_.plain.data(), source_.data(), count_);
}
void Scattered::plain_vector_lists(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory())
    elem_ == 8 ? copy_regions<8, false>(shuffled_.plain.data(), source_regions_.data(), count_)
               : copy_regions<64, false>(shuffled_.plain.data(), source_regions_.data(), count_);
}
void Scattered::plain_vector_get(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory())
    elem_ == 8 ? copy_regions<8, true>(shuffled_.plain.data(), source_regions_.data(), count_)
               : copy_regions<64, true>(shuffled_.plain.data(), source_regions_.data(), count_);
}
void Scattered::plain_vector_gather(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory())
    elem_ == 8 ? gather_regions<8>(source_.data(), shuffled_.plain.data(), count_)
               : gather_regions<64>(source_.data(), shuffled_.plain.data(), count_);
}
void Scattered::plain_indexed_lists(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i, clobber_memory())
    elem_ == 8 ? copy_places<8>(plain_list_.data(), source_list_.data(), count_)
               : copy_places<64>(plain_list_.data(), source_list_.data(), count_);
}
void Scattered::plain_vector_mixed(std::uint64_t n) { copy(mixed_, n); }

}  // namespace perf
