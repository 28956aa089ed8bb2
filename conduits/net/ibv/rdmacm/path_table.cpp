// SPDX-License-Identifier: BSD-3-Clause
// A pair's entry is one of the kWays of the set to which its key is hashed.
#include "conduits/net/ibv/rdmacm/path_table.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace upcr::ibv {
namespace {

constexpr std::size_t kWays = 4, kFewestSets = 16, kMostSets = 2048;
constexpr time_t kLockSeconds = 1;  // far longer than any change takes

enum class State : std::uint32_t { kEmpty, kClaimed, kKept, kDeclined };

bool equal(const ibv_gid& a, const ibv_gid& b) noexcept { return std::memcmp(a.raw, b.raw, sizeof a) == 0; }
bool equal(const PathKey& a, const PathKey& b) noexcept {
  return equal(a.own, b.own) && equal(a.remote, b.remote) && a.partition == b.partition &&
         a.traffic_class == b.traffic_class;
}

// FNV-1a.
std::uint64_t hash_of(const PathKey& key) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 0x100000001b3;
  };
  add(key.own.raw, sizeof key.own.raw);
  add(key.remote.raw, sizeof key.remote.raw);
  add(&key.partition, sizeof key.partition);
  add(&key.traffic_class, sizeof key.traffic_class);
  return hash ^ hash >> 32;
}

bool make_mutex(pthread_mutex_t* mutex) noexcept {
  pthread_mutexattr_t attributes;
  if (::pthread_mutexattr_init(&attributes) != 0) return false;
  const bool made = ::pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
                    ::pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
                    ::pthread_mutex_init(mutex, &attributes) == 0;
  ::pthread_mutexattr_destroy(&attributes);
  return made;
}

int lock_in_time(pthread_mutex_t* mutex) noexcept {
  if (const int error = ::pthread_mutex_trylock(mutex); error != EBUSY) return error;
  timespec limit;
  ::clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += kLockSeconds;
  return ::pthread_mutex_timedlock(mutex, &limit);
}

}  // namespace

// Zero bytes are an empty one.
struct PathTable::Entry {
  PathKey key;
  ibv_path_record path;
  Claim claim;   // kClaimed
  Millis since;  // of the claim, or of the answer
  State state;
};

struct PathTable::Head {
  enum : std::uint32_t { kNew, kBeingMade, kReady, kUnusable };
  std::atomic<std::uint32_t> stage;
  pthread_mutex_t mutex;
  Claim last_claim;
};

