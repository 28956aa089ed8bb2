// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/mpi/scattered.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>

namespace perf {
namespace {

constexpr std::size_t kBytes = 64u << 10;

// Every second element of 128 KiB, in order or shuffled within pages: the memory of one side, for the test
// and for the reference.
template <std::size_t N>
struct ScatteredBuffers {
  static constexpr std::size_t kCount = kBytes / N;
  static constexpr int kData = static_cast<int>(kBytes), kPlaces = static_cast<int>(kCount * sizeof(char*));

  ScatteredBuffers(upcr_shared_ptr_t target, int other, MPI_Comm comm, bool leads)
      : peer(other),
        world(comm),
        first(leads),
        there(target),
        source(kBytes, 1),
        mine(2 * kBytes, 2),
        packed(kBytes + kCount * sizeof(char*)) {
    std::minstd_rand random(1);
    std::vector<std::size_t> order(kCount);
    std::iota(order.begin(), order.end(), std::size_t{0});
    constexpr std::size_t kPage = 4096 / N;
    for (std::size_t i = 0; i < kCount; i += kPage)
      std::shuffle(order.begin() + static_cast<std::ptrdiff_t>(i),
                   order.begin() + static_cast<std::ptrdiff_t>(std::min(i + kPage, kCount)), random);
    for (const std::size_t i : order) {
      const upcr_shared_ptr_t p = upcr_pshared_to_shared(
          upcr_add_psharedI(upcr_shared_to_pshared(target), 1, static_cast<std::ptrdiff_t>(2 * N * i)));
      shared_places.push_back(p);
      shared_regions.push_back({p, N});
      places.push_back(mine.data() + 2 * N * i);
      here.push_back(mine.data() + 2 * N * i);
      regions.push_back({mine.data() + 2 * N * i, N});
    }
    theirs.resize(kCount);
    MPI_Sendrecv(places.data(), kPlaces, MPI_BYTE, peer, 0, theirs.data(), kPlaces, MPI_BYTE, peer, 0, world,
                 MPI_STATUS_IGNORE);
  }

  void put_rows() { bupc_memput_strided2d(there, 2 * N, source.data(), N, N, kCount); }
  void get_rows() { bupc_memget_strided2d(source.data(), N, there, 2 * N, N, kCount); }
  void put_places() {
    const void* const from[] = {source.data()};
    bupc_memput_ilist(kCount, shared_places.data(), N, 1, from, kBytes);
  }
  void get_places() {
    void* const to[] = {source.data()};
    bupc_memget_ilist(1, to, kBytes, kCount, shared_places.data(), N);
  }
  void put_place_lists() { bupc_memput_ilist(kCount, shared_places.data(), N, kCount, here.data(), N); }
  void put_lists() { bupc_memput_vlist(kCount, shared_regions.data(), kCount, regions.data()); }
  void get_lists() { bupc_memget_vlist(kCount, regions.data(), kCount, shared_regions.data()); }
  void put_to_one() {
    const bupc_smemvec_t to[] = {{there, kBytes}};
    bupc_memput_vlist(1, to, kCount, regions.data());
  }
  void get_to_one() {
    const bupc_pmemvec_t to[] = {{source.data(), kBytes}};
    bupc_memget_vlist(1, to, kCount, shared_regions.data());
  }

  // The reference by MPI: one side packs, the other unpacks.
  void pack_rows() {
    for (std::size_t i = 0; i < kCount; ++i) std::memcpy(packed.data() + N * i, mine.data() + 2 * N * i, N);
  }
  void unpack_rows() {
    for (std::size_t i = 0; i < kCount; ++i) std::memcpy(mine.data() + 2 * N * i, packed.data() + N * i, N);
  }
  void pack_places() {
    for (std::size_t i = 0; i < kCount; ++i) std::memcpy(packed.data() + N * i, places[i], N);
  }
  void unpack_places() {
    for (std::size_t i = 0; i < kCount; ++i) std::memcpy(places[i], packed.data() + N * i, N);
  }
  void nothing() {}

