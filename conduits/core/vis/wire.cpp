// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/wire.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/vis/kernels.hpp"

namespace upcr {
namespace {

constexpr std::uint32_t kVisRun = 1u << 31, kVisCount = (1u << 24) - 1;
constexpr unsigned kVisPlacesShift = 29, kVisStepShift = 24;

// Writes of(i) for each i, one behind the other.
template <typename Of>
void write_all(char* to, std::size_t n, Of of) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const auto word = of(i);
    std::memcpy(to + i * sizeof word, &word, sizeof word);
  }
}
template <typename AddressOf>
void write_run(const VisChunk& c, char* to, AddressOf address_of) noexcept {
  const std::uint64_t base = c.box.base;
  switch (c.places) {
    case VisPlaces::kAddresses:
      return write_all(to, c.count, address_of);
    case VisPlaces::kOffsets:
      return write_all(to, c.count,
                       [=](std::size_t i) { return static_cast<std::uint32_t>(address_of(i) - base); });
    case VisPlaces::kSteps:
      return;
  }
}

struct Head {
  std::uint64_t base;
  std::uint32_t elem, n;
};
static_assert(sizeof(Head) == kVisHead);
struct WireDim {
  std::int64_t stride;
  std::uint64_t count;
};
static_assert(sizeof(WireDim) == kVisPerDim);

// An upper bound of `n` numbers of 32 bits, less than twice the largest: cheaper than the maximum.
std::uint64_t bound(const char* offsets, std::size_t n) noexcept {
  std::uint64_t pairs[4] = {}, all = 0;
  for (; n >= 8; n -= 8, offsets += sizeof pairs) {
    std::uint64_t next[4];
    std::memcpy(next, offsets, sizeof next);
    for (unsigned k = 0; k < 4; ++k) pairs[k] |= next[k];
  }
  for (; n != 0; --n, offsets += kVisPerOffset) {
    std::uint32_t offset;
    std::memcpy(&offset, offsets, sizeof offset);
    all |= offset;
  }
  const std::uint64_t both = pairs[0] | pairs[1] | pairs[2] | pairs[3];
  return all | both >> 32 | (both & 0xffffffff);
}

struct StepRange {
  std::int16_t least, most;
};
// Of `n` numbers of 16 bits, at least one.
StepRange step_range(const char* steps, std::size_t n) noexcept {
  using Eight [[gnu::vector_size(16)]] = std::int16_t;
  constexpr std::size_t kEight = sizeof(Eight) / kVisPerStep;
  StepRange range{INT16_MAX, INT16_MIN};
  const auto widen = [&range](std::int16_t step) {
    range = {std::min(range.least, step), std::max(range.most, step)};
  };
  if (n >= kEight) {
    Eight least, most, next;
    std::memcpy(&least, steps, sizeof least);
    most = least;
    for (; n >= kEight; n -= kEight, steps += sizeof next) {
      std::memcpy(&next, steps, sizeof next);
      least = next < least ? next : least;
      most = next > most ? next : most;
    }
    for (std::size_t k = 0; k < kEight; ++k) widen(least[k]), widen(most[k]);
  }
  for (; n != 0; --n, steps += kVisPerStep) {
    std::int16_t step;
    std::memcpy(&step, steps, sizeof step);
    widen(step);
  }
  return range;
}

}  // namespace

std::size_t vis_describe(const VisChunk& c, char* to) noexcept {
  char* const start = to;
  if (c.is_run()) {
    const Head head{c.places == VisPlaces::kAddresses ? 0 : c.box.base,
                    static_cast<std::uint32_t>(c.box.elem),
                    kVisRun | static_cast<std::uint32_t>(c.places) << kVisPlacesShift |
                        c.step << kVisStepShift | static_cast<std::uint32_t>(c.count)};
    std::memcpy(to, &head, sizeof head);
    to += sizeof head;
    if (c.regions != nullptr)
      write_run(c, to,
                [list = c.regions, delta = c.delta](std::size_t i) { return list[i].address + delta; });
    else
      write_run(c, to, [list = c.addresses, delta = c.delta](std::size_t i) { return list[i] + delta; });
    return c.description();
  }
  const Head head{c.box.base, static_cast<std::uint32_t>(c.box.elem), c.box.dims};
  std::memcpy(to, &head, sizeof head);
  to += sizeof head;
  for (unsigned i = 0; i < c.box.dims; ++i, to += kVisPerDim) {
    const WireDim d{c.box.dim[i].stride, c.box.dim[i].count};
    std::memcpy(to, &d, sizeof d);
  }
  return static_cast<std::size_t>(to - start);
}

void VisReader::read(void* to, std::size_t n) noexcept {
  if (n > static_cast<std::size_t>(end_ - at_))
    fatal("a malformed non-contiguous access from rank %u: the description of a chunk is cut short", source_);
  std::memcpy(to, at_, n);
  at_ += n;
}

void VisReader::check(std::uint64_t address, std::size_t n) const noexcept {
  if (!guard_.allows(address, n))
    fatal("rank %u wants to %s %zu bytes at %#llx%s", source_, what_, n,
          static_cast<unsigned long long>(address), guard_.why_refused(address).c_str());
}

void VisReader::next() noexcept {
  Head head;
  read(&head, sizeof head);
  box_.base = head.base;
  box_.elem = head.elem;
  box_.dims = 0;
  addresses_ = nullptr;
  if ((head.n & kVisRun) != 0)
    read_run(head.n);
  else
    read_box(head.n);
}

