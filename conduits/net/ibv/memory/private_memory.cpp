// SPDX-License-Identifier: BSD-3-Clause
// Memory::pin: registration caches for each device. Those of pinned memory are listeners of the process's one
// watcher. Where nothing can be watched, and the device pages on demand, it has two more, for sources and for
// sinks.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"
#include "conduits/net/ibv/memory/memory.hpp"
#include "conduits/net/ibv/memory/registrar.hpp"
#include "conduits/net/ibv/memory/registration_cache.hpp"
#include "conduits/net/ibv/watch/process_watch.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

struct OneCache {
  OneCache(const Device& device, Paging paging, std::uint32_t number, ChangeWatch* watch,
           const RegistrationCache::Limits& limits)
      : registrar(device, paging), cache(registrar, number, watch, limits) {}
  DeviceRegistrar registrar;
  RegistrationCache cache;
};

constexpr std::uint32_t kKinds = 3;  // of caches: the values of Paging

}  // namespace

struct Memory::Private {
  ProcessWatch* watch = nullptr;
  RegistrationCache::Limits limits, on_demand_limits;  // of each device
  bool on_demand = false;                              // wanted where devices have it
  std::string why_not;                                 // why nothing is watched
  std::vector<std::unique_ptr<OneCache>> caches;       // kKinds for each device; on demand perhaps null

  static std::uint32_t number_of(const Device& device, Paging paging) noexcept {
    return device.index() * kKinds + static_cast<std::uint32_t>(paging);
  }
  RegistrationCache* cache(const Device& device, Paging paging) const noexcept {
    OneCache* const one = caches[number_of(device, paging)].get();
    return one != nullptr ? &one->cache : nullptr;
  }
  RegistrationCache& pinned(const Device& device) const noexcept { return *cache(device, Paging::kPinned); }
  void open(const Device& device);
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

bool pages_on_demand(const Device& device) {
  return device.limits().on_demand && (device.xrcd() == nullptr || device.limits().on_demand_xrc);
}

}  // namespace

void Memory::Private::open(const Device& device) {
  const auto make = [&](Paging paging, const RegistrationCache::Limits& of_cache) {
    return std::make_unique<OneCache>(device, paging, number_of(device, paging),
                                      paging == Paging::kPinned ? watch : nullptr, of_cache);
  };
  caches.push_back(make(Paging::kPinned, limits));
  if (watch != nullptr) watch->add(caches.back()->cache);
  const bool pages = on_demand && pages_on_demand(device);
  caches.push_back(pages ? make(Paging::kSourcesOnDemand, on_demand_limits) : nullptr);
  caches.push_back(pages ? make(Paging::kSinksOnDemand, on_demand_limits) : nullptr);
  if (pages)
    UPCR_LOG(log_ibv, kInfo, "private memory that is registered is paged by %s on demand%s%s", device.name(),
             why_not.empty() ? "" : "; ", why_not.c_str());
  else if (watch == nullptr)
    UPCR_LOG(log_ibv, kInfo,
             "private memory is registered for each transfer anew, because nothing reports what the program "
             "unmaps, and %s does not page on demand: %s",
             device.name(), why_not.c_str());
}

void Memory::open_private(std::size_t later) {
  private_ = std::make_unique<Private>();
  Private& p = *private_;
  const auto devices = static_cast<std::uint32_t>(devices_.size());
  const std::size_t most = config_size("UPCR_IBV_PIN_MAX") / devices;
  const char* const setting = config_string("UPCR_IBV_WATCH");
  p.limits.registered = room_for_private_memory(later) / devices;
  p.limits.bytes = std::min(most, p.limits.registered);
  p.limits.entries = std::max(1u, static_cast<std::uint32_t>(config_int("UPCR_IBV_PIN_ENTRIES")) / devices);
  if (p.limits.bytes == 0) {
    p.why_not = "UPCR_IBV_PIN_MAX=0, or the limit of locked memory is used up";
  } else if (!fork_is_harmless()) {
    p.limits.bytes = 0;
    p.why_not = "this kernel does not copy pinned pages for a child of fork()";
  } else {
    p.watch = process_watch(setting, &p.why_not);
    if (p.watch != nullptr)
      UPCR_LOG(log_ibv, kInfo, "private memory that is registered is watched by %s%s%s", p.watch->name(),
               p.why_not.empty() ? "" : "; ", p.why_not.c_str());
  }
  // What is paged on demand is not locked. Two caches share the limits.
  p.on_demand_limits.bytes = most / 2;
  p.on_demand_limits.entries = std::max(1u, p.limits.entries / 2);
  p.on_demand = p.watch == nullptr && most != 0 &&
                (std::strcmp(setting, "auto") == 0 || std::strcmp(setting, "on-demand") == 0);
  for (const Device* device : devices_) p.open(*device);
}

