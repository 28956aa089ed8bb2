// SPDX-License-Identifier: BSD-3-Clause
// rails [--alone COMMAND] [--first] [--quiet] BYTES ROUNDS [COUNTER...]: large puts and gets between all
// ranks, and messages behind them, over processes that have several ports.
//
// COUNTER: for each port that is to take part, a file with the number of packets that it has sent. Rank 0,
// before any other rank sends anything, puts to rank 1 until all of them grow with its puts: so each port
// carries a part. Then rank 0 puts a known amount: each port has to send its share of it.
//
// --alone: rank 0 runs COMMAND before its first put. --first: instead of counting, it puts for some seconds
// before the others begin. --quiet: then all ranks exchange messages, and nothing is transferred for some
// seconds.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/startup/startup.hpp"
#include "tests/support/program_job.hpp"

namespace upcr {
namespace {

using test::job;

constexpr std::uint8_t kCheck = 200, kChecked = 201;
constexpr std::size_t kPacket = 4096;  // of the largest MTU

std::size_t bytes;                   // of a large transfer
std::uint64_t checked = 0;           // answers to this rank's requests
std::vector<std::uint32_t> arrived;  // seed of the last put of each rank that a message has announced

unsigned char byte_at(std::uint32_t seed, std::size_t i) {
  return static_cast<unsigned char>((seed * 2654435761u + i * 40503u + (i >> 12) * 7u) >> 7);
}
void fill(std::uint32_t seed, unsigned char* data) {
  for (std::size_t i = 0; i < bytes; ++i) data[i] = byte_at(seed, i);
}
bool has_pattern(std::uint32_t seed, const unsigned char* data) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (data[i] != byte_at(seed, i)) return false;
  return true;
}

// In each segment: a place for what each rank puts, a source, and a sink.
std::size_t place(Rank of) { return (of + 1) * (bytes + kPacket) + 24; }
unsigned char* here(std::size_t at) {
  return reinterpret_cast<unsigned char*>(job().segments.mapped[job().topology.my_first_slot()]) + kPacket +
         at;
}
std::uint64_t there(Rank rank, std::size_t at) {
  return job().segments.remote[job().topology.first_slot[rank]] + kPacket + at;
}
template <typename Done>
void wait_for(Done&& done) {
  job().progress.wait_until(job().topology.my_first_slot(), {"test"}, done);
}
void barrier() {
  job().barrier.notify(job().topology.my_first_slot(), {});
  job().barrier.wait(job().topology.my_first_slot());
}

// Arguments: the seed of the put before this message. All of it must be here.
void on_check(AmToken& token, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  if (!has_pattern(args[0], here(place(token.source))))
    fatal("a message from rank %u overtakes the put before it", token.source);
  arrived[token.source] = args[0];
  AmMessage m;
  m.handler = kChecked;
  token.engine.reply(token, m);
}
void on_checked(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*) { ++checked; }

// Of every category in turn, behind puts that may be under way.
void send_check(Rank to, std::uint32_t seed) {
  static const char data[2000] = {};
  AmMessage m;
  m.handler = kCheck;
  m.args = {&seed, 1};
  if (seed % 3 == 1) {
    m.category = AmCategory::kMedium;
    m.data = data;
    m.bytes = sizeof data;
  } else if (seed % 3 == 2) {
    m.category = AmCategory::kLong;
    m.data = data;
    m.bytes = 8;
    m.dest = there(to, 8 * std::size_t{job().topology.rank});
  }
  job().engine->request(to, m);
}

// A put, from private memory or from the segment, a message behind it, and the same data back.
void round_with(Rank peer, std::uint32_t seed, bool from_segment,
                std::vector<unsigned char>& private_memory) {
  const Rank me = job().topology.rank;
  unsigned char* const source = from_segment ? here(place(job().topology.size)) : private_memory.data() + 40;
  unsigned char* const sink = from_segment ? private_memory.data() + 8 : here(place(job().topology.size + 1));
  fill(seed, source);
  std::memset(sink, 0, bytes);
  Pending done, got;
  const std::uint64_t before = checked;
  job().rma.put(peer, there(peer, place(me)), source, bytes, done, &done);
  send_check(peer, seed);
  wait_for([&] { return done.done() && checked == before + 1; });
  job().rma.get(peer, sink, there(peer, place(me)), bytes, got);
  wait_for([&] { return got.done(); });
  if (!has_pattern(seed, sink)) fatal("what comes back from rank %u is not what was put there", peer);
}

void put_only(Rank peer) {
  Pending done;
  job().rma.put(peer, there(peer, place(job().topology.rank)), here(place(job().topology.size)), bytes, done,
                &done);
  wait_for([&] { return done.done(); });
}

std::vector<std::uint64_t> numbers_in(const std::vector<std::string>& files) {
  std::vector<std::uint64_t> all;
  for (const std::string& file : files) {
    std::ifstream in(file);
    std::uint64_t n = 0;
    in >> n;
    if (!in) fatal("%s: there is no number to read", file.c_str());
    all.push_back(n);
  }
  return all;
}

// Rank 0 alone: until a put makes all ports send, and then what a few puts make each of them send.
void require_all_ports(const std::vector<std::string>& counters) {
  const std::uint64_t share = bytes / kPacket / counters.size();
  const auto least_sent = [&](int puts) {
    const auto before = numbers_in(counters);
    for (int i = 0; i < puts; ++i) put_only(1);
    const auto after = numbers_in(counters);
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = 0; i < before.size(); ++i) least = std::min(least, after[i] - before[i]);
    return least;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
  while (least_sent(1) < share / 2)
    if (std::chrono::steady_clock::now() > deadline) fatal("puts do not go by all ports");
  constexpr int kPuts = 8;
  const std::uint64_t least = least_sent(kPuts);
  std::printf("%d puts of %zu bytes: each port has sent %llu packets or more\n", kPuts, bytes,
              static_cast<unsigned long long>(least));
  if (least < kPuts * share * 9 / 10) fatal("the parts of the ports are not alike");
}

// Calls what() for some seconds.
template <typename What>
void for_seconds(int seconds, What&& what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (std::chrono::steady_clock::now() < end) what();
}

int run(int argc, char** argv) {
  start_job(job(), {argc, argv});
  const char* command = nullptr;
  bool quiet = false, first = false;
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; ++at) {
    if (std::strcmp(argv[at], "--alone") == 0)
      command = argv[++at];
    else
      (std::strcmp(argv[at], "--first") == 0 ? first : quiet) = true;
  }
  bytes = std::strtoull(argv[at], nullptr, 10);
  const auto rounds = static_cast<std::uint32_t>(std::atoi(argv[at + 1]));
  const std::vector<std::string> counters(argv + at + 2, argv + argc);
  AttachOptions options;
  options.segment_bytes = (job().topology.size + 4) * (bytes + 2 * kPacket);
  attach_job(job(), options);
  Job& j = job();
  const Rank me = j.topology.rank, size = j.topology.size;
  arrived.resize(size);
  j.engine->set_handler(kCheck, on_check, nullptr);
  j.engine->set_handler(kChecked, on_checked, nullptr);
  j.bootstrap->barrier();
  if (me == 0 && command != nullptr && std::system(command) != 0) fatal("%s has failed", command);
  if (me == 0 && !counters.empty()) require_all_ports(counters);
  if (me == 0 && first) for_seconds(3, [] { put_only(1); });
  j.bootstrap->barrier();  // without messages
  barrier();
  if (quiet) {
    for_seconds(4, [] { (void)job().progress.poll(); });
    barrier();
  }
  std::vector<unsigned char> private_memory(bytes + 64);
  for (std::uint32_t i = 0; i < rounds; ++i)
    for (Rank step = 1; step < size; ++step)
      round_with((me + step) % size, 1 + i * size + step, (i + step) % 2 != 0, private_memory);
  barrier();
  for (Rank r = 0; r < size; ++r) REQUIRE(r == me || arrived[r] != 0);
  if (me == 0) std::printf("all %u ranks agree\n", size);
  end_job(job());
  return 0;
}

}  // namespace
}  // namespace upcr

int main(int argc, char** argv) { return upcr::run(argc, argv); }
