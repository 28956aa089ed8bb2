// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/memory/slab.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"

namespace upcr::ibv {

void Slab::open(std::span<Device* const> devices, std::size_t bytes, const char* purpose,
                const std::function<bool()>& make_room) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes_ = (bytes + page - 1) / page * page;
  void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) {
    char size[32];
    fatal_errno("cannot allocate %s of %s (check ulimit -v)", format_size(bytes_, size, sizeof size),
                purpose);
  }
  data_ = static_cast<char*>(at);
  // A child of fork() must not share these pages with the devices, and needs no copy of them.
  (void)madvise(at, bytes_, MADV_DONTFORK);
  for (Device* device : devices) {
    const int access = device->limits().private_access;
    ibv_mr* region = ibv_reg_mr(device->pd(), at, bytes_, access);
    while (region == nullptr) {
      const int error = errno;
      if (!is_no_room(error) || !make_room || !make_room())
        cannot_register(*device, bytes_, purpose, nullptr, error);
      region = ibv_reg_mr(device->pd(), at, bytes_, access);
    }
    regions_.push_back(region);
    keys_.push_back(region->lkey);
  }
}

void Slab::close() noexcept {
  for (ibv_mr* region : regions_) (void)ibv_dereg_mr(region);
  regions_.clear();
  keys_.clear();
  if (data_ != nullptr) (void)munmap(data_, bytes_);
  data_ = nullptr;
}

}  // namespace upcr::ibv