class PathTable::Lock {
 public:
  explicit Lock(PathTable& table) noexcept : head_(table.head_) {
    if (head_ == nullptr || head_->stage.load(std::memory_order_acquire) != Head::kReady ||
        table.is_blocked_.load(std::memory_order_relaxed))
      return;
    const int error = lock_in_time(&head_->mutex);
    if (error == EOWNERDEAD) {
      std::memset(static_cast<void*>(table.entries_), 0, table.sets_ * kWays * sizeof(Entry));
      ::pthread_mutex_consistent(&head_->mutex);
    }
    locked_ = error == 0 || error == EOWNERDEAD;
    if (error == ETIMEDOUT) table.is_blocked_.store(true, std::memory_order_relaxed);
  }
  ~Lock() {
    if (locked_) ::pthread_mutex_unlock(&head_->mutex);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  explicit operator bool() const noexcept { return locked_; }

 private:
  Head* head_;
  bool locked_ = false;
};

std::size_t PathTable::bytes_for(Rank processes) noexcept {
  const std::size_t sets = std::clamp(std::bit_ceil(std::size_t{processes} / kWays), kFewestSets, kMostSets);
  return sizeof(Head) + sets * kWays * sizeof(Entry);
}

// The first process makes the lock.
void PathTable::open(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  head_ = static_cast<Head*>(memory);
  entries_ = reinterpret_cast<Entry*>(head_ + 1);
  sets_ = std::bit_floor((bytes - sizeof(Head)) / (kWays * sizeof(Entry)));
  std::uint32_t stage = Head::kNew;
  if (!head_->stage.compare_exchange_strong(stage, Head::kBeingMade)) return;
  head_->stage.store(make_mutex(&head_->mutex) ? Head::kReady : Head::kUnusable, std::memory_order_release);
}

PathTable::Entry* PathTable::set_of(const PathKey& key) const noexcept {
  return entries_ + (hash_of(key) & (sets_ - 1)) * kWays;
}

PathTable::Entry* PathTable::entry_of(const PathKey& key) const noexcept {
  Entry* const set = set_of(key);
  Entry* const at = std::find_if(set, set + kWays, [&key](const Entry& entry) {
    return entry.state != State::kEmpty && equal(entry.key, key);
  });
  return at != set + kWays ? at : nullptr;
}

PathTable::Entry* PathTable::claimed_entry(const PathKey& key, Claim claim) const noexcept {
  Entry* const entry = entry_of(key);
  return entry != nullptr && entry->state == State::kClaimed && entry->claim == claim ? entry : nullptr;
}

PathTable::Found PathTable::find(const PathKey& key, Millis now) noexcept {
  Found found;
  const Lock lock(*this);
  if (!lock) return found;
  const auto has_ended = [now](const Entry& e) {
    return e.state == State::kClaimed && now >= e.since + kClaimLimit;
  };
  Entry* entry = entry_of(key);
  if (entry != nullptr && entry->state == State::kKept) {
    found.answer = Answer::kKept;
    found.path = entry->path;
    return found;
  }
  if (entry != nullptr && entry->state == State::kDeclined) return found;
  if (entry != nullptr && !has_ended(*entry)) {
    found.answer = Answer::kWait;
    return found;
  }
  if (entry == nullptr) {  // an empty one, else the oldest that nobody waits for
    Entry* const set = set_of(key);
    for (Entry* e = set; e != set + kWays; ++e) {
      if (e->state == State::kClaimed && !has_ended(*e)) continue;
      if (entry == nullptr ||
          (entry->state != State::kEmpty && (e->state == State::kEmpty || e->since < entry->since)))
        entry = e;
    }
  }
  if (entry == nullptr) return found;
  entry->key = key;
  entry->claim = found.claim = ++head_->last_claim;
  entry->since = now;
  entry->state = State::kClaimed;
  return found;
}

void PathTable::keep(const PathKey& key, Claim claim, const ibv_path_record& path, Millis now) noexcept {
  const Lock lock(*this);
  if (!lock) return;
  if (Entry* const entry = claimed_entry(key, claim); entry != nullptr) {
    entry->path = path;
    entry->since = now;
    entry->state = State::kKept;
  }
}

void PathTable::decline(const PathKey& key, Claim claim, Millis now) noexcept {
  const Lock lock(*this);
  if (!lock) return;
  if (Entry* const entry = claimed_entry(key, claim); entry != nullptr) {
    entry->since = now;
    entry->state = State::kDeclined;
  }
}

void PathTable::give_up(const PathKey& key, Claim claim) noexcept {
  const Lock lock(*this);
  if (!lock) return;
  if (Entry* const entry = claimed_entry(key, claim); entry != nullptr) entry->state = State::kEmpty;
}

void PathTable::drop(const PathKey& key, const ibv_path_record& path) noexcept {
  const Lock lock(*this);
  if (!lock) return;
  Entry* const entry = entry_of(key);
  if (entry != nullptr && entry->state == State::kKept && std::memcmp(&entry->path, &path, sizeof path) == 0)
    entry->state = State::kEmpty;
}

void PathTable::drop_from(const ibv_gid& own) noexcept {
  const Lock lock(*this);
  if (!lock) return;
  for (Entry* entry = entries_; entry != entries_ + sets_ * kWays; ++entry)
    if (entry->state != State::kEmpty && equal(entry->key.own, own)) entry->state = State::kEmpty;
}

}  // namespace upcr::ibv
