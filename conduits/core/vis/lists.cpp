// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/lists.hpp"

#include "conduits/core/vis/kernels.hpp"

namespace upcr {
void vis_copy_regions(const VisRegion* to, std::size_t to_count, std::uint64_t to_delta,
                      const VisRegion* from, std::size_t from_count, std::uint64_t from_delta) noexcept {
  copy_lists(RegionsHere{to, to_delta}, to_count, RegionsHere{from, from_delta}, from_count);
}

void vis_copy_addresses(const std::uint64_t* to, std::size_t to_count, std::size_t to_length,
                        std::uint64_t to_delta, const std::uint64_t* from, std::size_t from_count,
                        std::size_t from_length, std::uint64_t from_delta) noexcept {
  copy_lists(AddressesHere{to, to_length, to_delta}, to_count, AddressesHere{from, from_length, from_delta},
             from_count);
}

void vis_pack_regions(void* to, std::size_t bytes, const VisRegion* from, std::size_t count,
                      std::uint64_t delta, VisListMark* mark) noexcept {
  const VisRegion piece{reinterpret_cast<std::uint64_t>(to), bytes};
  ListPosition<RegionsHere> t(RegionsHere{&piece}, 1),
      f(RegionsHere{from, delta}, count, mark->entry, mark->byte);
  copy_lists(t, f);
  *mark = {f.entry(), f.skipped()};
}

void vis_unpack_regions(const VisRegion* to, std::size_t count, std::uint64_t delta, VisListMark* mark,
                        const void* from, std::size_t bytes) noexcept {
  const VisRegion piece{reinterpret_cast<std::uint64_t>(from), bytes};
  ListPosition<RegionsHere> t(RegionsHere{to, delta}, count, mark->entry, mark->byte),
      f(RegionsHere{&piece}, 1);
  copy_lists(t, f);
  *mark = {t.entry(), t.skipped()};
}

}  // namespace upcr
