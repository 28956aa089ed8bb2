// SPDX-License-Identifier: BSD-3-Clause
// conduits/net/mpi/rma/window on its own, against a model, under mpirun: mpi_window_LIBRARY [ROUNDS]. Two UPC
// threads a process, one in the last. Each process writes to areas of its own in all segments and reads them
// back, in bursts that fill the window's room, while only MPI itself makes progress: processes that flush
// towards each other finish by the flushes alone. Both libraries have a window on one host, and with Open MPI
// puts reach a process that is outside MPI.
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "conduits/net/mpi/library/session.hpp"
#include "conduits/net/mpi/rma/window.hpp"

using upcr::Pending;
using upcr::Rank;
using upcr::SegmentMap;
using upcr::Slot;
using upcr::Status;
using upcr::Topology;
using upcr::mpi::duplicate_world;
using upcr::mpi::session;
using upcr::mpi::Window;

namespace {

constexpr std::size_t kSegment = 24 << 20;
constexpr unsigned kPutsInBurst = 150, kGetsInBurst = 60;

#define EXPECT(condition, ...)                                                \
  do {                                                                        \
    if (!(condition)) {                                                       \
      std::fprintf(stderr, "rank %u, line %d: ", session().rank(), __LINE__); \
      std::fprintf(stderr, __VA_ARGS__);                                      \
      std::fputc('\n', stderr);                                               \
      MPI_Abort(MPI_COMM_WORLD, 1);                                           \
    }                                                                         \
  } while (0)

Topology make_topology(Rank rank, Rank size) {
  Topology t;
  t.rank = rank;
  t.size = size;
  for (Rank r = 0; r < size; ++r) t.first_slot.push_back(2 * r);
  t.first_slot.push_back(2 * size - 1);
  for (Rank r = 0; r < size; ++r)
    for (Slot s = t.first_slot[r]; s < t.first_slot[r + 1]; ++s) t.rank_of.push_back(r);
  return t;
}

SegmentMap make_segments(const Topology& t) {
  SegmentMap map;
  map.bytes = kSegment;
  map.mapped.assign(t.slots(), 0);
  const int memory = ::memfd_create("segments", 0);
  EXPECT(memory >= 0 && ::ftruncate(memory, 2 * kSegment) == 0, "no memory file");
  std::uint64_t mine[2] = {};
  for (Slot i = 0; i < t.my_slots(); ++i) {
    void* at = ::mmap(nullptr, kSegment, PROT_READ | PROT_WRITE, MAP_SHARED, memory, off_t(i * kSegment));
    EXPECT(at != MAP_FAILED, "no memory");
    map.mapped[t.my_first_slot() + i] = mine[i] = reinterpret_cast<std::uintptr_t>(at);
  }
  ::close(memory);
  std::vector<std::uint64_t> all(2 * t.size);
  MPI_Allgather(mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  map.remote = upcr::SlotAddresses(std::vector<std::uint64_t>(all.begin(), all.begin() + t.slots()));
  return map;
}

class Test {
 public:
  Test(Window& window, const Topology& t, const SegmentMap& map)
      : window_(window), t_(t), map_(map), area_(kSegment / t.size), random_(t.rank + 1) {
    model_.assign(t.slots(), std::vector<char>(area_, 0));
    source_.resize(16 << 20);
    back_.resize(16 << 20);
  }

  // Half of the bursts have no local completion, and overwrite their source at once.
  void put_burst(bool keeps_source) {
    for (std::size_t i = 0; i < source_.size(); i += 1 + random_() % 97)
      source_[i] = static_cast<char>(random_());
    Pending remote, local;
    std::vector<std::size_t> next(t_.slots(), random_() % 4000);
    std::size_t from = 0;
    for (unsigned i = 0; i < kPutsInBurst; ++i) {
      const Slot to = other_slot();
      const std::size_t bytes = random_bytes();
      if (next[to] + bytes > area_ || from + bytes > source_.size()) continue;
      if (!start([&] {
            return window_.put(t_.rank_of[to], address(to, next[to]), &source_[from], bytes, remote,
                               keeps_source ? nullptr : &local);
          }))
        continue;
      std::memcpy(&model_[to][next[to]], &source_[from], bytes);
      if (keeps_source) std::memset(&source_[from], 0x5a, bytes);
      next[to] += bytes + random_() % 50;
      from += bytes;
    }
    while (!remote.done() || !local.done()) window_.poll();
    EXPECT(!window_.busy(), "everything is complete, but the window is busy");
  }

  void get_burst() {
    struct Read {
      Slot slot;
      std::size_t offset, bytes, at;
    };
    std::vector<Read> reads;
    Pending done;
    std::size_t at = 0;
    for (unsigned i = 0; i < kGetsInBurst; ++i) {
      Read r{other_slot(), random_() % area_, random_bytes(), at};
      if (r.offset + r.bytes > area_ || at + r.bytes > back_.size()) continue;
      if (!start([&] {
            return window_.get(t_.rank_of[r.slot], &back_[at], address(r.slot, r.offset), r.bytes, done);
          }))
        continue;
      reads.push_back(r);
      at += r.bytes;
    }
    while (!done.done()) window_.poll();
    for (const Read& r : reads)
      EXPECT(std::memcmp(&back_[r.at], &model_[r.slot][r.offset], r.bytes) == 0,
             "%zu bytes at %zu of slot %u are wrong", r.bytes, r.offset, r.slot);
  }

  // Transfers of several pieces: all of an area, put with both completions and read back.
  void whole_areas() {
    for (std::size_t i = 0; i < area_; ++i) source_[i] = static_cast<char>(random_());
    const Slot to = other_slot();
    const Rank rank = t_.rank_of[to];
    Pending remote, local, done;
    EXPECT(start([&] { return window_.put(rank, address(to, 0), source_.data(), area_, remote, &local); }) &&
               !remote.done(),
           "a put of %zu bytes was not begun", area_);
    while (!remote.done() || !local.done()) window_.poll();
    EXPECT(start([&] { return window_.get(rank, back_.data(), address(to, 0), area_, done); }),
           "a get of %zu bytes was not begun", area_);
    while (!done.done()) window_.poll();
    EXPECT(std::memcmp(source_.data(), back_.data(), area_) == 0, "%zu bytes are wrong", area_);
  }

  // Data that the other processes wrote here is visible to this process's own loads.
  void fill_all() {
    Pending remote;
    std::vector<char> data(area_, static_cast<char>(t_.rank + 1));
    for (Slot s = 0; s < t_.slots(); ++s)
      if (t_.rank_of[s] != t_.rank)
        EXPECT(start([&] {
                 return window_.put(t_.rank_of[s], address(s, 0), data.data(), area_, remote, nullptr);
               }),
               "a put of %zu bytes is not for the window", area_);
    while (!remote.done()) window_.poll();
    MPI_Barrier(MPI_COMM_WORLD);
    for (Slot i = 0; i < t_.my_slots(); ++i)
      for (Rank r = 0; r < t_.size; ++r) {
        const auto* mine = reinterpret_cast<const char*>(map_.mapped[t_.my_first_slot() + i]) + r * area_;
        for (std::size_t k = 0; r != t_.rank && k < area_; ++k)
          EXPECT(mine[k] == static_cast<char>(r + 1), "byte %zu of rank %u's area is %d", k, r, mine[k]);
      }
  }

  void refusals() {
    const Slot to = t_.first_slot[(t_.rank + 1) % t_.size];
    const Rank rank = t_.rank_of[to];
    Pending p;
    for (const std::size_t bytes : {1, 2, 4, 8}) {
      EXPECT(window_.put(rank, address(to, 64), &source_[0], bytes, p, &p) == Status::kNotSupported &&
                 window_.get(rank, &back_[0], address(to, 64), bytes, p) == Status::kNotSupported,
             "%zu aligned bytes are not for the window", bytes);
    }
    EXPECT(window_.get(rank, &back_[0], map_.remote[to] + kSegment - 10, 11, p) == Status::kNotSupported &&
               window_.get(rank, &back_[0], map_.remote[to] - 1, 16, p) == Status::kNotSupported,
           "outside of the segment is not for the window");
    EXPECT(p.done(), "a refused operation is counted");
  }

  unsigned long operations = 0, waits = 0;

 private:
  std::uint64_t address(Slot s, std::size_t offset) const {
    return map_.remote[s] + t_.rank * area_ + offset;
  }
  Slot other_slot() {
    for (;;)
      if (const Slot s = static_cast<Slot>(random_() % t_.slots()); t_.rank_of[s] != t_.rank) return s;
  }
  std::size_t random_bytes() { return 1 + random_() % (std::size_t{1} << random_() % 22); }

  template <typename Start>
  bool start(Start&& start) {
    for (;;) {
      const Status status = start();
      if (status == Status::kInProgress) {
        ++operations;
        return true;
      }
      if (status == Status::kNotSupported) return false;
      ++waits;
      window_.poll();
    }
  }

  Window& window_;
  const Topology& t_;
  const SegmentMap& map_;
  const std::size_t area_;  // of each process in each segment
  std::mt19937_64 random_;
  std::vector<std::vector<char>> model_;
  std::vector<char> source_, back_;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  session().open();
  const Topology t = make_topology(session().rank(), session().size());
  const SegmentMap map = make_segments(t);
  Window window;
  EXPECT(window.open(duplicate_world(), t, map), "no window: %s", window.why_not());
  int puts = 0;
  if (t.rank == 0 || t.rank + 1 == t.size) puts = window.is_asynchronous(0, t.size - 1, 10000);
  MPI_Bcast(&puts, 1, MPI_INT, 0, MPI_COMM_WORLD);
#ifdef OPEN_MPI
  EXPECT(puts != 0, "puts need the target's processor with Open MPI on one host");
#endif
  if (t.rank == 0) std::printf("puts arrive %s the target's processor\n", puts ? "without" : "by");

  // If flushes wait for the target the conduit does not put through the window; the puts must be correct all
  // the same.
  Test test(window, t, map);
  for (int i = 0; i < rounds; ++i) {
    test.put_burst(i % 2 != 0);
    test.get_burst();
  }
  test.whole_areas();
  test.refusals();
  MPI_Barrier(MPI_COMM_WORLD);
  test.fill_all();
  if (t.rank == 0) std::printf("%lu operations, %lu waits for room\n", test.operations, test.waits);
  window.close();
  session().close();
  return 0;
}
