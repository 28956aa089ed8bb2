// SPDX-License-Identifier: BSD-3-Clause
// messages [ROUNDS [COUNTER]]: each rank floods all ranks with active messages of all kinds and sizes at
// once: nothing is lost, doubled or torn, every reply arrives, and no rank hangs although all rings are
// full most of the time. Then requests arrive while their receiver is still sending a Long reply of many
// packets, and are handled later (UPCR_LONG_REPLY_LIMIT=0: only when that reply has left).
//
// COUNTER: a file with the number of times that a device of this machine has reported to a sender that the
// receiver has no buffer. Rank 0 then does not poll until that number has grown, so with fewer receive
// buffers than there are other ranks it grows on every machine, and without a refusal the test fails.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/atomic.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/startup/startup.hpp"
#include "tests/support/program_job.hpp"

namespace upcr {
namespace {

using test::job;

constexpr std::uint8_t kRequest = 200, kReply = 201, kPlain = 202, kLongRequest = 203, kGo = 204;
constexpr std::size_t kSegment = 16u << 20;
constexpr std::size_t kLongest = 200000;
constexpr std::size_t kLongReply = 100000;  // more packets than may be in flight unacknowledged
constexpr std::chrono::seconds kRefusalDeadline{200};

std::uint64_t requests_seen, replies_seen, plain_seen, go_seen;

unsigned char byte_at(std::uint32_t seed, std::size_t i) {
  return static_cast<unsigned char>((seed * 2654435761u + i * 40503u) >> 7);
}
std::vector<unsigned char> pattern(std::uint32_t seed, std::size_t n) {
  std::vector<unsigned char> data(n);
  for (std::size_t i = 0; i < n; ++i) data[i] = byte_at(seed, i);
  return data;
}
void check_pattern(std::uint32_t seed, const void* data, std::size_t n) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < n; ++i) REQUIRE(bytes[i] == byte_at(seed, i));
}
void check_args(std::uint32_t seed, const std::uint32_t* args, unsigned nargs) {
  for (unsigned i = 1; i < nargs; ++i) REQUIRE(args[i] == seed + i);
}

// Arguments: seed, seed + 1, ...; a request of k arguments gets a reply of 17 - k, of the
// same category and data.
void on_request(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                void*) {
  ++requests_seen;
  check_args(args[0], args, nargs);
  if (bytes != 0) check_pattern(args[0], data, bytes);
  std::uint32_t back[kMaxAmArgs];
  const unsigned count = kMaxAmArgs + 1 - nargs;
  for (unsigned i = 0; i < count; ++i) back[i] = args[0] + i;
  AmMessage m;
  m.handler = kReply;
  m.args = {back, count};
  if (bytes != 0 && bytes <= token.engine.max_medium()) {
    m.category = AmCategory::kMedium;
    m.data = data;
    m.bytes = bytes;
  }
  token.engine.reply(token, m);
}

void on_reply(AmToken&, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes, void*) {
  ++replies_seen;
  check_args(args[0], args, nargs);
  if (bytes != 0) check_pattern(args[0], data, bytes);
}

void on_plain(AmToken&, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes, void*) {
  ++plain_seen;
  if (nargs != 0) check_args(args[0], args, nargs);
  if (nargs != 0 && bytes != 0) check_pattern(args[0], data, bytes);
}

// Arguments: seed, and the two halves of the address where kLongReply bytes are to be written.
void on_long_request(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  REQUIRE(nargs == 3);
  const auto data = pattern(args[0], kLongReply);
  AmMessage m;
  m.category = AmCategory::kLong;
  m.handler = kReply;
  m.args = {args, 1};
  m.data = data.data();
  m.bytes = data.size();
  m.dest = args[1] | std::uint64_t{args[2]} << 32;
  token.engine.reply(token, m);
}

void on_go(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*) { ++go_seen; }

// Where rank `from` may write in a segment: no other rank does, and one message at a time.
std::uint64_t landing(Rank at, Rank from) {
  return job().segments.remote[job().topology.first_slot[at]] + std::uint64_t{from} * (kSegment / 32);
}

void wait_for(const std::uint64_t& counter, std::uint64_t value) {
  job().progress.wait_until(job().topology.my_first_slot(), {"test"}, [&] { return counter >= value; });
}

void exchange(std::uint32_t rounds) {
  Job& j = job();
  AmEngine& engine = *j.engine;
  std::minstd_rand random(j.topology.rank * 7919 + 1);
  std::uint64_t expected_replies = 0;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const Rank to = random() % j.topology.size;
    const std::uint32_t seed = static_cast<std::uint32_t>(random());
    std::uint32_t args[kMaxAmArgs];
    AmMessage m;
    const unsigned nargs = 1 + random() % kMaxAmArgs;
    for (unsigned k = 0; k < nargs; ++k) args[k] = seed + k;
    m.args = {args, nargs};
    const bool reply_received = random() % 2 == 0;
    m.handler = reply_received ? kRequest : kPlain;
    std::vector<unsigned char> data;
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: {
        const std::size_t sizes[] = {1, 8, 100, 4096, engine.max_medium()};
        data = pattern(seed, sizes[random() % 5]);
        m.category = AmCategory::kMedium;
        break;
      }
      case 3: {
        data = pattern(seed, random() % kLongest);
        m.category = AmCategory::kLong;
        m.dest = landing(to, j.topology.rank);
        break;
      }
      default:
        break;
    }
    m.data = data.data();
    m.bytes = data.size();
    const bool is_long = m.category == AmCategory::kLong;
    if (is_long) {
      // The landing place is reused: wait for the answer to the one before.
      m.handler = kRequest;
      wait_for(replies_seen, expected_replies);
    }
    engine.request(to, m);
    if (m.handler == kRequest) ++expected_replies;
    if (is_long) wait_for(replies_seen, expected_replies);
  }
  wait_for(replies_seen, expected_replies);
  REQUIRE(replies_seen == expected_replies);
}

