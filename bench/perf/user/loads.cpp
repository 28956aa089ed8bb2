// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/user/loads.hpp"

#include <upcr.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>

#include "bench/perf/measure/interleave.hpp"

namespace perf::user {
namespace {

constexpr double kLeastTimed = 1000;  // ns: what is shorter is timed in groups
constexpr std::uint64_t kMaxSamples = 200'000;
constexpr unsigned kRepeats = 9;  // of a bandwidth
constexpr unsigned kTrials = 3;   // to find out how long something takes
constexpr std::uint64_t kMaxTimes = std::uint64_t{1} << 40;

// The memory of a figure: a block in each thread's segment, and private memory.
class Memory {
 public:
  Memory(const UpcrThreadTeam& team, std::size_t size)
      : bytes_(std::max<std::size_t>(size, 64)),
        block_(upcr_all_alloc(team.threads(), bytes_)),
        source_(upcr_all_alloc(1, bytes_)),
        here_(bytes_, 1) {}
  ~Memory() {
    upcr_all_free(block_);
    upcr_all_free(source_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  upcr_shared_ptr_t of(upcr_thread_t thread) const {
    return upcr_add_shared(block_, 1, static_cast<std::ptrdiff_t>(thread * bytes_), bytes_);
  }
  upcr_shared_ptr_t all() const { return block_; }
  upcr_shared_ptr_t source() const { return source_; }  // thread 0's
  char* here() { return here_.data(); }

 private:
  std::size_t bytes_;
  upcr_shared_ptr_t block_, source_;
  std::vector<char> here_;
};

// Who does what in a figure.
class Roles {
 public:
  Roles(const UpcrThreadTeam& team, const Test& test, const Shape& shape) {
    const unsigned threads = team.threads(), half = threads / 2, me = team.me();
    if (!test.pairwise || half == 0) {
      works_ = true;
      peer_ = me;
      workers_ = threads;
      return;
    }
    const bool first = me < shape.pairs, second = me >= half && me < half + shape.pairs;
    works_ = first || (second && shape.bidirectional);
    peer_ = first ? me + half : second ? me - half : me;
    workers_ = shape.pairs * (shape.bidirectional ? 2 : 1);
  }
  bool works() const { return works_; }
  upcr_thread_t peer() const { return peer_; }
  unsigned workers() const { return workers_; }

 private:
  bool works_ = false;
  upcr_thread_t peer_ = 0;
  unsigned workers_ = 0;
};

using Work = std::function<void()>;

double time_of(const Work& work, std::uint64_t times) {
  const double start = now_ns();
  for (std::uint64_t i = 0; i < times; ++i) work();
  return now_ns() - start;
}

// The quickest of a few trials: on a busy machine any of them may be interrupted.
double quickest(const Work& work, std::uint64_t times) {
  double least = time_of(work, times);
  for (unsigned i = 1; i < kTrials; ++i) least = std::min(least, time_of(work, times));
  return least;
}

// How often `work` fits into `ns`: the same number on all threads, by the slowest one that works.
std::uint64_t fit(const UpcrThreadTeam& team, bool works, const Work& work, double ns) {
  for (std::uint64_t times = 1;; times *= 4) {
    team.barrier();
    const double mine = works ? quickest(work, times) : 0;
    const auto took = static_cast<double>(team.largest(static_cast<std::uint64_t>(mine)));
    if (took < ns / 4 && times < kMaxTimes) continue;
    const double fits = static_cast<double>(times) * ns / std::max(took, 1.0);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fits));
  }
}

Work latency_work(const Test& test, std::size_t size, Memory& memory, upcr_thread_t peer,
                  upcr_shared_ptr_t lock) {
  const std::string name = test.name;
  const upcr_shared_ptr_t there = memory.of(peer);
  char* const here = memory.here();
  if (name == "put") return [=] { upcr_memput(there, here, size); };
  if (name == "get") return [=] { upcr_memget(here, there, size); };
  if (name == "atomic") return [=] { do_not_optimize(bupc_atomicU64_fetchadd_relaxed(there, 1)); };
  if (name == "lock") return [=] { upcr_lock(lock), upcr_unlock(lock); };
  if (name == "broadcast")
    return [to = memory.all(), from = memory.source(), size] {
      bupc_all_broadcast(to, from, size, UPCRI_IN_ALLSYNC | UPCRI_OUT_ALLSYNC);
    };
  return [] { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); };
}

// The samples of all threads that work, at thread 0: in rounds, by a word of the team for each.
std::vector<double> collect(const UpcrThreadTeam& team, const Roles& roles, const std::vector<double>& mine) {
  const std::size_t count = mine.size();  // the same everywhere
  const upcr_shared_ptr_t block = upcr_all_alloc(team.threads(), count * sizeof(double));
  const auto of = [&](upcr_thread_t thread) {
    return upcr_add_shared(block, 1, static_cast<std::ptrdiff_t>(thread * count * sizeof(double)),
                           count * sizeof(double));
  };
  upcr_memput(of(team.me()), mine.data(), count * sizeof(double));
  const bool works = roles.works();
  std::vector<double> all;
  team.barrier();
  for (upcr_thread_t t = 0; t < team.threads(); ++t) {
    if (team.value_of(t, works ? 1 : 0) == 0 || !team.leads()) continue;
    std::vector<double> part(count);
    upcr_memget(part.data(), of(t), count * sizeof(double));
    all.insert(all.end(), part.begin(), part.end());
  }
  team.barrier();
  upcr_all_free(block);
  return all;
}

// A lock at each thread's.
class Locks {
 public:
  explicit Locks(const UpcrThreadTeam& team) : team_(team) {
    for (upcr_thread_t t = 0; t < team.threads(); ++t)
      locks_.push_back(team.pointer_of(t, team.me() == t ? upcr_global_lock_alloc() : upcr_null_shared));
  }
  ~Locks() {
    team_.barrier();
    upcr_lock_free(locks_[team_.me()]);
  }
  Locks(const Locks&) = delete;
  Locks& operator=(const Locks&) = delete;
  upcr_shared_ptr_t of(upcr_thread_t thread) const { return locks_[thread]; }

