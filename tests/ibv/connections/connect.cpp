// SPDX-License-Identifier: BSD-3-Clause
// Connections without a data path: all processes connect with each other at once, again and again. Each pair
// ends with one connection, which carries a message each way, and nothing is left over afterwards.
//   upcrun --conduit smp -n 4 ibv_connect [ROUNDS [all | wait FILE]]
// all: by connect_all(); wait: rank 0 waits for FILE before any process connects.
// A process prints what it has counted; rank 0 says "all N processes are connected, R times".
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/startup/startup.hpp"
#include "conduits/net/ibv/connect/connections.hpp"
#include "tests/support/program_job.hpp"

namespace upcr::ibv {
namespace {

using test::job;

constexpr unsigned kReceives = 4, kBytes = 64;
constexpr std::uint64_t kSend = ~std::uint64_t{0};

// Queues of the least size, and a message to each process.
class Client final : public ConnectionClient {
 public:
  explicit Client(std::span<Device* const> devices) : peers_(job().topology.size) {
    for (Device* d : devices) {
      ibv_cq* cq = ::ibv_create_cq(d->context(), 1024, nullptr, nullptr, 0);
      REQUIRE(cq != nullptr);
      memory_.emplace_back(4096 * (job().topology.size + 1));
      ibv_mr* mr =
          ::ibv_reg_mr(d->pd(), memory_.back().data(), memory_.back().size(), IBV_ACCESS_LOCAL_WRITE);
      REQUIRE(mr != nullptr);
      cqs_.push_back(cq);
      mrs_.push_back(mr);
    }
  }
  ~Client() {
    for (ibv_mr* mr : mrs_) REQUIRE(::ibv_dereg_mr(mr) == 0);
    for (ibv_cq* cq : cqs_) REQUIRE(::ibv_destroy_cq(cq) == 0);
  }

  void queue_pair_attributes(Device& device, bool, ibv_qp_init_attr* a) override {
    a->send_cq = a->recv_cq = cqs_[device.index()];
    a->cap = {16, kReceives, 1, 1, 0};
  }
  void prepare(const Connection& c) override {
    const std::lock_guard guard(mutex_);
    ++prepared_;
    for (unsigned i = 0; i < kReceives; ++i) {
      ibv_sge sge = piece(c, i);
      ibv_recv_wr wr{c.peer, nullptr, &sge, 1}, *bad;
      REQUIRE(::ibv_post_recv(c.qp, &wr, &bad) == 0);
    }
  }
  void established(const Connection& c) override {
    const std::lock_guard guard(mutex_);
    Peer& p = peers_[c.peer];
    ++p.established;
    p.connection = c;
    if (c.active) send(c);
  }
  void discarded(const Connection& c) override {
    const std::lock_guard guard(mutex_);
    ++discarded_;
    if (peers_[c.peer].connection.qp == c.qp) --peers_[c.peer].established;
  }
  bool busy(const Device&) override { return true; }

  // True when a message from each process has arrived and the own ones have left.
  bool poll() {
    const std::lock_guard guard(mutex_);
    for (ibv_cq* cq : cqs_)
      for (ibv_wc wc; ::ibv_poll_cq(cq, 1, &wc) == 1;) {
        if (wc.status == IBV_WC_WR_FLUSH_ERR) continue;  // of a link that was discarded
        if (wc.status != IBV_WC_SUCCESS) fatal("completion: %s", ::ibv_wc_status_str(wc.status));
        if (wc.wr_id != kSend) ++peers_[wc.wr_id].received;
      }
    bool all = true;
    for (Rank r = 0; r < peers_.size(); ++r) {
      Peer& p = peers_[r];
      if (r == job().topology.rank) continue;
      // The passive side replies when something has arrived.
      if (p.established == 1 && p.received != 0 && !p.connection.active && !p.sent) send(p.connection);
      all = all && p.established == 1 && p.received == 1;
    }
    return all;
  }
  unsigned prepared() const { return prepared_; }
  unsigned discarded() const { return discarded_; }