void Memory::close_private() {
  if (private_ == nullptr) return;
  bool removed = true;
  for (const Device* device : devices_) {
    RegistrationCache::Counts sum;
    for (const Paging paging : {Paging::kPinned, Paging::kSourcesOnDemand, Paging::kSinksOnDemand}) {
      const RegistrationCache* const cache = private_->cache(*device, paging);
      const RegistrationCache::Counts n = cache != nullptr ? cache->counts() : RegistrationCache::Counts{};
      sum.hits += n.hits, sum.registered += n.registered, sum.joined += n.joined, sum.once += n.once;
      sum.stale += n.stale, sum.released += n.released;
    }
    UPCR_LOG(
        log_ibv, kInfo,
        "private memory: %llu transfers found it registered, %llu registered it, %llu of these together with "
        "what lay beside it, %llu without keeping it; %llu entries became stale, %llu were evicted",
        static_cast<unsigned long long>(sum.hits), static_cast<unsigned long long>(sum.registered),
        static_cast<unsigned long long>(sum.joined), static_cast<unsigned long long>(sum.once),
        static_cast<unsigned long long>(sum.stale), static_cast<unsigned long long>(sum.released));
    if (private_->watch != nullptr && !private_->watch->remove(private_->pinned(*device))) removed = false;
  }
  if (!removed) (void)private_.release();  // a thread may be in it until the process ends
  private_.reset();
}

Registration* Memory::pin(const Device& device, const void* at, std::size_t bytes, Use use) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  // A neighbour's segment stays where it is until the job ends.
  Slot slot;
  std::uint64_t offset;
  const bool stays = segments_->find(*topology_, at, &slot, &offset) && bytes <= segments_->bytes - offset;
  const Paging on_demand = use == Use::kSource ? Paging::kSourcesOnDemand : Paging::kSinksOnDemand;
  if (RegistrationCache* const cache = private_->cache(device, on_demand); !stays && cache != nullptr)
    if (Registration* kept = cache->pin(address, bytes, use, RegistrationCache::Memory::kStays)) return kept;
  return private_->pinned(device).pin(
      address, bytes, use, stays ? RegistrationCache::Memory::kStays : RegistrationCache::Memory::kPrograms);
}

void Memory::unpin(Registration* registration) {
  private_->caches[registration->cache]->cache.unpin(registration);
}

void Memory::reclaim_stale() {
  for (const Device* device : devices_) private_->pinned(*device).reclaim_stale();
}

bool Memory::make_room() {
  constexpr unsigned kPatience = 10'000;  // milliseconds, about
  for (unsigned waited = 0; private_ != nullptr && waited < kPatience; ++waited) {
    bool released = false, in_use = false;
    for (const Device* device : devices_) {
      released |= private_->pinned(*device).release_unused();
      in_use |= private_->pinned(*device).in_use();
    }
    if (released) return true;
    if (!in_use) return false;
    ::usleep(1000);
  }
  return false;
}

std::string Memory::describe() const {
  if (private_ == nullptr) return "";
  const Private& p = *private_;
  std::size_t bytes = p.watch != nullptr ? p.limits.bytes * devices_.size() : 0;
  for (const Device* device : devices_)
    if (p.cache(*device, Paging::kSourcesOnDemand) != nullptr) bytes += 2 * p.on_demand_limits.bytes;
  if (bytes == 0) return "private memory is registered for each transfer";
  char size[32];
  return std::string("up to ") + format_size(bytes, size, sizeof size) + " of private memory stay registered";
}

}  // namespace upcr::ibv
