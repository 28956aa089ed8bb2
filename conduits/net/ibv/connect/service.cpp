// SPDX-License-Identifier: BSD-3-Clause
// Start, loop and end of the service thread.
#include "conduits/net/ibv/connect/service.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/base/system/helper_thread.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/net/ibv/connect/bytes_per_peer.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

// Own attempts in progress at once. More would not connect sooner, and flood the peers' listeners.
constexpr unsigned kMaxAttempts = 64;
constexpr int kReapInterval = 5;              // ms
constexpr Millis kDisconnectTimeout = 5'000;  // a peer that closes as well replies at once

}  // namespace

void Connections::Service::open(const AttachInfo& info, std::span<Port> ports, ConnectionClient& client,
                                const XrcDomain* xrc) {
  rank_ = info.topology.rank;
  bootstrap_ = &info.bootstrap;
  ports_ = ports;
  client_ = &client;
  if (paths_area_.bytes != 0) paths_ = {info.memory_file.at<std::byte>(paths_area_), paths_area_.bytes};
  time_limits_.connect = static_cast<Millis>(config_int("UPCR_IBV_CONNECT_TIMEOUT")) * 1000;
  transport_timeout_ = transport_timeout_for(static_cast<double>(config_int("UPCR_IBV_TIMEOUT")));
  UPCR_LOG(log_ibv, kInfo,
           "a connection fails after %.1f s without an acknowledgement (ack timeout %u, %u retries)",
           transport_timeout_.seconds(), transport_timeout_.ack_timeout, transport_timeout_.retry_count);
  wake_fd_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_fd_ < 0) fatal_errno("cannot make connections: no event descriptor");
  xrc_ = xrc;
  choose_connector();
  directory_.require_pairs();
  const std::size_t n = directory_.size();
  connect_called_ = std::make_unique<std::atomic<bool>[]>(n);
  eviction_expected_ = std::make_unique<std::atomic<bool>[]>(n);
  connect_requests_.reserve(n);
  machines_.resize(n);
  links_.resize(n);
  static_assert(kServiceBytesPerPeer == sizeof connect_called_[0] + sizeof eviction_expected_[0] +
                                            sizeof connect_requests_[0] + sizeof machines_[0] +
                                            sizeof links_[0]);
  watch_.open(ports, client, *connector_);
  connector_->open(directory_, *this);
  rails_.open(ports, directory_, *connector_, client, time_limits_.connect);
  start_thread();
}

void Connections::Service::start_thread() {
  const auto body = [](void* service) -> void* {
    static_cast<Service*>(service)->run();
    return nullptr;
  };
  const int error = start_helper_thread(&thread_, HelperStack::kClient, body, this);
  if (error != 0) fatal("cannot start the service thread: %s (ulimit -u)", std::strerror(error));
  pthread_setname_np(thread_, "upcr-ibv");
}

void Connections::Service::connect(Rank to) {
  if (connect_called_[to].load(std::memory_order_relaxed) || connect_called_[to].exchange(true)) return;
  UPCR_ASSERT(to != rank_);
  {
    const std::lock_guard guard(mutex_);
    connect_requests_.push_back(to);
  }
  wake();
}

void Connections::Service::evict(Rank peer, ibv_qp* qp) {
  {
    const std::lock_guard guard(mutex_);
    evictions_.emplace_back(peer, qp);
  }
  wake();
}

void Connections::Service::connect_rails(const Connection& first, unsigned most) {
  rails_.connect(first, most);
  wake();
}

void Connections::Service::close_rail(const Connection& rail) {
  rails_.close(rail.qp);
  wake();
}

void Connections::Service::wake() {
  const std::uint64_t one = 1;
  (void)!::write(wake_fd_, &one, sizeof one);
}

void Connections::Service::connect_all() {
  for (Rank r = rank_ + 1; r < directory_.size(); ++r) connect(r);
  std::unique_lock lock(mutex_);
  connected_more_.wait(lock, [this] { return connected_ == directory_.size() - 1; });
}

