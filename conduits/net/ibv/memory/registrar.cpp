// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/memory/registrar.hpp"

#include <algorithm>
#include <cerrno>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"
#include "conduits/net/ibv/watch/mappings.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

bool is_anonymous(std::uintptr_t begin, std::uintptr_t end) {
  constexpr unsigned kMost = 16;
  Mapping mappings[kMost];
  const unsigned count = mappings_of(begin, end, mappings, kMost);
  return count != 0 && std::all_of(mappings, mappings + count, [](const Mapping& m) { return m.anonymous; });
}

}  // namespace

Registrar::Result DeviceRegistrar::add(std::uintptr_t begin, std::size_t bytes, bool writable,
                                       std::uint32_t* key, void** handle) {
  if (paging_ != Paging::kPinned && !is_anonymous(begin, begin + bytes)) return Result::kNotAllowed;
  const int access = paging_ == Paging::kSourcesOnDemand ? IBV_ACCESS_ON_DEMAND
                     : paging_ == Paging::kSinksOnDemand ? IBV_ACCESS_ON_DEMAND | IBV_ACCESS_LOCAL_WRITE
                     : writable                          ? device_.limits().private_access
                                                         : 0;
  ibv_mr* region = ibv_reg_mr(device_.pd(), reinterpret_cast<void*>(begin), bytes, access);
  if (region != nullptr) {
    *key = region->lkey;
    *handle = region;
    return Result::kOk;
  }
  const int error = errno;
  const bool no_room = is_no_room(error);
  if (no_room && !logged_) {
    logged_ = true;
    char size[32];
    UPCR_LOG(log_ibv, kInfo,
             "cannot register %s of private memory with %s: %s; going on with less registered",
             format_size(bytes, size, sizeof size), device_.name(),
             why_not_registered(device_, bytes, error).c_str());
  }
  return no_room ? Result::kNoRoom : Result::kNotAllowed;
}

void DeviceRegistrar::remove(void* handle) {
  const int error = ibv_dereg_mr(static_cast<ibv_mr*>(handle));
  if (error != 0) warn("%s: private memory could not be deregistered: error %d", device_.name(), error);
}

}  // namespace upcr::ibv
