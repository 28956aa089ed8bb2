// SPDX-License-Identifier: BSD-3-Clause
// neighbours [ROUNDS]: messages of a job in which some go through the rings of a window group and others over
// a network, at the same time (UPCR_NODE_SIZE). Each pair's messages keep their order; those that were sent
// before a barrier are there for a client that polls in or after it; a thread that sleeps is woken by both;
// and what was sent last is delivered before the job ends.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "conduits/core/job/job.hpp"
#include "conduits/core/startup/startup.hpp"
#include "tests/support/program_job.hpp"

namespace upcr {
namespace {

using test::job;

constexpr std::uint8_t kNumbered = 200, kAnswer = 201, kBeforeBarrier = 202, kToken = 203, kLast = 204;
constexpr std::size_t kSizes[] = {0, 0, 8, 100, 512, 4096};

std::vector<std::uint32_t> next_request, next_answer;  // of each rank
std::uint64_t answers, before_barrier, tokens, last;

void on_numbered(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                 void*) {
  REQUIRE(nargs == 1 && args[0] == next_request[token.source]);
  ++next_request[token.source];
  for (std::size_t i = 0; i < bytes; ++i)
    REQUIRE(static_cast<unsigned char*>(data)[i] == static_cast<unsigned char>(args[0] + i));
  AmMessage answer;
  answer.handler = kAnswer;
  answer.args = {args, 1};
  token.engine.reply(token, answer);
}

void on_answer(AmToken& token, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  REQUIRE(args[0] == next_answer[token.source]);
  ++next_answer[token.source];
  ++answers;
}

template <std::uint64_t& counter>
void count(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*) {
  ++counter;
}

void send(Rank to, std::uint8_t handler, std::uint32_t number = 0, std::size_t bytes = 0) {
  std::vector<unsigned char> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(number + i);
  AmMessage m;
  m.category = bytes == 0 ? AmCategory::kShort : AmCategory::kMedium;
  m.handler = handler;
  m.args = {&number, 1};
  m.data = data.data();
  m.bytes = bytes;
  job().engine->request(to, m);
}

void barrier() {
  const Slot me = job().topology.my_first_slot();
  job().barrier.notify(me, {});
  (void)job().barrier.wait(me);
}

void wait_for(const std::uint64_t& counter, std::uint64_t value) {
  job().progress.wait_until(job().topology.my_first_slot(), {"test"}, [&] { return counter >= value; });
}

// All send to all at once, neighbours and others by turns.
void order(std::uint32_t rounds) {
  const Rank n = job().topology.size;
  for (std::uint32_t i = 0; i < rounds; ++i)
    for (Rank r = 0; r < n; ++r) send(r, kNumbered, i, kSizes[(i + r) % std::size(kSizes)]);
  wait_for(answers, std::uint64_t{rounds} * n);
  barrier();
  for (Rank r = 0; r < n; ++r) REQUIRE(next_request[r] == rounds && next_answer[r] == rounds);
}

// A client's loop of AMPoll and barrier. Packets from neighbours are in memory when the barrier is over, and
// few enough for one poll; those of others arrive while the loop goes on.
void before_barriers(std::uint32_t rounds) {
  const Topology& t = job().topology;
  std::uint64_t from_neighbours = 0, from_all = 0;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    for (Rank r = 0; r < t.size; ++r)
      if (r != t.rank) send(r, kBeforeBarrier);
    from_all += t.size - 1;
    from_neighbours += t.window_group_size - 1;
    barrier();
    (void)job().engine->poll();
    REQUIRE(before_barrier >= from_neighbours);
    barrier();  // as of now the next round's may arrive
  }
  for (std::uint32_t i = 0; before_barrier < from_all; ++i) {
    REQUIRE(i < 1000000);
    (void)job().engine->poll();
    std::this_thread::yield();
  }
  REQUIRE(before_barrier == from_all);
  barrier();
}

// A token goes round while all others have been idle for long enough to sleep: from neighbour to neighbour by
// ring, from group to group by the network.
void wake_ups(unsigned rounds) {
  const Topology& t = job().topology;
  const Rank next = (t.rank + 1) % t.size;
  for (unsigned i = 1; i <= rounds; ++i) {
    if (t.rank != 0) wait_for(tokens, i);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (t.size > 1) send(next, kToken);
    if (t.rank == 0 && t.size > 1) wait_for(tokens, i);
  }
}

int run(int argc, char** argv) {
  start_job(job(), {argc, argv});
  AttachOptions options;
  options.segment_bytes = 1 << 20;
  attach_job(job(), options);
  Job& j = job();
  next_request.resize(j.topology.size);
  next_answer.resize(j.topology.size);
  j.engine->set_handler(kNumbered, on_numbered, nullptr);
  j.engine->set_handler(kAnswer, on_answer, nullptr);
  j.engine->set_handler(kBeforeBarrier, count<before_barrier>, nullptr);
  j.engine->set_handler(kToken, count<tokens>, nullptr);
  j.engine->set_handler(kLast, count<last>, nullptr);
  barrier();
  const auto rounds = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 2000 / j.topology.size;
  order(rounds);
  before_barriers(rounds);
  wake_ups(3);
  barrier();
  for (Rank r = 0; r < j.topology.size; ++r)
    if (r != j.topology.rank) send(r, kLast);
  end_job(j);
  REQUIRE(last == j.topology.size - 1);
  if (j.topology.rank == 0) std::printf("all %u ranks agree\n", j.topology.size);
  return 0;
}

}  // namespace
}  // namespace upcr

int main(int argc, char** argv) { return upcr::run(argc, argv); }
