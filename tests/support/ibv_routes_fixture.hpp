// SPDX-License-Identifier: BSD-3-Clause
// For tests of connections by librdmacm on InfiniBand: a job of which this process plays those of one host,
// in a fabric (rdmacm_fabric.hpp). In one source of a program.
#pragma once
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conduits/net/ibv/connect/port_watch.hpp"
#include "conduits/net/ibv/connector/directory.hpp"
#include "conduits/net/ibv/rdmacm/cm_connector.hpp"
#include "tests/support/rdmacm_fabric.hpp"
#include "tests/support/thread_bootstrap.hpp"

namespace upcr::ibv {

inline constexpr unsigned kSubnets = 2;
inline constexpr Millis kConnectLimit = 60'000;
inline constexpr Rank kProcesses = 5;  // rank 0 on host 1, 1 to 3 on host 2, 4 on host 3

inline sockaddr_in address_of(unsigned subnet, unsigned host) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(0x0a000000 | subnet << 8 | host);
  return address;
}

inline Published published(Rank rank, Kind kind) {
  Published p;
  p.count = kSubnets;
  for (unsigned i = 0; i < kSubnets; ++i) {
    const sockaddr_in address = address_of(i, rank == 0 ? 1 : rank < 4 ? 2 : 3);
    sockaddr_storage storage{};
    std::memcpy(&storage, &address, sizeof address);
    p.ports[i].address = to_wire(storage, 24);
    p.ports[i].kind = kind;
  }
  return p;
}

template <typename T>
T* shared_memory(std::size_t bytes) {
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return at != MAP_FAILED ? static_cast<T*>(at) : nullptr;
}

// What does not matter to connections: no queue pair is made.
class NoClient final : public ConnectionClient {
 public:
  void queue_pair_attributes(Device&, bool, ibv_qp_init_attr*) override {}
  void prepare(const Connection&) override {}
  void established(const Connection&) override {}
  void discarded(const Connection&) override {}
  bool busy(const Device&) override { return false; }
};

// A process of host 1: asks for connections, and what became of them.
class Process final : private ConnectorEvents {
 public:
  Process(std::span<Port> ports, const Directory& directory, std::span<std::byte> shared)
      : connector_(ports, {}, std::nullopt, shared, kConnectLimit) {
    connector_.open(directory, *this);
    watch_.open(ports, client_, connector_);
  }
  ~Process() {
    for (auto& link : links_)
      if (link->attempt != nullptr) connector_.release(*link);
  }
  ConnectLink& start(Rank peer, unsigned port = 0) {
    ConnectLink& link = *links_.emplace_back(std::make_unique<ConnectLink>());
    link.connection.peer = peer;
    link.connection.port = link.connection.remote_port = port;
    link.connection.device = ports_device;
    EXPECT_EQ(connector_.start(link, {port, port}), "");
    return link;
  }
  void process(Millis now) {
    watch_.process_events();
    connector_.process(now);
  }
  void connect(Rank peer, Millis now, unsigned port = 0) {
    start(peer, port);
    process(now);
  }
  void release(ConnectLink& link) { connector_.release(link); }
  bool waits() const { return connector_.due() != kNever; }
  Millis due() const { return connector_.due(); }

  unsigned connected = 0;
  std::vector<ConnectFailure> failures;
  Device* ports_device = nullptr;

 private:
  void route_found(ConnectLink& link) override {
    if (const std::string error = connector_.request(link, Hello()); !error.empty()) failed(link, {error});
  }
  void requested(PeerRequest&) override { ADD_FAILURE(); }
  void established(ConnectLink&, const void*, std::size_t) override { ++connected; }
  void failed(ConnectLink& link, const ConnectFailure& failure) override {
    failures.push_back(failure);
    connector_.release(link);
  }
  void disconnected(ConnectLink&) override { ADD_FAILURE(); }
  void device_removed(const Device*) override { ADD_FAILURE(); }

  CmConnector connector_;
  NoClient client_;
  PortWatch watch_;
  std::vector<std::unique_ptr<ConnectLink>> links_;
};

class IbvRoutes : public testing::Test {
 protected:
  IbvRoutes() {
    test::fabric = &fabric_;
    fabric_.questions = shared_memory<std::atomic<int>>(4096);
    fabric_.lids = {{1, 11}, {2, 22}, {3, 33}};
    fabric_.contexts.assign(kSubnets, &context_);
    context_.async_fd = -1;
    // A device is a context and what nothing here looks at.
    const ibv_context* const context = &context_;
    std::memcpy(device_memory_, &context, sizeof context);
    device_ = reinterpret_cast<Device*>(device_memory_);
    EXPECT_EQ(device_->context(), context);
    for (unsigned i = 0; i < kSubnets; ++i) {
      fabric_.numbers.push_back(static_cast<std::uint8_t>(i + 1));
      ports_[i].device = device_;
      ports_[i].number = fabric_.numbers[i];
      const sockaddr_in address = address_of(i, 1);
      std::memcpy(&ports_[i].address, &address, sizeof address);
    }
    set_kind(Kind::kInfiniBand);
    bytes_ = PathTable::bytes_for(kProcesses);
    memory_ = shared_memory<std::byte>(bytes_);
  }
  ~IbvRoutes() override {
    ::munmap(memory_, bytes_);
    ::munmap(fabric_.questions, 4096);
  }
  void set_kind(Kind kind) {
    for (Port& port : ports_) port.kind = kind;
    test::Meeting meeting(kProcesses);
    std::vector<std::thread> others;
    for (Rank r = 1; r < kProcesses; ++r)
      others.emplace_back([&meeting, r, kind] {
        test::ThreadBootstrap bootstrap(meeting, r);
        Directory of_other;
        of_other.exchange(bootstrap, published(r, kind));
      });
    test::ThreadBootstrap bootstrap(meeting, 0);
    directory_.exchange(bootstrap, published(0, kind));
    for (std::thread& other : others) other.join();
  }
  std::unique_ptr<Process> make_process() {
    auto process = std::make_unique<Process>(ports_, directory_, std::span(memory_, bytes_));
    process->ports_device = device_;
    return process;
  }
  int questions() const { return *fabric_.questions; }
  void report_async(ibv_event_type type, int port) {
    ibv_async_event event{};
    event.event_type = type;
    event.element.port_num = port;
    fabric_.async_events.emplace_back(&context_, event);
  }
  // In a process of its own, which returns from `body` or ends by itself. True: its status is 0.
  template <typename Body>
  pid_t fork_process(Body&& body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body() ? 0 : 1);
    return child;
  }
  static bool joined(pid_t child) {
    int status = -1;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
  }

  test::Fabric fabric_;
  ibv_context context_{};
  alignas(16) unsigned char device_memory_[1024]{};
  Device* device_ = nullptr;
  std::vector<Port> ports_{kSubnets};
  Directory directory_;
  std::size_t bytes_ = 0;
  std::byte* memory_ = nullptr;
};
static_assert(sizeof(Device) <= 1024);

}  // namespace upcr::ibv
