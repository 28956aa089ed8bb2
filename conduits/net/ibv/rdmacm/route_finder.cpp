// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/rdmacm/route_finder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/rdmacm/path_record.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

constexpr int kResolveMs = 5'000;  // of one question; the claim lasts longer
static_assert(kResolveMs < PathTable::kClaimLimit);
constexpr Millis kLongestPause = 32;  // between two looks for the answer of another process

rdma_cm_id* id_of(const ConnectLink& link) { return static_cast<rdma_cm_id*>(link.attempt); }

bool is_zero(const ibv_gid& gid) {
  return std::all_of(std::begin(gid.raw), std::end(gid.raw), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

RouteFinder::RouteFinder(std::span<const Port> ports, std::span<std::byte> shared,
                         std::optional<std::uint8_t> traffic_class, Millis limit)
    : ports_(ports),
      traffic_class_(static_cast<std::uint16_t>(traffic_class ? *traffic_class + 1 : 0)),
      reply_limit_(limit / 3) {
  keeps_paths_ = !shared.empty() && std::any_of(ports.begin(), ports.end(), [](const Port& port) {
    return port.kind == Kind::kInfiniBand;
  });
  if (keeps_paths_) paths_.open(shared.data(), shared.size());
}

// None: not between ports of InfiniBand, or not by the port that was chosen.
std::optional<PathKey> RouteFinder::key_of(const ConnectLink& link) const {
  const Port& port = ports_[link.connection.port];
  const rdma_cm_id& id = *id_of(link);
  const rdma_ib_addr& address = id.route.addr.addr.ibaddr;
  if (port.kind != Kind::kInfiniBand || id.verbs != port.device->context() || id.port_num != port.number ||
      is_zero(address.sgid) || is_zero(address.dgid))
    return std::nullopt;
  return PathKey{address.sgid, address.dgid, address.pkey, traffic_class_};
}

std::string RouteFinder::find(ConnectLink& link, Millis now) {
  const std::optional<PathKey> key = keeps_paths_ ? key_of(link) : std::nullopt;
  if (!key) {
    Attempt attempt{&link, {}};
    return resolve(attempt);
  }
  const bool known = std::any_of(own_gids_.begin(), own_gids_.end(), [&](const auto& port_and_gid) {
    return port_and_gid.first == link.connection.port &&
           std::memcmp(port_and_gid.second.raw, key->own.raw, sizeof key->own.raw) == 0;
  });
  if (!known) own_gids_.emplace_back(link.connection.port, key->own);
  Attempt& attempt = attempts_.emplace_back(Attempt{&link, *key});
  attempt.limit = now + kWaitLimit;
  std::string error = go_on(attempt, now);
  if (!error.empty()) release(link);
  plan_look(now);
  return error;
}

std::string RouteFinder::go_on(Attempt& attempt, Millis now) {
  if (!keeps_paths_) return resolve(attempt);
  const PathTable::Found found = paths_.find(attempt.key, now);
  switch (found.answer) {
    case PathTable::Answer::kWait:
      return now < attempt.limit ? "" : resolve(attempt);
    case PathTable::Answer::kAsk:
      attempt.claim = found.claim;
      return resolve(attempt);
    case PathTable::Answer::kKept:
      break;
  }
  if (!set_path(*attempt.link, found.path)) return resolve(attempt);
  UPCR_LOG(log_ibv, kDebug, "link with rank %u: the path is known", attempt.link->connection.peer);
  attempt.step = Step::kSet;
  attempt.path = found.path;
  attempt.limit = silent_.contains(attempt.link->connection.peer) ? kNever : now + reply_limit_;
  return "";
}

std::string RouteFinder::resolve(Attempt& attempt) {
  attempt.step = Step::kAsking;
  attempt.limit = kNever;
  if (::rdma_resolve_route(id_of(*attempt.link), kResolveMs) == 0) return "";
  return std::string("cannot find a route: ") + std::strerror(errno);
}

bool RouteFinder::set_path(const ConnectLink& link, const ibv_path_record& path) {
  ibv_path_data option = path_option(path);
  if (::rdma_set_option(id_of(link), RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, &option, sizeof option) == 0)
    return true;
  UPCR_LOG(log_ibv, kInfo, "paths cannot be set (%s): the subnet manager is asked for each connection",
           std::strerror(errno));
  keeps_paths_ = false;
  return false;
}

// Of several records one may be for another direction, or an alternative: they are not kept.
void RouteFinder::found(ConnectLink& link, Millis now) {
  Attempt* const attempt = attempt_of(link);
  if (attempt == nullptr || attempt->step != Step::kAsking) return;
  const rdma_route& route = id_of(link)->route;
  if (attempt->claim != PathTable::kNoClaim) {
    if (route.num_paths == 1 && route.path_rec != nullptr) {
      paths_.keep(attempt->key, attempt->claim, packed(*route.path_rec), now);
    } else {
      UPCR_LOG(log_ibv, kInfo,
               "the path to rank %u has %d records: the subnet manager is asked for each connection",
               link.connection.peer, route.num_paths);
      paths_.decline(attempt->key, attempt->claim, now);
    }
    attempt->claim = PathTable::kNoClaim;
  }
  forget(*attempt);
}

void RouteFinder::reached_peer(ConnectLink& link) {
  Attempt* const attempt = attempt_of(link);
  if (attempt == nullptr) return;
  has_worked_ = has_worked_ || attempt->step == Step::kSet;
  forget(*attempt);
}

bool RouteFinder::failed(ConnectLink& link) {
  Attempt* const attempt = attempt_of(link);
  if (attempt == nullptr) return false;
  const bool was_kept = attempt->step == Step::kSet;
  if (was_kept) {
    paths_.drop(attempt->key, attempt->path);
    if (!has_worked_ && ++failures_ == kMostFailures) {
      UPCR_LOG(log_ibv, kInfo,
               "no path that was set has worked: the subnet manager is asked for each connection");
      keeps_paths_ = false;
    }
  }
  forget(*attempt);
  return was_kept;
}

void RouteFinder::release(ConnectLink& link) {
  if (const Attempt* const attempt = attempt_of(link); attempt != nullptr) forget(*attempt);
}

RouteFinder::Attempt* RouteFinder::attempt_of(const ConnectLink& link) {
  const auto at = std::find_if(attempts_.begin(), attempts_.end(),
                               [&link](const Attempt& attempt) { return attempt.link == &link; });
  return at != attempts_.end() ? &*at : nullptr;
}

// The end of a claim may let another attempt of this process go on.
void RouteFinder::forget(const Attempt& attempt) {
  if (attempt.claim != PathTable::kNoClaim) paths_.give_up(attempt.key, attempt.claim);
  attempts_.erase(attempts_.begin() + (&attempt - attempts_.data()));
  if (look_at_ != kNever) look_at_ = 0;
}

void RouteFinder::drop_paths(unsigned port) {
  for (const auto& [of, gid] : own_gids_)
    if (of == port) paths_.drop_from(gid);
}

// Ever longer pauses: a wait is at most doubled, and many processes that wait take little time from others.
void RouteFinder::plan_look(Millis now) {
  const bool waits = std::any_of(attempts_.begin(), attempts_.end(),
                                 [](const Attempt& attempt) { return attempt.step == Step::kWaiting; });
  if (!waits) {
    look_at_ = kNever;
    pause_ = 0;
    return;
  }
  if (look_at_ != kNever && look_at_ > now) return;
  pause_ = std::clamp<Millis>(pause_ * 2, 1, kLongestPause);
  look_at_ = now + pause_;
}

Millis RouteFinder::due() const noexcept {
  Millis due = look_at_;
  for (const Attempt& attempt : attempts_)
    if (attempt.step == Step::kSet) due = std::min(due, attempt.limit);
  return due;
}

std::vector<RouteFinder::Failure> RouteFinder::look(Millis now) {
  std::vector<Failure> failures;
  if (now < due()) return failures;
  for (Attempt& attempt : attempts_) {
    if (attempt.step == Step::kSet && now >= attempt.limit) {
      silent_.insert(attempt.link->connection.peer);
      failures.push_back({attempt.link, "no reply by the path that was found before"});
    } else if (attempt.step == Step::kWaiting) {
      if (std::string error = go_on(attempt, now); !error.empty())
        failures.push_back({attempt.link, std::move(error)});
    }
  }
  for (Failure& failure : failures) failure.kept_path = failed(*failure.link);
  plan_look(now);
  return failures;
}

}  // namespace upcr::ibv