  using Step = void (ScatteredBuffers::*)();
  // A put: the leader sends the data, the other side an empty reply. A get: an empty request, and the data
  // back.
  void exchange(bool put, Step pack, Step unpack) {
    if (first != put) {  // receives the data
      if (!put) MPI_Send(nullptr, 0, MPI_BYTE, peer, 0, world);
      MPI_Recv(packed.data(), kData, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
      (this->*unpack)();
      if (put) MPI_Send(nullptr, 0, MPI_BYTE, peer, 0, world);
    } else {
      if (!put) MPI_Recv(nullptr, 0, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
      (this->*pack)();
      MPI_Send(packed.data(), kData, MPI_BYTE, peer, 0, world);
      if (put) MPI_Recv(nullptr, 0, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
    }
    clobber_memory();
  }

  // The same where the side that owns the places does not know them: their addresses travel with the data, or
  // with the request for it.
  void put_with_places(Step pack) {
    char* const data = packed.data() + kPlaces;
    if (first) {
      std::memcpy(packed.data(), theirs.data(), kPlaces);
      if (pack == &ScatteredBuffers::nothing)
        std::memcpy(data, source.data(), kBytes);
      else
        for (std::size_t i = 0; i < kCount; ++i) std::memcpy(data + N * i, places[i], N);
      MPI_Send(packed.data(), kPlaces + kData, MPI_BYTE, peer, 0, world);
      MPI_Recv(nullptr, 0, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(packed.data(), kPlaces + kData, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
      for (std::size_t i = 0; i < kCount; ++i) std::memcpy(named_place(i), data + N * i, N);
      MPI_Send(nullptr, 0, MPI_BYTE, peer, 0, world);
    }
    clobber_memory();
  }
  void get_with_places(Step unpack) {
    if (first) {
      MPI_Send(theirs.data(), kPlaces, MPI_BYTE, peer, 0, world);
      MPI_Recv(packed.data(), kData, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
      (this->*unpack)();
    } else {
      MPI_Recv(packed.data(), kPlaces, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
      for (std::size_t i = 0; i < kCount; ++i) std::memcpy(source.data() + N * i, named_place(i), N);
      MPI_Send(source.data(), kData, MPI_BYTE, peer, 0, world);
    }
    clobber_memory();
  }
  // An address in the message that has arrived.
  char* named_place(std::size_t i) const {
    char* place;
    std::memcpy(&place, packed.data() + i * sizeof place, sizeof place);
    return place;
  }

  const int peer;
  const MPI_Comm world;
  const bool first;
  const upcr_shared_ptr_t there;
  std::vector<char> source, mine, packed;
  std::vector<upcr_shared_ptr_t> shared_places;
  std::vector<bupc_smemvec_t> shared_regions;
  std::vector<char*> places, theirs;  // of this side's memory; of the other side's
  std::vector<const void*> here;      // the same addresses
  std::vector<bupc_pmemvec_t> regions;
};

template <std::size_t N>
void add(const ThreadTeam&, MPI_Comm world, upcr_shared_ptr_t target,
         const std::shared_ptr<const Pairs>& pairs, std::vector<Case>& cases) {
  using P = ScatteredBuffers<N>;
  const auto p = std::make_shared<P>(target, static_cast<int>(pairs->peer()), world, pairs->leads());
  const auto row = [&](const char* name, const char* call, typename P::Step test, bool put,
                       typename P::Step pack, typename P::Step unpack) {
    cases.push_back({name, std::string(call) + ", 64 KiB in pieces of " + std::to_string(N) + " bytes",
                     leader_side(pairs,
                                 [p, test](std::uint64_t n) {
                                   for (std::uint64_t i = 0; i < n; ++i) ((*p).*test)();
                                 }),
                     "pack, MPI_Send, unpack",
                     both_sides(pairs,
                                [p, put, pack, unpack](std::uint64_t n) {
                                  for (std::uint64_t i = 0; i < n; ++i) p->exchange(put, pack, unpack);
                                }),
                     N});
  };
  // Beside a reference that sends the addresses of the other side's places, as a one-sided copy must.
  const auto addressed = [&](const char* name, const char* call, typename P::Step test, bool put,
                             typename P::Step local) {
    cases.push_back({name, std::string(call) + ", 64 KiB in pieces of " + std::to_string(N) + " bytes",
                     leader_side(pairs,
                                 [p, test](std::uint64_t n) {
                                   for (std::uint64_t i = 0; i < n; ++i) ((*p).*test)();
                                 }),
                     "the same with addresses",
                     both_sides(pairs,
                                [p, put, local](std::uint64_t n) {
                                  for (std::uint64_t i = 0; i < n; ++i)
                                    put ? p->put_with_places(local) : p->get_with_places(local);
                                }),
                     N});
  };
  row("mpi_strided_put", "bupc_memput_strided2d", &P::put_rows, true, &P::nothing, &P::unpack_rows);
  row("mpi_strided_get", "bupc_memget_strided2d", &P::get_rows, false, &P::pack_rows, &P::nothing);
  row("mpi_indexed_put", "bupc_memput_ilist", &P::put_places, true, &P::nothing, &P::unpack_places);
  row("mpi_indexed_get", "bupc_memget_ilist", &P::get_places, false, &P::pack_places, &P::nothing);
  row("mpi_indexed_lists", "bupc_memput_ilist, list to list", &P::put_place_lists, true, &P::pack_places,
      &P::unpack_places);
  row("mpi_vector_put", "bupc_memput_vlist, list to list", &P::put_lists, true, &P::pack_places,
      &P::unpack_places);
  row("mpi_vector_get", "bupc_memget_vlist, list to list", &P::get_lists, false, &P::pack_places,
      &P::unpack_places);
  row("mpi_vector_put_one", "bupc_memput_vlist, many pieces to one", &P::put_to_one, true, &P::pack_places,
      &P::nothing);
  row("mpi_vector_get_one", "bupc_memget_vlist, many pieces to one", &P::get_to_one, false, &P::pack_places,
      &P::nothing);
  addressed("mpi_indexed_put_addressed", "bupc_memput_ilist", &P::put_places, true, &P::nothing);
  addressed("mpi_indexed_get_addressed", "bupc_memget_ilist", &P::get_places, false, &P::nothing);
  addressed("mpi_indexed_lists_addressed", "bupc_memput_ilist, list to list", &P::put_place_lists, true,
            &P::pack_places);
  addressed("mpi_vector_put_addressed", "bupc_memput_vlist, list to list", &P::put_lists, true,
            &P::pack_places);
  addressed("mpi_vector_get_addressed", "bupc_memget_vlist, list to list", &P::get_lists, false,
            &P::unpack_places);
  addressed("mpi_vector_get_one_addressed", "bupc_memget_vlist, many pieces to one", &P::get_to_one, false,
            &P::nothing);
}

}  // namespace

void add_mpi_scattered(const ThreadTeam& team, MPI_Comm world, upcr_shared_ptr_t target,
                       const std::shared_ptr<const Pairs>& pairs, std::vector<Case>& cases) {
  add<8>(team, world, target, pairs, cases);
  add<64>(team, world, target, pairs, cases);
  add<1024>(team, world, target, pairs, cases);
}

}  // namespace perf