void VisReader::read_box(std::uint32_t n) noexcept {
  if (n > kVisDims || box_.elem == 0)
    fatal("a malformed non-contiguous access from rank %u: %u dimensions of elements of %zu bytes", source_,
          n, box_.elem);
  bytes_ = box_.elem;
  for (std::uint32_t i = 0; i < n; ++i) {
    WireDim d;
    read(&d, sizeof d);
    box_.add(d.count, d.stride);
    if (d.count == 0 || __builtin_mul_overflow(bytes_, d.count, &bytes_))
      fatal("a malformed non-contiguous access from rank %u: dimension %u has %llu elements", source_, i,
            static_cast<unsigned long long>(d.count));
  }
  std::uint64_t first, end;
  if (!vis_extent(box_, &first, &end))
    fatal("a malformed non-contiguous access from rank %u: a section at %#llx leaves the address space",
          source_, static_cast<unsigned long long>(box_.base));
  check(first, end - first);
}

void VisReader::read_run(std::uint32_t n) noexcept {
  count_ = n & kVisCount;
  step_ = n >> kVisStepShift & 31;
  const unsigned places = n >> kVisPlacesShift & 3;
  places_ = static_cast<VisPlaces>(places);
  if (places > static_cast<unsigned>(VisPlaces::kSteps))
    fatal("a malformed non-contiguous access from rank %u: places of the kind %u", source_, places);
  const std::size_t each = description_of(places_);
  if (count_ == 0 || box_.elem == 0 || count_ > static_cast<std::size_t>(end_ - at_) / each)
    fatal("a malformed non-contiguous access from rank %u: %zu addresses of %zu bytes each", source_, count_,
          box_.elem);
  addresses_ = at_;
  bytes_ = count_ * box_.elem;
  at_ += count_ * each;
  if (guard_.allowed == nullptr || is_one_range_allowed()) return;
  in_batches([&](const std::uint64_t* some, std::size_t count, std::size_t) {
    for (std::size_t i = 0; i < count; ++i) check(some[i], box_.elem);
  });
}

// Usually all of them are in one segment: then one check of their range is sufficient.
bool VisReader::is_one_range_allowed() const noexcept {
  std::uint64_t end;
  if (places_ == VisPlaces::kSteps) {
    const StepRange range = step_range(addresses_, count_);
    const std::uint64_t first = box_.base + (static_cast<std::uint64_t>(range.least) << step_);
    const auto steps = static_cast<std::uint64_t>(range.most - range.least);
    return guard_.allows(first, (steps << step_) + box_.elem);
  }
  if (places_ == VisPlaces::kOffsets &&
      !__builtin_add_overflow(box_.base, bound(addresses_, count_) + box_.elem, &end) &&
      guard_.allows(box_.base, end - box_.base))
    return true;
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  in_batches([&](const std::uint64_t* some, std::size_t count, std::size_t) {
    for (std::size_t i = 0; i < count; ++i) {
      low = std::min(low, some[i]);
      high = std::max(high, some[i]);
    }
  });
  return !__builtin_add_overflow(high, box_.elem, &end) && guard_.allows(low, end - low);
}

// Nothing in a payload is aligned, so addresses are copied.
template <typename Body>
void VisReader::in_batches(Body&& body) const noexcept {
  std::uint64_t some[64];
  for (std::size_t i = 0; i < count_;) {
    const std::size_t n = std::min<std::size_t>(count_ - i, std::size(some));
    if (places_ == VisPlaces::kOffsets) {
      std::uint32_t offsets[std::size(some)];
      std::memcpy(offsets, addresses_ + i * kVisPerOffset, n * kVisPerOffset);
      for (std::size_t k = 0; k < n; ++k) some[k] = box_.base + offsets[k];
    } else if (places_ == VisPlaces::kSteps) {
      std::int16_t steps[std::size(some)];
      std::memcpy(steps, addresses_ + i * kVisPerStep, n * kVisPerStep);
      for (std::size_t k = 0; k < n; ++k)
        some[k] = box_.base + (static_cast<std::uint64_t>(steps[k]) << step_);
    } else {
      std::memcpy(some, addresses_ + i * kVisPerAddress, n * kVisPerAddress);
    }
    body(static_cast<const std::uint64_t*>(some), n, i);
    i += n;
  }
}

void VisReader::pack(char* to) const noexcept {
  if (addresses_ == nullptr) return vis_pack(to, box_);
  if (places_ == VisPlaces::kOffsets) return vis_gather_near(to, box_.base, addresses_, count_, box_.elem);
  if (places_ == VisPlaces::kSteps)
    return vis_gather_steps(to, {box_.base, addresses_, step_}, count_, box_.elem);
  in_batches([&](const std::uint64_t* some, std::size_t n, std::size_t first) {
    vis_gather(to + first * box_.elem, some, 0, n, box_.elem);
  });
}

void VisReader::unpack_data() noexcept {
  if (bytes_ > static_cast<std::size_t>(end_ - at_))
    fatal("a malformed non-contiguous access from rank %u: %zu bytes of data for a chunk of %zu", source_,
          static_cast<std::size_t>(end_ - at_), bytes_);
  const char* data = at_;
  at_ += bytes_;
  if (addresses_ == nullptr) return vis_unpack(box_, data);
  if (places_ == VisPlaces::kOffsets) return vis_scatter_near(box_.base, addresses_, data, count_, box_.elem);
  if (places_ == VisPlaces::kSteps)
    return vis_scatter_steps({box_.base, addresses_, step_}, data, count_, box_.elem);
  in_batches([&](const std::uint64_t* some, std::size_t n, std::size_t first) {
    vis_scatter(some, 0, data + first * box_.elem, n, box_.elem);
  });
}

}  // namespace upcr
