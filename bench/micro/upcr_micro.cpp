// SPDX-License-Identifier: BSD-3-Clause
// upcr_micro: times of single calls of one UPC thread on its own shared memory. bench/perf measures two
// threads. Run it alone or under upcrun -n 1; arguments are Google Benchmark's.
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

// 64 KiB, of which every second element of the destination is used: a plain loop at its best, and upcr.
template <std::size_t N>
__attribute__((optimize("O3"))) void raw_strided(benchmark::State& state) {
  const std::vector<char> from(65536, 1);
  for (auto _ : state) {
    char* to = reinterpret_cast<char*>(words());
    for (std::size_t i = 0; i < from.size() / N; ++i) std::memcpy(to + 2 * N * i, from.data() + N * i, N);
    benchmark::ClobberMemory();
  }
}
template <std::size_t N>
void strided(benchmark::State& state) {
  const std::vector<char> from(65536, 1);
  for (auto _ : state) bupc_memput_strided2d(block, 2 * N, from.data(), N, N, from.size() / N);
}
// The same in planes of 16 rows of 16 elements: nothing can be joined.
template <std::size_t N>
__attribute__((optimize("O3"))) void raw_planes(benchmark::State& state) {
  const std::vector<char> from(65536, 1);
  volatile std::size_t sixteen = 16;  // a count that the compiler does not know, as it is in a program
  const std::size_t columns = sixteen, rows = sixteen;
  for (auto _ : state) {
    for (std::size_t p = 0; p < from.size() / N / 256; ++p)
      for (std::size_t r = 0; r < rows; ++r) {
        char* to = reinterpret_cast<char*>(words()) + (p * 17 + r) * 33 * N;
        const char* source = from.data() + (p * 16 + r) * 16 * N;
        for (std::size_t i = 0; i < columns; ++i) std::memcpy(to + 2 * N * i, source + N * i, N);
      }
    benchmark::ClobberMemory();
  }
}
template <std::size_t N>
void planes(benchmark::State& state) {
  const std::vector<char> from(65536, 1);
  const std::size_t count[] = {N, 16, 16, from.size() / N / 256};
  const std::size_t to[] = {2 * N, 33 * N, 17 * 33 * N}, source[] = {N, 16 * N, 256 * N};
  for (auto _ : state) bupc_memput_strided(block, to, from.data(), source, count, 3);
}
// Lists of 1024 places of 8 bytes.
upcr_shared_ptr_t block_at(std::size_t byte) {
  const upcr_pshared_ptr_t p = upcr_shared_to_pshared(block);
  return upcr_pshared_to_shared(upcr_add_psharedI(p, 1, static_cast<std::ptrdiff_t>(byte)));
}
std::vector<std::size_t> places() {
  std::vector<std::size_t> p(1024);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = i * 389 % p.size() * 16;
  return p;
}
void raw_indexed(benchmark::State& state) {
  std::vector<char*> list;
  for (const std::size_t p : places()) list.push_back(reinterpret_cast<char*>(words()) + p);
  const std::vector<char> from(8192, 1);
  for (auto _ : state) {
    for (std::size_t i = 0; i < list.size(); ++i) std::memcpy(list[i], from.data() + 8 * i, 8);
    benchmark::ClobberMemory();
  }
}
void indexed(benchmark::State& state) {
  std::vector<upcr_shared_ptr_t> list;
  for (const std::size_t p : places()) list.push_back(block_at(p));
  const std::vector<char> from(8192, 1);
  const void* const source[] = {from.data()};
  for (auto _ : state) bupc_memput_ilist(list.size(), list.data(), 8, 1, source, from.size());
}
void raw_vector(benchmark::State& state) {
  std::vector<bupc_pmemvec_t> list;
  for (const std::size_t p : places()) list.push_back({reinterpret_cast<char*>(words()) + p, 4 + p / 16 % 8});
  const std::vector<char> from(16384, 1);
  for (auto _ : state) {
    const char* at = from.data();
    for (const bupc_pmemvec_t& r : list) {
      std::memcpy(r.addr, at, r.len);
      at += r.len;
    }
    benchmark::ClobberMemory();
  }
}
void vector(benchmark::State& state) {
  std::vector<bupc_smemvec_t> list;
  std::size_t bytes = 0;
  for (const std::size_t p : places()) {
    list.push_back({block_at(p), 4 + p / 16 % 8});
    bytes += list.back().len;
  }
  std::vector<char> from(bytes, 1);
  const bupc_pmemvec_t source[] = {{from.data(), bytes}};
  for (auto _ : state) bupc_memput_vlist(list.size(), list.data(), 1, source);
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
BENCHMARK(raw_strided<1>);
BENCHMARK(strided<1>);
BENCHMARK(raw_strided<8>);
BENCHMARK(strided<8>);
BENCHMARK(raw_strided<64>);
BENCHMARK(strided<64>);
BENCHMARK(raw_planes<8>);
BENCHMARK(planes<8>);
BENCHMARK(raw_indexed);
BENCHMARK(indexed);
BENCHMARK(raw_vector);
BENCHMARK(vector);
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
