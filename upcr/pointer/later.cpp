// SPDX-License-Identifier: BSD-3-Clause
// What decides whether a loop's updates wait for their elements (include/upcr/upc2c_later.h). UPC threads.
#include "include/upcr/upc2c_later.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "upcr/pointer/map_ahead.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

// Random elements of 1 MiB, of one thread or several, are in 20 of its 32 parts of this size on average;
// those of 256 KiB, which second-level caches hold, in 8.
constexpr unsigned kPartBits = 15;
constexpr std::ptrdiff_t kFarParts = UPC2C_LATER / 2;

// How far from its object a pointer is taken for one to it.
constexpr std::uintptr_t kBeside = 4096;

}  // namespace

extern "C" {

UPCRI_API uint64_t upcri_later_until(upc2c_places_t places, uint64_t remaining) {
  const upc2c_places_t elements = places;
  for (std::uintptr_t& at : places.at) at >>= kPartBits;
  std::sort(std::begin(places.at), std::end(places.at));
  const auto parts = std::unique(std::begin(places.at), std::end(places.at)) - std::begin(places.at);
  if (parts < kFarParts) return 0;
  map_ahead(elements.at, remaining);
  return UINT64_MAX;
}

UPCRI_API int upcri_is_private(const volatile void* pointer) {
  // It may be one past the end of an object, or, in programs that count from 1, before its beginning.
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  for (const std::uintptr_t near : {at - kBeside, at, at + kBeside}) {
    SharedAddr found;
    if (job().segments.find(job().topology, reinterpret_cast<const void*>(near), &found.thread,
                            &found.offset))
      return 0;
  }
  // The memory of this process's threads is mapped once more where gasnet_getSegmentInfo() says.
  if (runtime().processes.empty()) return 1;
  const gasnet_seginfo_t& own = runtime().processes[job().topology.rank].segment;
  return at - reinterpret_cast<std::uintptr_t>(own.addr) + kBeside > own.size + 2 * kBeside;
}

}  // extern "C"
}  // namespace upcr
