// SPDX-License-Identifier: BSD-3-Clause
// Checksums on packets: every bit of packets of each shape, in rings and as bytes, is flipped once, in a
// process of its own, and has to be reported by the receiver. Without checksums some of these flips have to
// be wrong data unseen.
#include "conduits/core/checksum/packet_check.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/rings/rings.hpp"

extern "C" void upcri_fault_flip(unsigned long after, unsigned long bit);
extern "C" unsigned long upcri_fault_flips(void);

namespace upcr {
namespace {

constexpr Rank kSender = 3, kReceiver = 5;

// The output of a child process, and its exit status; -1: a signal.
struct Outcome {
  int status;
  std::string text;
};
template <typename Body>
Outcome in_child(Body&& body) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 2);
    ::_exit(body());
  }
  ::close(ends[1]);
  Outcome o{-1, {}};
  char buf[4096];
  for (ssize_t n; (n = ::read(ends[0], buf, sizeof buf)) > 0;)
    o.text.append(buf, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status)) o.status = WEXITSTATUS(status);
  return o;
}

struct Checks : ::testing::Test {
  Checks() { ::setenv("UPCR_BACKTRACE", "no", 1); }
  ~Checks() override { start_packet_check(false, 0); }
};

// A packet of `nargs` arguments and `bytes` bytes through a ring. The received packet is compared; the number
// of packets sent before decides the slot and its sequence number.
struct Through {
  unsigned nargs;
  std::size_t bytes;
  unsigned before = 0;
  bool medium = true;

  static constexpr int kRight = 0, kWrong = 1, kNothing = 2;

