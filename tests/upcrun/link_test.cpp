// SPDX-License-Identifier: BSD-3-Clause
// The link between upcrun and an agent: frames over a stream socket.
#include "tools/upcrun/protocol/link.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/upcrun/protocol_support.hpp"

namespace upcrun {
namespace {

struct Pair {
  UniqueFd a, b;
  Pair() {
    int fds[2];
    EXPECT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    a.reset(fds[0]);
    b.reset(fds[1]);
  }
};

TEST(Link, FramesInArbitraryPieces) {
  std::mt19937 random(7);
  std::string stream;
  std::vector<std::string> sent;
  for (int i = 0; i < 200; ++i) {
    sent.push_back(std::string(random() % 3 == 0 ? 0 : random() % 5000, static_cast<char>('a' + i % 26)));
    stream += frame(MessageType::kOutput, i, sent.back());
  }
  Pair pair;
  Link link(std::move(pair.a), 5000);
  int got = 0;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t piece = std::min<std::size_t>(stream.size() - at, 1 + random() % 40000);
    ASSERT_EQ(static_cast<ssize_t>(piece), ::write(pair.b.get(), stream.data() + at, piece));
    at += piece;
    ASSERT_TRUE(link.fill());
    while (const auto message = link.next()) {
      EXPECT_EQ(MessageType::kOutput, message->type);
      EXPECT_EQ(got, message->value);
      EXPECT_EQ(sent[static_cast<std::size_t>(got)], message->payload);
      ++got;
    }
  }
  EXPECT_EQ(200, got);
  pair.b.reset();
  EXPECT_FALSE(link.fill());
  EXPECT_FALSE(link.broken());
}

TEST(Link, WholeFramesBeforeTheEndAreNotLost) {
  Pair pair;
  Link link(std::move(pair.a), 100);
  const std::string last =
      frame(MessageType::kExited, 9, {}) + frame(MessageType::kOutput, 1, "half").substr(0, 18);
  ASSERT_EQ(static_cast<ssize_t>(last.size()), ::write(pair.b.get(), last.data(), last.size()));
  pair.b.reset();
  while (link.fill()) {
  }
  const auto message = link.next();
  ASSERT_TRUE(message);
  EXPECT_EQ(9, message->value);
  EXPECT_FALSE(link.next());
}

TEST(Link, AFrameAboveTheLimitBreaksTheLink) {
  for (const std::uint32_t bytes : {101u, 0x7fffffffu, 0xffffffffu}) {
    Pair pair;
    Link link(std::move(pair.a), 100);
    const Frame head{MessageType::kHello, 0, bytes, 0};
    ASSERT_EQ(static_cast<ssize_t>(sizeof head), ::write(pair.b.get(), &head, sizeof head));
    EXPECT_TRUE(link.fill());
    EXPECT_FALSE(link.next());
    EXPECT_TRUE(link.broken());
    EXPECT_FALSE(link.fill());
  }
}

TEST(Link, QueuesWhatCannotBeSent) {
  Pair pair;
  Link sender(std::move(pair.a), 100);
  Link receiver(std::move(pair.b), 1 << 20);
  const std::string much(1 << 20, 'x');
  for (int i = 0; i < 8; ++i)
    sender.send(MessageType::kInput, i, much.substr(0, 5), std::string_view(much).substr(5));
  EXPECT_GT(sender.unsent(), much.size());
  int got = 0;
  for (int rounds = 0; got < 8 && rounds < 100000; ++rounds) {
    sender.flush();
    ASSERT_TRUE(receiver.fill());
    while (const auto message = receiver.next()) {
      EXPECT_EQ(got++, message->value);
      EXPECT_EQ(much, message->payload);
    }
  }
  EXPECT_EQ(8, got);
  EXPECT_EQ(0u, sender.unsent());
}

}  // namespace
}  // namespace upcrun
