// SPDX-License-Identifier: BSD-3-Clause
// ibv_send_micro: threads of a process that send to different peers over the ibv conduit's send paths, beside
// queue pairs without a device. Each thread posts puts of 8 bytes, and retires them every kWindow puts as who
// polls does. A queue pair's ibv_post_send takes the time that is the row's first argument, in ns (0: as good
// as none; 100 to 300: a write to an adapter over PCIe). Second argument: 1 for one path for all peers, which
// is a lock around everything; 8 as in a process with threads. items_per_second: puts of all threads
// together.
#include <benchmark/benchmark.h>
#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "conduits/core/base/system/ticks.hpp"
#include "conduits/net/ibv/queues/completion_queue.hpp"
#include "conduits/net/ibv/sending/conduit_guard.hpp"
#include "conduits/net/ibv/sending/send_paths.hpp"

namespace upcr::ibv {
namespace {

constexpr unsigned kThreads = 4, kWindow = 32, kDepth = 64, kRoom = 256;

class QueuePair {
 public:
  QueuePair(Rank peer, SendPath& path, CompletionRoom& room, std::uint64_t post_ns) : post_ns_(post_ns) {
    context_.ops.post_send = post_send;
    context_.abi_compat = this;
    pair_.context = &context_;
    link.rank = peer;
    link.connection.qp = &pair_;
    link.connection.max_inline = 128;
    link.path = &path;
    link.room = &room;
    link.queue.open(kDepth);
    posted.reserve(kDepth);
  }

  alignas(64) Link link;
  std::vector<std::uint64_t> posted;

 private:
  static int post_send(ibv_qp* pair, ibv_send_wr* request, ibv_send_wr**) {
    QueuePair& self = *static_cast<QueuePair*>(pair->context->abi_compat);
    if (self.post_ns_ != 0)
      for (const std::uint64_t begin = ticks_now(); ticks_now() - begin < self.post_ns_;) {
      }
    for (; request != nullptr; request = request->next) self.posted.push_back(request->wr_id);
    return 0;
  }

  const std::uint64_t post_ns_;
  ibv_context context_{};
  ibv_qp pair_{};
};

struct Process {
  Process(unsigned count, std::uint64_t post_ns) : rooms(count) {
    paths.open(connections, false, false, count);
    for (CompletionRoom& room : rooms) room.open(kRoom);
    for (Rank peer = 0; peer < kThreads; ++peer) {
      SendPath& path = paths.of(peer);
      pairs.push_back(std::make_unique<QueuePair>(peer, path, rooms[path.index()], post_ns));
    }
  }

  void put(QueuePair& pair, Pending& done, const std::uint64_t& value) {
    SendPath& path = *pair.link.path;
    ibv_sge piece{reinterpret_cast<std::uintptr_t>(&value), sizeof value, 0};
    ibv_send_wr write{};
    write.opcode = IBV_WR_RDMA_WRITE;
    write.sg_list = &piece;
    write.num_sge = 1;
    write.send_flags = IBV_SEND_INLINE;
    const std::lock_guard guard(path.lock());
    Operation* const op = path.begin(pair.link, OperationKind::kPut);
    op->done = &done;
    op->bytes = sizeof value;
    done.add();
    path.post_signalled(pair.link, write, op);
  }
  void retire_all(QueuePair& pair) {
    ConduitGuard guard(lock, paths, true);
    SendPath& path = *pair.link.path;
    guard.enter(path);
    for (const std::uint64_t id : pair.posted)
      path.retire(*pointer_of<Operation>(id), [&path](Operation* op) {
        op->done->complete();
        path.end(*op);
      });
    pair.posted.clear();
  }

  SpinLock lock;
  Connections connections;
  SendPaths paths;
  std::vector<CompletionRoom> rooms;
  std::vector<std::unique_ptr<QueuePair>> pairs;
};

std::unique_ptr<Process> the_process;  // of the row that runs: made by its first thread, between barriers

void set_up(const benchmark::State& state) {
  the_process = std::make_unique<Process>(static_cast<unsigned>(state.range(1)),
                                          static_cast<std::uint64_t>(state.range(0)));
}
void tear_down(const benchmark::State&) { the_process.reset(); }

void puts(benchmark::State& state) {
  Process& process = *the_process;
  QueuePair& pair = *process.pairs[static_cast<std::size_t>(state.thread_index())];
  Pending done;
  const std::uint64_t value = 1;
  for (auto _ : state) {
    for (unsigned i = 0; i < kWindow; ++i) process.put(pair, done, value);
    process.retire_all(pair);
  }
  state.SetItemsProcessed(state.iterations() * kWindow);
}

BENCHMARK(puts)
    ->ArgsProduct({{0, 100, 300}, {1, 8}})
    ->Threads(1)
    ->Threads(2)
    ->Threads(4)
    ->UseRealTime()
    ->Setup(set_up)
    ->Teardown(tear_down);

}  // namespace
}  // namespace upcr::ibv

BENCHMARK_MAIN();