  int run(bool flip, unsigned long bit) const {
    void* memory = ::mmap(nullptr, kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    RingWriter writer;
    RingReader reader;
    writer.attach(static_cast<Ring*>(memory));
    reader.attach(static_cast<Ring*>(memory));
    std::uint32_t args[kMaxAmArgs];
    for (unsigned i = 0; i < kMaxAmArgs; ++i) args[i] = 0x01020304u * (i + 1);
    std::vector<char> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(i * 3 + 1);
    AmPacket p;
    p.head = {42, static_cast<std::uint8_t>(nargs), medium ? std::uint8_t{kAmMedium} : std::uint8_t{0}, 0,
              static_cast<std::uint32_t>(bytes)};
    p.args = args;
    p.body = data.data();
    p.body_bytes = bytes;
    int result = kRight;
    for (unsigned i = 0; i <= before; ++i) {
      const bool last = i == before;
      if (last && flip) upcri_fault_flip(0, bit);
      if (bytes == 0 ? !writer.push_slot(p.head, args) : writer.push(p) != Status::kOk) return kNothing;
      // One whose sequence number has become an old one is found by the packet behind it.
      if (last && flip && packet_sums() && writer.push(p) != Status::kOk) return kNothing;
      if (packet_sums()) reader.check(kSender, 0, "test");
      if (!reader.ready()) return kNothing;
      const AmArrival a = bytes == 0 ? reader.front_slot(kSender, 0) : reader.front(kSender, 0);
      const bool right = a.head.handler == 42 && a.head.nargs == nargs && a.head.flags == p.head.flags &&
                         a.head.length == bytes && std::memcmp(a.args, args, nargs * sizeof *args) == 0 &&
                         (bytes == 0 || std::memcmp(a.payload, data.data(), bytes) == 0);
      if (!right) result = kWrong;
      reader.pop();
    }
    ::munmap(memory, kRingBytes);
    return result;
  }
  std::size_t bits(bool sums) const { return 8 * (8 + 4 * nargs + bytes + (sums ? 4 : 0)); }
};

const Through kShapes[] = {{0, 0, 0, false}, {3, 0, 300, false}, {16, 0, 1, false}, {2, 13},
                           {16, 48, 257},    {5, 100},           {1, 300, 4}};

TEST_F(Checks, EveryBitOfASlotIsChecked) {
  start_packet_check(true, kReceiver);
  for (const Through& t : kShapes) {
    ASSERT_EQ(t.run(false, 0), Through::kRight);
    const std::size_t bits = t.bits(true);
    for (std::size_t bit = 0; bit < bits; bit += bit < 96 || bit + 40 > bits ? 1 : 29) {
      const Outcome o = in_child([&] { return t.run(true, bit); });
      ASSERT_EQ(o.status, 255) << "bit " << bit << " of " << t.nargs << " arguments, " << t.bytes
                               << " bytes: " << o.text;
      ASSERT_NE(o.text.find("a corrupted packet arrived from rank 3 at rank 5 by "), o.text.npos) << o.text;
    }
  }
}

// Takes requests, and says so.
struct Taker {
  void deliver_slot(const AmArrival& a) { deliver(a); }
  void deliver(const AmArrival&) { (void)!::write(2, "taken ", 6); }
  bool accepts_requests() const { return true; }
};

// One poll takes many packets: the one that is corrupted may be any of them.
TEST_F(Checks, EveryPacketOfAPollIsChecked) {
  start_packet_check(true, 0);
  constexpr Rank kProcesses = 2;
  void* memory = ::mmap(nullptr, Rings::bytes(kProcesses), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  static Doorbell bells[kProcesses];
  Topology t;
  t.size = kProcesses;
  t.first_slot = {0, 1, 2};
  constexpr unsigned kPackets = 6;
  for (unsigned flipped = 0; flipped < kPackets; ++flipped) {
    const Outcome o = in_child([&] {
      Rings from, to;
      t.rank = 0;
      from.attach(memory, {0, t.size}, {0, t.size}, t, bells, false, "test");
      t.rank = 1;
      to.attach(memory, {0, t.size}, {0, t.size}, t, bells, false, "test");
      const std::uint32_t args[] = {1, 2, 3};
      upcri_fault_flip(flipped, 32 + 8);  // the number of arguments
      for (unsigned i = 0; i < kPackets; ++i)
        if (i % 2 == 0 ? !from.request_slot(1, {1, 3, 0, 0, 0}, args)
                       : from.send(1, {.head = {1, 3, 0, 0, 0}, .args = args}) != Status::kOk)
          return 3;
      Taker taker;
      return to.poll(32, taker) == kPackets ? 0 : 4;
    });
    ASSERT_EQ(o.status, 255) << flipped << ": " << o.text;
    std::string before;
    for (unsigned i = 0; i < flipped; ++i) before += "taken ";
    ASSERT_EQ(o.text.find("UPC Runtime error: a corrupted packet arrived from rank 0 at rank 0"),
              before.size())
        << o.text;
    ::munmap(memory, Rings::bytes(kProcesses));
    memory = ::mmap(nullptr, Rings::bytes(kProcesses), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ::munmap(memory, Rings::bytes(kProcesses));
}

TEST_F(Checks, WithoutSumsSomeFlipsAreWrongData) {
  start_packet_check(false, kReceiver);
  const Through t{5, 100};
  unsigned wrong = 0;
  for (unsigned long bit = 64; bit < t.bits(false); bit += 61) {  // behind the head
    const Outcome o = in_child([&] { return t.run(true, bit); });
    wrong += o.status == Through::kWrong ? 1 : 0;
    EXPECT_EQ(o.text, "");
  }
  EXPECT_GT(wrong, 10u);
}

// Slots are as before without sums, and with sums packets of every size fit.
TEST_F(Checks, EverySizeFitsWithSums) {
  start_packet_check(true, kReceiver);
  for (unsigned nargs = 0; nargs <= kMaxAmArgs; ++nargs)
    for (std::size_t bytes = 0; bytes < 140; ++bytes)
      ASSERT_EQ((Through{nargs, bytes, bytes == 0 ? 600u : 2u}.run(false, 0)), Through::kRight)
          << nargs << " " << bytes;
  ASSERT_EQ((Through{16, kMaxPayload, 20}.run(false, 0)), Through::kRight);
}

PacketClaim claim(const char* packet, std::size_t bytes) {
  return {bytes == 50 && packet[0] == 'x' ? "a test" : "no test"};
}

TEST_F(Checks, EveryBitOfAPacketOfBytesIsChecked) {
  start_packet_check(true, kSender);
  PacketCheck& check = *packet_check();
  ASSERT_TRUE(check.sums());
  char packet[60];
  std::memset(packet, 'x', sizeof packet);
  ASSERT_EQ(check.seal(packet, 50), 50 + check.extra_bytes());
  ASSERT_EQ(check.extra_bytes(), 4u);
  EXPECT_EQ(std::string(packet + 54, 6), "xxxxxx");
  ASSERT_EQ(check.open(kSender, packet, 54, "test", claim), 50u);
  for (unsigned bit = 0; bit < 54 * 8; ++bit) {
    char flipped[60];
    std::memset(flipped, 'x', sizeof flipped);
    const unsigned long before = upcri_fault_flips();
    upcri_fault_flip(0, bit);
    ASSERT_EQ(check.seal(flipped, 50), 54u);
    ASSERT_EQ(upcri_fault_flips(), before + 1);
    ASSERT_EQ(flipped[bit / 8] ^ packet[bit / 8], static_cast<char>(1 << bit % 8));
    if (bit % 7 != 0) continue;
    const Outcome o =
        in_child([&] { return static_cast<int>(check.open(kSender, flipped, 54, "test", claim)); });
    ASSERT_EQ(o.status, 255) << bit;
    ASSERT_NE(
        o.text.find(
            "a corrupted packet arrived from rank 3 at rank 3 by conduit test: the CRC-32C of its 50 bytes"),
        o.text.npos)
        << o.text;
    ASSERT_NE(o.text.find(bit < 8 ? "it claims to be no test" : "it claims to be a test"), o.text.npos)
        << o.text;
  }
  // Another sender's, cut short, nothing at all.
  EXPECT_EQ(
      in_child([&] { return static_cast<int>(check.open(kSender + 1, packet, 54, "test", claim)); }).status,
      255);
  EXPECT_EQ(in_child([&] { return static_cast<int>(check.open(kSender, packet, 53, "test", claim)); }).status,
            255);
  EXPECT_EQ(in_child([&] { return static_cast<int>(check.open(kSender, packet, 3, "test", claim)); }).status,
            255);
}

// The packet that is meant, counted from the order.
TEST_F(Checks, AFlipWaitsForItsPacket) {
  start_packet_check(false, kSender);
  upcri_fault_flip(2, 9);
  for (int i = 0; i < 5; ++i) {
    char packet[4] = {};
    ASSERT_EQ(packet_check()->seal(packet, 4), 4u);
    EXPECT_EQ(packet[1], i == 2 ? 2 : 0) << i;
  }
}

}  // namespace
}  // namespace upcr
