// SPDX-License-Identifier: BSD-3-Clause
// Memory::pin: a registration cache for each device, all of them listeners of the process's one watcher.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"
#include "conduits/net/ibv/memory/memory.hpp"
#include "conduits/net/ibv/memory/registration_cache.hpp"
#include "conduits/net/ibv/watch/process_watch.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

class DeviceRegistrar final : public Registrar {
 public:
  explicit DeviceRegistrar(const Device& device) : device_(device) {}

  Result add(std::uintptr_t begin, std::size_t bytes, bool writable, std::uint32_t* key,
             void** handle) override {
    const int access = writable ? device_.limits().private_access : 0;
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

  void remove(void* handle) override {
    const int error = ibv_dereg_mr(static_cast<ibv_mr*>(handle));
    if (error != 0) warn("%s: private memory could not be deregistered: error %d", device_.name(), error);
  }

 private:
  const Device& device_;
  bool logged_ = false;
};

}  // namespace

struct Memory::Private {
  struct OneDevice {
    OneDevice(const Device& device, ChangeWatch* watch, const RegistrationCache::Limits& limits)
        : registrar(device), cache(registrar, device.index(), watch, limits) {}
    DeviceRegistrar registrar;
    RegistrationCache cache;
  };
  ProcessWatch* watch = nullptr;
  RegistrationCache::Limits limits;  // of each device
  std::string why_not;               // why nothing is kept
  std::vector<std::unique_ptr<OneDevice>> devices;
};

Memory::Memory() = default;
Memory::~Memory() = default;

namespace {

// Private memory that may be registered at once: not what peers will need, but at least half of what there
// is, because most processes never connect to as many peers as they might. make_room() is for those that do.
std::size_t room_for_private_memory(std::size_t later) {
  const std::size_t lockable = lockable_now();
  return lockable == SIZE_MAX ? SIZE_MAX : lockable - std::min(later, lockable / 2);
}

// A program may fork() at any time. Kernels that do not copy pinned pages for the child give the parent new
// pages when it writes, and the registration keeps the old ones.
bool fork_is_harmless() { return ibv_is_fork_initialized() == IBV_FORK_UNNEEDED; }

}  // namespace

void Memory::open_private(std::size_t later) {
  private_ = std::make_unique<Private>();
  Private& p = *private_;
  const auto devices = static_cast<std::uint32_t>(devices_.size());
  p.limits.registered = room_for_private_memory(later) / devices;
  p.limits.bytes = std::min(config_size("UPCR_IBV_PIN_MAX") / devices, p.limits.registered);
  p.limits.entries = std::max(1u, static_cast<std::uint32_t>(config_int("UPCR_IBV_PIN_ENTRIES")) / devices);
  if (p.limits.bytes == 0) {
    p.why_not = "UPCR_IBV_PIN_MAX=0, or the limit of locked memory is used up";
  } else if (!fork_is_harmless()) {
    p.limits.bytes = 0;
    p.why_not = "this kernel does not copy pinned pages for a child of fork()";
    UPCR_LOG(log_ibv, kInfo, "private memory is registered for each transfer anew: %s", p.why_not.c_str());
  } else {
    p.watch = process_watch(config_string("UPCR_IBV_WATCH"), &p.why_not);
    if (p.watch == nullptr) {
      UPCR_LOG(
          log_ibv, kInfo,
          "private memory is registered for each transfer anew, because nothing reports what the program "
          "unmaps: %s",
          p.why_not.c_str());
    } else {
      UPCR_LOG(log_ibv, kInfo, "private memory that is registered is watched by %s%s%s", p.watch->name(),
               p.why_not.empty() ? "" : "; ", p.why_not.c_str());
    }
  }
  for (Device* device : devices_) {
    p.devices.push_back(std::make_unique<Private::OneDevice>(*device, p.watch, p.limits));
    if (p.watch != nullptr) p.watch->add(p.devices.back()->cache);
  }
}

void Memory::close_private() {
  if (private_ == nullptr) return;
  bool removed = true;
  for (const auto& one : private_->devices) {
    const RegistrationCache::Counts& n = one->cache.counts();
    UPCR_LOG(
        log_ibv, kInfo,
        "private memory: %llu transfers found it registered, %llu registered it, %llu of these without keeping "
        "it; %llu entries became stale, %llu were evicted",
        static_cast<unsigned long long>(n.hits), static_cast<unsigned long long>(n.registered),
        static_cast<unsigned long long>(n.once), static_cast<unsigned long long>(n.stale),
        static_cast<unsigned long long>(n.released));
    if (private_->watch != nullptr && !private_->watch->remove(one->cache)) removed = false;
  }
  if (!removed) (void)private_.release();  // a thread may be in it until the process ends
  private_.reset();
}

Registration* Memory::pin(const Device& device, const void* at, std::size_t bytes, Use use) {
  // A neighbour's segment stays where it is until the job ends.
  Slot slot;
  std::uint64_t offset;
  const bool stays = segments_->find(*topology_, at, &slot, &offset) && bytes <= segments_->bytes - offset;
  return private_->devices[device.index()]->cache.pin(
      reinterpret_cast<std::uintptr_t>(at), bytes, use,
      stays ? RegistrationCache::Memory::kStays : RegistrationCache::Memory::kPrograms);
}

void Memory::unpin(Registration* registration) {
  private_->devices[registration->device]->cache.unpin(registration);
}

void Memory::reclaim_stale() {
  for (const auto& one : private_->devices) one->cache.reclaim_stale();
}

bool Memory::make_room() {
  constexpr unsigned kPatience = 10'000;  // milliseconds, about
  for (unsigned waited = 0; private_ != nullptr && waited < kPatience; ++waited) {
    bool released = false, in_use = false;
    for (const auto& one : private_->devices) {
      released |= one->cache.release_unused();
      in_use |= one->cache.in_use();
    }
    if (released) return true;
    if (!in_use) return false;
    ::usleep(1000);
  }
  return false;
}

std::string Memory::describe() const {
  if (private_ == nullptr) return "";
  if (private_->watch == nullptr) return "private memory is registered for each transfer";
  char size[32];
  return std::string("up to ") + format_size(private_->limits.bytes * devices_.size(), size, sizeof size) +
         " of private memory stay registered";
}

}  // namespace upcr::ibv