void Connections::Service::close() {
  closing_ = true;
  bootstrap_->barrier();  // from here on no process takes the end of a connection for the end of a process
  disconnect_ = true;
  wake();
  pthread_join(thread_, nullptr);
  connector_.reset();
  ::close(wake_fd_);
}

void Connections::Service::run() {
  std::vector<pollfd> fds;
  while (!disconnect_) {
    const Millis now = now_ms();
    tick(now);
    fds.assign({{wake_fd_, POLLIN, 0}});
    connector_->add_fds(&fds);
    watch_.add_fds(&fds);
    if (::poll(fds.data(), fds.size(), timeout(now)) < 0 && errno != EINTR) fatal_errno("poll");
    if ((fds[0].revents & POLLIN) != 0) fetch_connect_requests();
    process_evictions();
    process_broken();  // before the event that the connection is closed, which tells less
    connector_->process(now_ms());
    watch_.process_events();
  }
  disconnect_all();
}

int Connections::Service::timeout(Millis now) const {
  Millis due = std::min({watch_.due(), connector_->due(), rails_.due()});
  for (const Rank r : timed_peers_) due = std::min(due, machines_[r].due());
  for (const Lost& lost : lost_) due = std::min(due, lost.due);
  int ms = due == ConnectStateMachine::kNever
               ? -1
               : static_cast<int>(std::clamp<Millis>(due - std::min(due, now), 0, 60'000));
  if (has_retired_ && (ms < 0 || ms > kReapInterval)) ms = kReapInterval;
  return ms;
}

void Connections::Service::fetch_connect_requests() {
  std::uint64_t count;
  (void)!::read(wake_fd_, &count, sizeof count);
  const std::lock_guard guard(mutex_);
  queue_.insert(queue_.end(), connect_requests_.begin(), connect_requests_.end());
  connect_requests_.clear();
}

void Connections::Service::process_evictions() {
  std::vector<std::pair<Rank, ibv_qp*>> evictions;
  {
    const std::lock_guard guard(mutex_);
    evictions.swap(evictions_);
  }
  for (const auto& [peer, qp] : evictions)
    if (links_[peer] != nullptr && links_[peer]->connection.qp == qp) (void)close_evicted(peer);
}

// False: no eviction was agreed on. Where the data path has agreed on one the connection is established, even
// if the connector does not know that yet: its last message may have been lost.
bool Connections::Service::close_evicted(Rank peer) {
  const ConnectStateMachine::State state = machines_[peer].state();
  const bool accepted = state == ConnectStateMachine::State::kAccepted;
  if ((state != ConnectStateMachine::State::kConnected && !accepted) ||
      !eviction_expected_[peer].exchange(false))
    return false;
  if (accepted) report_established(*links_[peer]);
  UPCR_LOG(log_ibv, kInfo, "the connection with rank %u is closed until it is needed again", peer);
  machines_[peer].evicted();
  connect_called_[peer].store(false);  // before the client knows, who may connect again
  drop(peer);
  return true;
}

void Connections::Service::add_timed_peer(Rank peer) {
  if (std::find(timed_peers_.begin(), timed_peers_.end(), peer) == timed_peers_.end())
    timed_peers_.push_back(peer);
}

void Connections::Service::tick(Millis now) {
  watch_.tick(now);
  report_lost(now);
  const std::vector<Rank> peers = timed_peers_;
  for (const Rank peer : peers) tick_peer(peer, now);
  rails_.tick(now);
  if (!closing_) rails_.process_requests(now);
  std::erase_if(timed_peers_, [this](Rank r) { return machines_[r].due() == ConnectStateMachine::kNever; });
  while (!queue_.empty() && timed_peers_.size() < kMaxAttempts && !closing_) {
    const Rank peer = queue_.front();
    queue_.pop_front();
    if (machines_[peer].connect(now, time_limits_) == ConnectStateMachine::Action::kStart) start(peer);
    if (machines_[peer].state() != ConnectStateMachine::State::kConnected) add_timed_peer(peer);
  }
  reap();
}

void Connections::Service::tick_peer(Rank peer, Millis now) {
  switch (machines_[peer].tick(now)) {
    case ConnectStateMachine::Action::kStart:
      return start(peer);
    case ConnectStateMachine::Action::kDrop:
      return drop(peer);
    case ConnectStateMachine::Action::kTimedOut:
      connect_timed_out(peer);
    default:
      return;
  }
}

void Connections::Service::reap() {
  std::erase_if(retired_links_, [this](const std::unique_ptr<ConnectLink>& link) {
    if (!client_->drained(link->connection)) return false;
    connector_->destroy_queue_pair(*link);
    return true;
  });
  const bool rails_left = rails_.reap();
  has_retired_ = rails_left || !retired_links_.empty();
}

// Of each pair the lower rank disconnects, and the higher one replies. Crossing requests would get replies,
// too, but only after a time-out if one of the processes has ended already.
void Connections::Service::disconnect_all() {
  watch_.close();
  rails_.begin_close();
  for (Rank r = 0; r < directory_.size(); ++r) {
    if (links_[r] == nullptr) continue;
    if (machines_[r].state() != ConnectStateMachine::State::kConnected)
      drop(r);
    else if (rank_ < r)
      connector_->disconnect(*links_[r]);
  }
  const auto open = [this] {
    return !rails_.empty() || std::any_of(links_.begin(), links_.end(), [](auto& l) { return l != nullptr; });
  };
  const Millis end = now_ms() + kDisconnectTimeout;
  while (open() && now_ms() < end) {
    std::vector<pollfd> fds;
    connector_->add_fds(&fds);
    const Millis now = now_ms();
    constexpr Millis kLook = 100;
    const Millis due = std::min(std::max(connector_->due(), now) - now, kLook);
    (void)::poll(fds.data(), fds.size(), static_cast<int>(due));
    connector_->process(now_ms());
  }
  for (Rank r = 0; r < directory_.size(); ++r)
    if (links_[r] != nullptr) {
      UPCR_LOG(log_ibv, kInfo, "%s has not taken part in closing the connection",
               directory_.name_of(r).c_str());
      drop(r);
    }
  rails_.drop_all();
  for (reap(); has_retired_ && now_ms() < end + kDisconnectTimeout; reap()) ::usleep(kReapInterval * 1000);
}

// -- Connections

Connections::Connections() : service_(std::make_unique<Service>()) {}
Connections::~Connections() = default;
void Connections::open(const AttachInfo& info, std::span<Port> ports, ConnectionClient& client,
                       const XrcDomain* xrc) {
  service_->open(info, ports, client, xrc);
}
void Connections::connect(Rank to) { service_->connect(to); }
void Connections::connect_all() { service_->connect_all(); }
void Connections::expect_eviction(Rank peer, bool expected) { service_->expect_eviction(peer, expected); }
void Connections::evict(Rank peer, ibv_qp* qp) { service_->evict(peer, qp); }
void Connections::connect_rails(const Connection& first, unsigned most) {
  service_->connect_rails(first, most);
}
void Connections::close_rail(const Connection& rail) { service_->close_rail(rail); }
unsigned Connections::rails_of_peers() const noexcept { return service_->rails_of_peers(); }
void Connections::report_broken(Rank peer, std::string why, bool waited) {
  service_->report_broken(peer, std::move(why), waited);
}
void Connections::plan(MemoryFile& memory_file, const Topology& topology) {
  service_->plan(memory_file, topology);
}
void Connections::close() { service_->close(); }
std::string Connections::name_of(Rank peer) const { return service_->directory().name_of(peer); }
std::string Connections::down_ports(Rank) const { return service_->watch().down_ports(); }

}  // namespace upcr::ibv
