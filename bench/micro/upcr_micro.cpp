// SPDX-License-Identifier: BSD-3-Clause
// upcr_micro: what single calls cost in one UPC thread, to its own shared memory. bench/perf is for what
// takes two. Run it alone or under upcrun -n 1; arguments are Google Benchmark's.
#include <benchmark/benchmark.h>
#include <pthread.h>
#include <upcr.h>

#include <cstring>
#include <vector>

namespace {

constexpr std::size_t kBytes = 1u << 20;
constexpr std::ptrdiff_t kMask = 511;  // 4 KiB of words

upcr_shared_ptr_t block;  // kBytes of this thread's

std::uint64_t* words() { return static_cast<std::uint64_t*>(upcr_shared_to_local(block)); }

void raw_store(benchmark::State& state) {
  volatile std::uint64_t* to = words();
  std::uint64_t i = 0;
  for (auto _ : state) {
    to[i & kMask] = i;
    ++i;
  }
}
void put(benchmark::State& state) {
  const upcr_pshared_ptr_t to = upcr_shared_to_pshared(block);
  std::uint64_t i = 0;
  for (auto _ : state) {
    upcr_put_pshared_val(to, static_cast<std::ptrdiff_t>(i & kMask) * 8, i, 8);
    ++i;
  }
}
void put_strict(benchmark::State& state) {
  const upcr_pshared_ptr_t to = upcr_shared_to_pshared(block);
  std::uint64_t i = 0;
  for (auto _ : state) {
    upcr_put_pshared_val_strict(to, static_cast<std::ptrdiff_t>(i & kMask) * 8, i, 8);
    ++i;
  }
}
void raw_load(benchmark::State& state) {
  const volatile std::uint64_t* from = words();
  std::uint64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(from[i++ & kMask]);
}
void get(benchmark::State& state) {
  const upcr_pshared_ptr_t from = upcr_shared_to_pshared(block);
  std::uint64_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(upcr_get_pshared_val(from, static_cast<std::ptrdiff_t>(i++ & kMask) * 8, 8));
}
void put_nb_and_sync(benchmark::State& state) {
  std::uint64_t value = 1;
  for (auto _ : state) upcr_wait_syncnb(upcr_put_nb_shared(block, 0, &value, sizeof value));
}
void put_nbi_and_sync(benchmark::State& state) {
  for (auto _ : state) {
    upcr_put_nbi_shared_val(block, 0, 1, 8);
    upcr_wait_syncnbi_puts();
  }
}

void raw_memcpy(benchmark::State& state) {
  const std::vector<char> from(static_cast<std::size_t>(state.range(0)), 1);
  for (auto _ : state) {
    std::memcpy(words(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
void memput(benchmark::State& state) {
  const std::vector<char> from(static_cast<std::size_t>(state.range(0)), 1);
  for (auto _ : state) upcr_memput(block, from.data(), from.size());
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

// A step along a blocked array: block size 3 (no power of two), elements of 8 bytes.
void add_phased(benchmark::State& state) {
  upcr_shared_ptr_t p = block;
  for (auto _ : state) {
    p = upcr_add_shared(p, 8, 1, 3);
    benchmark::DoNotOptimize(p);
  }
}
void add_phaseless(benchmark::State& state) {
  upcr_pshared_ptr_t p = upcr_shared_to_pshared(block);
  for (auto _ : state) {
    p = upcr_add_pshared1(p, 8, 1);
    benchmark::DoNotOptimize(p);
  }
}
void raw_add(benchmark::State& state) {
  std::uint64_t* p = words();
  for (auto _ : state) {
    ++p;
    benchmark::DoNotOptimize(p);
  }
}

void raw_mutex(benchmark::State& state) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  for (auto _ : state) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}
void lock_and_unlock(benchmark::State& state) {
  const upcr_shared_ptr_t lock = upcr_global_lock_alloc();
  for (auto _ : state) {
    upcr_lock(lock);
    upcr_unlock(lock);
  }
  upcr_lock_free(lock);
}
void raw_malloc(benchmark::State& state) {
  for (auto _ : state) {
    void* p = std::malloc(100);
    benchmark::DoNotOptimize(p);
    std::free(p);
  }
}
void alloc_and_free(benchmark::State& state) {
  for (auto _ : state) upcr_free(upcr_alloc(100));
}
void barrier_of_one(benchmark::State& state) {
  for (auto _ : state) upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
}
void poll(benchmark::State& state) {
  for (auto _ : state) upcr_poll_nofence();
}

BENCHMARK(raw_store);
BENCHMARK(put);
BENCHMARK(put_strict);
BENCHMARK(raw_load);
BENCHMARK(get);
BENCHMARK(put_nb_and_sync);
BENCHMARK(put_nbi_and_sync);
BENCHMARK(raw_memcpy)->Arg(64)->Arg(4096)->Arg(65536)->Arg(kBytes);
BENCHMARK(memput)->Arg(64)->Arg(4096)->Arg(65536)->Arg(kBytes);
BENCHMARK(raw_add);
BENCHMARK(add_phaseless);
BENCHMARK(add_phased);
BENCHMARK(raw_mutex);
BENCHMARK(lock_and_unlock);
BENCHMARK(raw_malloc);
BENCHMARK(alloc_and_free);
BENCHMARK(barrier_of_one);
BENCHMARK(poll);

}  // namespace

int main(int argc, char** argv) {
  bupc_init(&argc, &argv);
  benchmark::Initialize(&argc, argv);
  const bool wrong = benchmark::ReportUnrecognizedArguments(argc, argv);
  if (!wrong) {
    block = upcr_all_alloc(upcr_threads(), kBytes);
    if (upcr_threads() != 1)
      std::fprintf(stderr, "upcr_micro measures one UPC thread; this job has %u\n", upcr_threads());
    else
      benchmark::RunSpecifiedBenchmarks();
  }
  bupc_exit(wrong || upcr_threads() != 1 ? 1 : 0);
}
