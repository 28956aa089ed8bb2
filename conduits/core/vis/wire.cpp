// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/wire.hpp"

#include <cstring>

#include "conduits/base/report.hpp"
#include "conduits/core/vis/kernels.hpp"

namespace upcr {
namespace {

constexpr std::uint32_t kVisAddresses = 1u << 31;

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

}  // namespace

std::size_t vis_describe(const VisChunk& c, char* to) noexcept {
  char* const start = to;
  if (c.is_run()) {
    const Head head{0, static_cast<std::uint32_t>(c.box.elem),
                    kVisAddresses | static_cast<std::uint32_t>(c.count)};
    std::memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (std::size_t i = 0; i < c.count; ++i, to += kVisPerAddress) {
      const std::uint64_t address = c.address(i);
      std::memcpy(to, &address, sizeof address);
    }
    return static_cast<std::size_t>(to - start);
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
    fatal("a malformed non-contiguous access from rank %u: the description of a place is cut short", source_);
  std::memcpy(to, at_, n);
  at_ += n;
}

void VisReader::check(std::uint64_t address, std::size_t n) const noexcept {
  if (guard_.allowed != nullptr && !guard_.allowed(guard_.context, address, n))
    fatal("rank %u wants to %s %zu bytes at %#llx, outside this process's segment", source_, what_, n,
          static_cast<unsigned long long>(address));
}

void VisReader::next() noexcept {
  Head head;
  read(&head, sizeof head);
  box_.base = head.base;
  box_.elem = head.elem;
  box_.dims = 0;
  addresses_ = nullptr;
  if ((head.n & kVisAddresses) != 0)
    read_run(head.n & ~kVisAddresses);
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
  if (n == 0 || box_.elem == 0 || n > static_cast<std::size_t>(end_ - at_) / kVisPerAddress)
    fatal("a malformed non-contiguous access from rank %u: %u addresses of %zu bytes each", source_, n,
          box_.elem);
  addresses_ = at_;
  count_ = n;
  bytes_ = n * box_.elem;
  at_ += n * kVisPerAddress;
  for (std::size_t i = 0; i < n; ++i) check(address(i), box_.elem);
}

std::uint64_t VisReader::address(std::size_t i) const noexcept {
  std::uint64_t a;
  std::memcpy(&a, addresses_ + i * kVisPerAddress, sizeof a);
  return a;
}

void VisReader::pack(char* to) const noexcept {
  if (addresses_ == nullptr) return vis_pack(to, box_);
  // The payload begins aligned and every part before the addresses is a multiple of 8: not so when data lies
  // between, so they are copied in handfuls.
  std::uint64_t some[64];
  for (std::size_t i = 0; i < count_;) {
    const std::size_t n = std::min<std::size_t>(count_ - i, std::size(some));
    std::memcpy(some, addresses_ + i * kVisPerAddress, n * kVisPerAddress);
    vis_gather(to, some, 0, n, box_.elem);
    to += n * box_.elem;
    i += n;
  }
}

void VisReader::unpack_data() noexcept {
  if (bytes_ > static_cast<std::size_t>(end_ - at_))
    fatal("a malformed non-contiguous access from rank %u: %zu bytes of data for a place of %zu", source_,
          static_cast<std::size_t>(end_ - at_), bytes_);
  const char* data = at_;
  at_ += bytes_;
  if (addresses_ == nullptr) return vis_unpack(box_, data);
  std::uint64_t some[64];
  for (std::size_t i = 0; i < count_;) {
    const std::size_t n = std::min<std::size_t>(count_ - i, std::size(some));
    std::memcpy(some, addresses_ + i * kVisPerAddress, n * kVisPerAddress);
    vis_scatter(some, 0, data, n, box_.elem);
    data += n * box_.elem;
    i += n;
  }
}

}  // namespace upcr
