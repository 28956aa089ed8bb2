// SPDX-License-Identifier: BSD-3-Clause
// ibv_micro: the software overhead of the ibv conduit for one transfer, without verbs and without a device.
// It comes on top of what the device takes. For instructions instead of times:
//   valgrind --tool=callgrind --toggle-collect='*queue_and_operation*' ibv_micro --benchmark_filter=queue
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "conduits/core/transport/credited/credits.hpp"
#include "conduits/net/ibv/memory/registration_cache.hpp"
#include "conduits/net/ibv/queues/flush_queue.hpp"
#include "conduits/net/ibv/queues/operations.hpp"
#include "conduits/net/ibv/queues/send_queue.hpp"

namespace upcr::ibv {
namespace {

// The bookkeeping of a put and its completion: room, an operation, a number; and back.
void queue_and_operation(benchmark::State& state) {
  SendQueue queue;
  queue.open(256);
  Operations operations;
  for (auto _ : state) {
    if (queue.room() < 2) state.SkipWithError("no room");
    Operation* op = operations.acquire(nullptr, OperationKind::kPut);
    op->number = queue.post(true);
    benchmark::DoNotOptimize(op);
    queue.retire(op->number);
    operations.release(op);
  }
}

// On iWARP besides: eight writes, of which one read shows that they are in place.
void eight_writes_flushed(benchmark::State& state) {
  std::vector<Operation> writes(8);
  FlushQueue queue;
  for (auto _ : state) {
    for (Operation& write : writes) queue.written(&write);
    while (queue.flushed([](Operation* write) { benchmark::DoNotOptimize(write); })) {
    }
  }
}

// A request that leaves, and the acknowledgement that comes with its reply.
void credits(benchmark::State& state) {
  upcr::Credits credits;
  credits.open(upcr::kMaxDefaultCredits);
  std::uint16_t processed = 0;
  for (auto _ : state) {
    if (credits.available() == 0) state.SkipWithError("no credits");
    benchmark::DoNotOptimize(credits.use());
    benchmark::DoNotOptimize(credits.on_ack(++processed));
  }
}

struct Device final : Registrar {
  Result add(std::uintptr_t, std::size_t, bool, std::uint32_t* key, void** handle) override {
    *key = 1;
    *handle = this;
    return Result::kOk;
  }
  void remove(void*) override {}
};
struct Watch final : ChangeWatch {
  bool events_drained() noexcept override { return true; }
  bool watch(std::uintptr_t, std::uintptr_t) noexcept override { return true; }
};

// A transfer of private memory that is registered already, beside state.range() others.
void registered_already(benchmark::State& state) {
  constexpr std::uintptr_t kBegin = 1u << 30, kStep = 1u << 20;
  const auto ranges = static_cast<std::uintptr_t>(state.range(0));
  Device device;
  Watch watch;
  RegistrationCache cache(device, 0, &watch, {SIZE_MAX / 2, 4096});
  const auto pin = [&](std::uintptr_t n) {
    Registration* r =
        cache.pin(kBegin + n % ranges * kStep, 65536, Use::kSource, RegistrationCache::Memory::kPrograms);
    benchmark::DoNotOptimize(r);
    cache.unpin(r);
  };
  for (std::uintptr_t n = 0; n < ranges; ++n) pin(n);
  std::uintptr_t n = 0;
  for (auto _ : state) pin(n += 7);
}

BENCHMARK(queue_and_operation);
BENCHMARK(eight_writes_flushed);
BENCHMARK(credits);
BENCHMARK(registered_already)->Arg(1)->Arg(64)->Arg(1024);

}  // namespace
}  // namespace upcr::ibv

BENCHMARK_MAIN();