void send_short(Rank to, std::uint8_t handler, const std::vector<std::uint32_t>& args) {
  AmMessage m;
  m.handler = handler;
  m.args = args;
  job().engine->request(to, m);
}

// The first request's reply has so many packets that its sender needs acknowledgements several times; the
// second request leaves before it is complete.
void request_during_long_reply() {
  const Topology& topology = job().topology;
  const Rank peer = (topology.rank + 1) % topology.size;
  const std::uint64_t here = landing(topology.rank, peer);
  const std::uint64_t before = replies_seen;
  const std::uint32_t seed = topology.rank + 77;
  send_short(peer, kLongRequest,
             {seed, static_cast<std::uint32_t>(here), static_cast<std::uint32_t>(here >> 32)});
  send_short(peer, kRequest, {seed});
  wait_for(replies_seen, before + 2);
  check_pattern(seed, reinterpret_cast<const void*>(here), kLongReply);
}

std::uint64_t number_in(const char* file) {
  std::uint64_t n = 0;
  std::ifstream in(file);
  in >> n;
  if (!in) fatal("%s: there is no number to read", file);
  return n;
}

// All other ranks send to rank 0, which does not poll until one of them has been refused.
void provoke_refusal(const char* counter) {
  const Topology& topology = job().topology;
  if (topology.rank != 0) {
    wait_for(go_seen, 1);
    const std::uint64_t before = replies_seen;
    send_short(0, kRequest, {topology.rank});
    return wait_for(replies_seen, before + 1);
  }
  const std::uint64_t before = number_in(counter), requests_before = requests_seen;
  for (Rank r = 1; r < topology.size; ++r) send_short(r, kGo, {});
  const auto deadline = std::chrono::steady_clock::now() + kRefusalDeadline;
  while (number_in(counter) == before) {
    if (std::chrono::steady_clock::now() > deadline)
      fatal("%s: no sender was refused, though rank 0 received nothing", counter);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  wait_for(requests_seen, requests_before + topology.size - 1);
}

void remote_access() {
  Job& j = job();
  const Rank peer = (j.topology.rank + 1) % j.topology.size;
  const std::uint64_t at = landing(peer, j.topology.rank);
  const Slot me = j.topology.my_first_slot();
  Pending done;
  for (const std::size_t n : {std::size_t{1}, std::size_t{8}, std::size_t{1000}, std::size_t{300000}}) {
    const auto data = pattern(static_cast<std::uint32_t>(n), n);
    job().rma.put(peer, at, data.data(), n, done, nullptr);
    job().progress.wait_until(me, {"put"}, [&] { return done.done(); });
    std::vector<unsigned char> back(n);
    job().rma.get(peer, back.data(), at, n, done);
    job().progress.wait_until(me, {"get"}, [&] { return done.done(); });
    REQUIRE(back == data);
  }
  const std::uint64_t zero = 0;
  const std::uint64_t counter = j.segments.remote[0] + kSegment - 64;
  if (j.topology.rank == 0) std::memcpy(reinterpret_cast<void*>(counter), &zero, 8);
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  AtomWord old;
  for (int i = 0; i < 200; ++i) {
    job().atomics.start(0, counter, AtomType::kU64, AtomOp::kAdd, {1}, {}, &old, done);
    job().progress.wait_until(me, {"amo"}, [&] { return done.done(); });
  }
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  job().atomics.start(0, counter, AtomType::kU64, AtomOp::kGet, {}, {}, &old, done);
  job().progress.wait_until(me, {"amo"}, [&] { return done.done(); });
  REQUIRE(old.low == 200u * j.topology.size);
}

int run(int argc, char** argv) {
  start_job(job(), {argc, argv});
  AttachOptions options;
  options.segment_bytes = kSegment;
  attach_job(job(), options);
  Job& j = job();
  j.engine->set_handler(kRequest, on_request, nullptr);
  j.engine->set_handler(kReply, on_reply, nullptr);
  j.engine->set_handler(kPlain, on_plain, nullptr);
  j.engine->set_handler(kLongRequest, on_long_request, nullptr);
  j.engine->set_handler(kGo, on_go, nullptr);
  const Slot me = j.topology.my_first_slot();
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  exchange(argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 4000 / j.topology.size + 200);
  job().barrier.notify(me, {BarrierKind::kNamed, 7});
  REQUIRE(!job().barrier.wait(me).mismatch);
  request_during_long_reply();
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  if (argc > 2) provoke_refusal(argv[2]);
  remote_access();
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  if (j.topology.rank == 0) std::printf("all %u ranks agree\n", j.topology.size);
  end_job(job());
  return 0;
}

}  // namespace
}  // namespace upcr

int main(int argc, char** argv) { return upcr::run(argc, argv); }
