// SPDX-License-Identifier: BSD-3-Clause
// The ring of packets: packets of every shape come out as they went in, in order; a full ring refuses and
// recovers; two threads move many.
#include "conduits/core/transport/rings/ring.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace upcr {
namespace {

struct RingFixture : ::testing::Test {
  RingFixture() {
    memory = ::mmap(nullptr, kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    writer.attach(static_cast<Ring*>(memory));
    reader.attach(static_cast<Ring*>(memory));
  }
  ~RingFixture() override { ::munmap(memory, kRingBytes); }

  void* memory;
  RingWriter writer;
  RingReader reader;
};

// A packet whose contents follow from a seed, so that the far end can recompute them.
struct Sample {
  explicit Sample(std::uint32_t seed, std::size_t most = kMaxPayload) {
    std::minstd_rand random(seed + 1);
    const unsigned nargs = random() % (kMaxAmArgs + 1);
    const std::size_t sizes[] = {0, 1, 7, 8, 24, 40, 56, 57, 64, 4096, kMaxPayload, random() % kMaxPayload};
    const std::size_t bytes = std::min(most, sizes[random() % std::size(sizes)]);
    for (unsigned i = 0; i < nargs; ++i) args.push_back(static_cast<std::uint32_t>(random()));
    data.resize(bytes);
    for (char& c : data) c = static_cast<char>(random());
    split = bytes == 0 ? 0 : random() % (bytes + 1);
    packet.head = {static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(nargs),
                   static_cast<std::uint8_t>((random() % 8) << 1), 0, static_cast<std::uint32_t>(bytes)};
    packet.args = args.data();
    packet.prefix = data.data();
    packet.prefix_bytes = split;
    packet.body = data.data() + split;
    packet.body_bytes = bytes - split;
  }

  void expect(const AmArrival& a) const {
    ASSERT_EQ(a.head.handler, packet.head.handler);
    ASSERT_EQ(a.head.nargs, packet.head.nargs);
    ASSERT_EQ(a.head.flags, packet.head.flags | kAmReply);
    ASSERT_EQ(a.head.length, packet.head.length);
    ASSERT_TRUE(std::equal(args.begin(), args.end(), a.args));
    if (data.empty()) return;
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(a.payload) % 8, 0u);
    ASSERT_EQ(std::memcmp(a.payload, data.data(), data.size()), 0);
  }

  std::vector<std::uint32_t> args;
  std::vector<char> data;
  std::size_t split = 0;
  AmPacket packet;
};

TEST_F(RingFixture, EveryShapeComesOutAsItWentIn) {
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    const Sample sample(seed);
    ASSERT_EQ(writer.push(sample.packet), Status::kOk) << seed;
    ASSERT_TRUE(reader.ready());
    sample.expect(reader.front(3, kAmReply));
    if (HasFatalFailure()) FAIL() << "seed " << seed;
    reader.pop();
    ASSERT_FALSE(reader.ready());
  }
}

// The fast paths for packets that are all slot, mixed with the general ones: what one end sends in either way
// the other takes in either way.
TEST_F(RingFixture, PacketsThatAreAllSlotGoBothWaysAlike) {
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    const Sample sample(seed, seed % 3 == 0 ? 100 : 0);
    const bool all_slot = sample.data.empty();
    ASSERT_FALSE(reader.has_packet());
    if (all_slot && seed % 2 == 0)
      ASSERT_TRUE(writer.push_slot(sample.packet.head, sample.packet.args));
    else
      ASSERT_EQ(writer.push(sample.packet), Status::kOk);
    ASSERT_TRUE(reader.has_packet());
    ASSERT_TRUE(reader.ready());
    ASSERT_EQ(reader.front_fits_slot(), all_slot) << seed;
    sample.expect(all_slot && seed / 2 % 2 == 0 ? reader.front_slot(3, kAmReply) : reader.front(3, kAmReply));
    if (HasFatalFailure()) FAIL() << "seed " << seed;
    reader.pop();
  }
}