 private:
  const UpcrThreadTeam& team_;
  std::vector<upcr_shared_ptr_t> locks_;
};

double quantile(const std::vector<double>& sorted, double part) {
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(part * static_cast<double>(sorted.size())))];
}

void measure_latency(const UpcrThreadTeam& team, const Test& test, Memory& memory, const Roles& roles,
                     Figure* f) {
  std::optional<Locks> locks;
  if (std::strcmp(test.name, "lock") == 0) locks.emplace(team);
  const Work work =
      latency_work(test, f->size, memory, roles.peer(), locks ? locks->of(roles.peer()) : upcr_null_shared);
  const std::uint64_t group = fit(team, roles.works(), work, kLeastTimed);
  const std::uint64_t fitting = fit(team, roles.works(), work, f->shape.seconds * 1e9) / group;
  const auto samples =
      std::clamp<std::uint64_t>(fitting, 10, std::max<std::uint64_t>(kMaxSamples / team.threads(), 10));
  std::vector<double> mine(samples);
  team.barrier();
  if (roles.works())
    for (double& sample : mine) sample = time_of(work, group) / static_cast<double>(group);
  team.barrier();
  std::vector<double> all = collect(team, roles, mine);
  if (!team.leads()) return;
  std::sort(all.begin(), all.end());
  f->group = static_cast<unsigned>(group);
  f->operations = all.size() * group;
  f->average = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size()) * 1e-9;
  f->least = all.front() * 1e-9;
  f->p50 = quantile(all, 0.5) * 1e-9;
  f->p90 = quantile(all, 0.9) * 1e-9;
  f->p99 = quantile(all, 0.99) * 1e-9;
  f->p999 = quantile(all, 0.999) * 1e-9;
  f->most = all.back() * 1e-9;
  f->spread = (quantile(all, 0.75) - quantile(all, 0.25)) * 1e-9;
}

void measure_bandwidth(const UpcrThreadTeam& team, const Test& test, Memory& memory, const Roles& roles,
                       Figure* f) {
  const upcr_shared_ptr_t there = memory.of(roles.peer());
  char* const here = memory.here();
  const std::size_t size = f->size;
  const unsigned window = f->shape.window;
  const bool put = std::strcmp(test.name, "put_bw") == 0;
  const Work work = [=] {
    for (unsigned i = 0; i < window; ++i)
      put ? upcr_nbi_memput(there, here, size) : upcr_nbi_memget(here, there, size);
    put ? upcr_wait_syncnbi_puts() : upcr_wait_syncnbi_gets();
  };
  const std::uint64_t windows = fit(team, roles.works(), work, f->shape.seconds * 1e9 / kRepeats);
  std::vector<double> rates;
  for (unsigned i = 0; i < kRepeats; ++i) {
    team.barrier();
    const double mine = roles.works() ? time_of(work, windows) : 0;
    const auto slowest = static_cast<double>(team.largest(static_cast<std::uint64_t>(mine)));
    rates.push_back(static_cast<double>(windows * window * roles.workers()) / std::max(slowest, 1.0) * 1e9);
  }
  std::sort(rates.begin(), rates.end());
  f->operations = windows * window * roles.workers() * kRepeats;
  f->operations_per_second = quantile(rates, 0.5);
  f->bytes_per_second = f->operations_per_second * static_cast<double>(size);
  f->spread = (quantile(rates, 0.75) - quantile(rates, 0.25)) * static_cast<double>(size);
}

}  // namespace

const std::vector<Test>& tests() {
  static const std::vector<Test> all = {
      {"put", "latency of upc_memput", true, true, 8, 4u << 20},
      {"get", "latency of upc_memget", true, true, 8, 4u << 20},
      {"put_bw", "bandwidth and message rate of windows of non-blocking puts", false, true, 8, 4u << 20},
      {"get_bw", "bandwidth and message rate of windows of non-blocking gets", false, true, 8, 4u << 20},
      {"atomic", "latency of an atomic fetch-and-add of 8 bytes", true, true, 8, 8},
      {"lock", "latency of a lock and its release, uncontended, at the partner's", true, true, 0, 0},
      {"barrier", "latency of a barrier of all threads", true, false, 0, 0},
      {"broadcast", "latency of upc_all_broadcast to all threads", true, false, 8, 1u << 20},
  };
  return all;
}

Figure measure(const UpcrThreadTeam& team, const Test& test, std::size_t size, const Shape& shape) {
  Figure figure{test.name, size, shape};
  Memory memory(team, size);
  const Roles roles(team, test, shape);
  team.barrier();
  if (test.latency)
    measure_latency(team, test, memory, roles, &figure);
  else
    measure_bandwidth(team, test, memory, roles, &figure);
  team.barrier();
  return figure;
}

}  // namespace perf::user