 private:
  struct Peer {
    Connection connection;
    int established = 0;
    unsigned received = 0;
    bool sent = false;
  };
  ibv_sge piece(const Connection& c, unsigned i) {
    const auto d = c.device->index();
    return {reinterpret_cast<std::uint64_t>(memory_[d].data() + 4096 * c.peer + kBytes * i), kBytes,
            mrs_[d]->lkey};
  }
  void send(const Connection& c) {
    ibv_sge sge = piece(c, kReceives);
    ibv_send_wr wr{}, *bad;
    wr.wr_id = kSend;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = IBV_WR_SEND;
    wr.send_flags = IBV_SEND_SIGNALED;
    REQUIRE(::ibv_post_send(c.qp, &wr, &bad) == 0);
    peers_[c.peer].sent = true;
  }

  std::mutex mutex_;
  std::vector<ibv_cq*> cqs_;
  std::vector<ibv_mr*> mrs_;
  std::vector<std::vector<char>> memory_;
  std::vector<Peer> peers_;
  unsigned prepared_ = 0, discarded_ = 0;
};

unsigned total_dropped = 0;

struct Options {
  bool all = false;
  const char* file = nullptr;
};

void one_round(const AttachInfo& info, const Options& options, unsigned round) {
  const Topology& topology = job().topology;
  PortSet ports;
  ports.open(job().topology);
  if (round == 0 && topology.rank == 0) std::printf("%s\n", ports.details().c_str());
  {
    Client client(ports.devices());
    Connections connections;
    connections.open(info, ports.ports(), client);
    while (topology.rank == 0 && options.file != nullptr && ::access(options.file, F_OK) != 0)
      ::usleep(20'000);
    info.bootstrap.barrier();
    if (options.all) {
      connections.connect_all();
    } else {
      std::minstd_rand random(topology.rank * 7919 + round);
      for (Rank i = 0; i < 2 * topology.size; ++i) {
        const Rank to = (topology.rank + i + static_cast<Rank>(random())) % topology.size;
        if (to != topology.rank) connections.connect(to);
      }
      for (Rank r = 0; r < topology.size; ++r)
        if (r != topology.rank) connections.connect(r);
    }
    while (!client.poll()) ::sched_yield();
    info.bootstrap.barrier();  // all messages have arrived everywhere
    REQUIRE(client.poll());
    connections.close();
    REQUIRE(client.prepared() == client.discarded());
    total_dropped += client.prepared() - (topology.size - 1);
  }
  ports.close();
}

int run(int argc, char** argv) {
  StartOptions start;
  start.argc = argc;
  start.argv = argv;
  start_job(job(), start);
  AttachOptions attach;
  attach.segment_bytes = 1 << 20;
  attach_job(job(), attach);
  Job& j = job();
  const unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 5;
  const AttachInfo info{*j.bootstrap, j.topology, j.segments, j.machine_memory(),
                        j.doorbells,  false,      false,      false};
  Options options;
  options.all = argc > 2 && std::strcmp(argv[2], "all") == 0;
  if (argc > 3 && std::strcmp(argv[2], "wait") == 0) options.file = argv[3];
  for (unsigned i = 0; i < rounds; ++i) one_round(info, options, i);
  std::vector<unsigned> dropped(j.topology.size);
  j.bootstrap->allgather(&total_dropped, sizeof total_dropped, dropped.data());
  if (j.topology.rank == 0) {
    unsigned sum = 0;
    for (const unsigned d : dropped) sum += d;
    std::printf("%u links were discarded\nall %u processes are connected, %u times\n", sum, j.topology.size,
                rounds);
    std::fflush(stdout);
  }
  end_job(job());
  return 0;
}

}  // namespace
}  // namespace upcr::ibv

int main(int argc, char** argv) { return upcr::ibv::run(argc, argv); }