// Nothing beyond the arguments is read or written.
TEST_F(RingFixture, CopiesAsManyWordsAsThereAre) {
  for (unsigned n = 0; n <= kMaxAmArgs; ++n) {
    std::vector<std::uint32_t> from(n), to(n + 2, 7u);
    std::iota(from.begin(), from.end(), 100u);
    copy_words(to.data() + 1, from.data(), n);
    EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin() + 1)) << n;
    EXPECT_EQ(to.front(), 7u) << n;
    EXPECT_EQ(to.back(), 7u) << n;
  }
}

TEST_F(RingFixture, AllSlotPacketsFillTheRingAndNoMore) {
  std::uint32_t pushed = 0, popped = 0;
  for (int round = 0; round < 10; ++round) {
    while (writer.push_slot({1, 1, 0, 0, 0}, &pushed)) ++pushed;
    ASSERT_LE(pushed - popped, kRingSlots);
    ASSERT_GT(pushed - popped, kRingSlots - kPublishSlots);
    for (const std::uint32_t until = popped + 100; popped < until; ++popped) {
      ASSERT_TRUE(reader.has_packet());
      ASSERT_EQ(*reader.front_slot(0, 0).args, popped);
      reader.pop();
    }
  }
}

TEST_F(RingFixture, FullRingRefusesAndRecoversInOrder) {
  std::uint32_t pushed = 0, popped = 0;
  for (int round = 0; round < 50; ++round) {
    while (writer.push(Sample(pushed, 20000).packet) == Status::kOk) ++pushed;
    ASSERT_GT(pushed, popped);
    const std::uint32_t until = round % 2 == 0 ? pushed : popped + (pushed - popped) / 2;
    for (; popped < until; ++popped) {
      ASSERT_TRUE(reader.ready());
      Sample(popped, 20000).expect(reader.front(0, kAmReply));
      if (HasFatalFailure()) FAIL() << "packet " << popped;
      reader.pop();
    }
  }
}

TEST_F(RingFixture, IdleRingAlwaysFitsTheLargest) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    ASSERT_TRUE(writer.fits_any()) << seed;
    ASSERT_EQ(writer.push(Sample(seed).packet), Status::kOk);
    reader.front(0, 0);
    reader.pop();
  }
}

// A processor that uses a payload prefetches lines behind it. As many short payloads fit the ring all the
// same as packets without one.
TEST_F(RingFixture, PayloadsAreApartAndFillTheRing) {
  constexpr std::size_t kBytes = 512, kApart = 512;
  const std::vector<char> data(kBytes, 'x');
  AmPacket packet;
  packet.head = {1, 0, kAmMedium, 0, kBytes};
  packet.body = data.data();
  packet.body_bytes = kBytes;
  for (std::uint32_t i = 0; i < kRingSlots; ++i) ASSERT_EQ(writer.push(packet), Status::kOk) << i;
  EXPECT_EQ(writer.push(packet), Status::kNoResource);
  std::vector<std::uintptr_t> starts;
  for (std::uint32_t i = 0; i < kRingSlots; ++i) {
    ASSERT_TRUE(reader.has_packet());
    starts.push_back(reinterpret_cast<std::uintptr_t>(reader.front(0, 0).payload));
    reader.pop();
  }
  std::sort(starts.begin(), starts.end());
  for (std::uint32_t i = 1; i < kRingSlots; ++i) EXPECT_GE(starts[i] - starts[i - 1], kBytes + kApart) << i;
}

TEST_F(RingFixture, TwoThreads) {
  constexpr std::uint32_t kPackets = 20000;
  std::thread producer([&] {
    for (std::uint32_t i = 0; i < kPackets; ++i) {
      const Sample sample(i, 2000);
      while (writer.push(sample.packet) != Status::kOk) std::this_thread::yield();
    }
  });
  for (std::uint32_t i = 0; i < kPackets; ++i) {
    while (!reader.ready()) std::this_thread::yield();
    Sample(i, 2000).expect(reader.front(0, kAmReply));
    reader.pop();
    if (HasFatalFailure()) break;
  }
  producer.join();
}

}  // namespace
}  // namespace upcr
