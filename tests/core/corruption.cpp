// SPDX-License-Identifier: BSD-3-Clause
// corruption SCENARIO BIT ("none": nothing happens): rank 0 sends one message to rank 1, and bit BIT of its
// packet is flipped on the way (or of its reply's). The receiver prints the outcome as one line:
// "right data", "wrong data", or nothing where the job ends with an error. corruption.sh runs
// it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/startup/startup.hpp"
#include "tests/support/program_job.hpp"

extern "C" void upcri_fault_flip(unsigned long after, unsigned long bit);
extern "C" unsigned long upcri_fault_flips(void);

namespace upcr {
namespace {

using test::job;

constexpr std::uint8_t kRequest = 100, kReply = 101;
constexpr std::size_t kSegment = 4u << 20, kTargetOffset = 1u << 20;
constexpr unsigned kArgs = 5;

unsigned long bit = 0;
bool flip_reply = false;
bool arrived = false, reply_received = false;

unsigned char byte_at(std::size_t i) { return static_cast<unsigned char>(i * 31 + 7); }
std::vector<unsigned char> pattern(std::size_t n) {
  std::vector<unsigned char> data(n);
  for (std::size_t i = 0; i < n; ++i) data[i] = byte_at(i);
  return data;
}
std::size_t wrong_bytes(const void* data, std::size_t n) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += static_cast<const unsigned char*>(data)[i] != byte_at(i);
  return wrong;
}

void print_result(const char* what, std::size_t wrong, std::size_t bytes) {
  std::printf("%s data of %s at rank %u: %zu wrong, %zu bytes\n", wrong == 0 ? "right" : "wrong", what,
              job().topology.rank, wrong, bytes);
  std::fflush(stdout);
}

std::size_t count_wrong(const std::uint32_t* args, unsigned nargs, const void* data, std::size_t bytes,
                        std::size_t expected) {
  std::size_t wrong = nargs == kArgs ? 0 : 1;
  for (unsigned i = 0; i + 1 < kArgs && i < nargs; ++i) wrong += args[i] != 0x01010101u * i;
  return wrong + (bytes == expected ? wrong_bytes(data, bytes) : 1);
}

// The last argument: bytes of data.
void on_request(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                void*) {
  print_result("a request", count_wrong(args, nargs, data, bytes, args[kArgs - 1]), bytes);
  arrived = true;
  AmMessage m;
  m.handler = kReply;
  m.args = {args, kArgs};
  if (flip_reply) {
    m.category = AmCategory::kMedium;
    m.data = data;
    m.bytes = bytes;
    upcri_fault_flip(0, bit);
  }
  token.engine.reply(token, m);
}

void on_reply(AmToken&, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes, void*) {
  if (flip_reply) print_result("a reply", count_wrong(args, nargs, data, bytes, args[kArgs - 1]), bytes);
  reply_received = true;
}

// Waits until all packets in flight have arrived.
void settle() {
  const Slot me = job().topology.my_first_slot();
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  timespec start, now;
  ::clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    (void)job().engine->poll();
    ::clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 30);
}

void send(AmCategory category, std::size_t bytes) {
  const auto data = pattern(bytes);
  std::uint32_t args[kArgs];
  for (unsigned i = 0; i < kArgs; ++i) args[i] = 0x01010101u * i;
  args[kArgs - 1] = static_cast<std::uint32_t>(bytes);
  AmMessage m;
  m.category = category;
  m.handler = kRequest;
  m.args = args;
  m.data = data.data();
  m.bytes = bytes;
  m.dest = job().segments.remote[1] + kTargetOffset;
  if (!flip_reply) upcri_fault_flip(0, bit);
  job().engine->request(1, m);
  job().progress.wait_until(0, {"the reply"}, [] { return reply_received; });
}

void put(std::size_t bytes) {
  const auto data = pattern(bytes);
  Pending done, source;
  upcri_fault_flip(0, bit);
  job().rma.put(1, job().segments.remote[1] + kTargetOffset, data.data(), bytes, done, &source);
  job().progress.wait_until(0, {"the put"}, [&] { return done.done() && source.done(); });
}

int run(int argc, char** argv) {
  start_job(job(), {argc, argv});
  AttachOptions options;
  options.segment_bytes = kSegment;
  attach_job(job(), options);
  Job& j = job();
  const std::string scenario = argc > 2 ? argv[1] : "";
  bit = argc > 2 ? std::strtoul(argv[2], nullptr, 0) : 0;
  flip_reply = scenario == "reply";
  j.engine->set_handler(kRequest, on_request, nullptr);
  j.engine->set_handler(kReply, on_reply, nullptr);
  const Slot me = j.topology.my_first_slot();
  const std::size_t put_bytes = scenario == "put" ? 100 : scenario == "bigput" ? 100000 : 0;
  settle();
  if (j.topology.rank == 0) {
    if (scenario == "short") send(AmCategory::kShort, 0);
    if (scenario == "medium" || scenario == "reply") send(AmCategory::kMedium, 40);
    if (scenario == "large") send(AmCategory::kMedium, j.engine->max_medium());
    if (scenario == "long") send(AmCategory::kLong, 100000);
    if (put_bytes != 0) put(put_bytes);
  } else if (put_bytes == 0 && scenario != "none") {
    job().progress.wait_until(me, {"a request"}, [] { return arrived; });
  }
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  if (j.topology.rank == 1 && put_bytes != 0)
    print_result("a put",
                 wrong_bytes(reinterpret_cast<const void*>(j.segments.mapped[me] + kTargetOffset), put_bytes),
                 put_bytes);
  if (upcri_fault_flips() != 0) std::printf("rank %u has flipped a bit\n", j.topology.rank);
  job().barrier.notify(me, {});
  job().barrier.wait(me);
  end_job(job());
  return 0;
}

}  // namespace
}  // namespace upcr

int main(int argc, char** argv) { return upcr::run(argc, argv); }
