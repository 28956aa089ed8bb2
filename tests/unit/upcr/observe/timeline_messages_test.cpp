// SPDX-License-Identifier: BSD-3-Clause
// TimelineMessages: which messages lead to which handlers, and where they are placed when a short handler's
// moment was read late.
#include "upcr/observe/report/timeline_messages.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace upcr::observe {
namespace {

constexpr double kLength = 0.5;

// Process 1 asks process 0, whose handler replies; each is one thread.
class TimelineMessagesTest : public testing::Test {
 protected:
  void add(std::uint32_t process, Kind kind, double at, std::uint32_t peer, std::uint64_t number,
           std::uint64_t clock = 7) {
    PartEvent e{};
    e.bytes = 8;
    e.peer = peer;
    e.waited = number;
    messages_.add({{process, process}, clock, at, kLength, "a.upc", 3}, kind, e);
  }
  void add_access(double reply_at, std::uint64_t clock_of_1 = 7) {
    add(0, Kind::kReplyShort, reply_at, 1, 50);
    add(0, Kind::kRequestHandler, reply_at, 1, 40);
    add(1, Kind::kRequestShort, 10, 0, 40, clock_of_1);
    add(1, Kind::kReplyHandler, 30, 0, 50, clock_of_1);
  }
  // The lines of the file.
  std::vector<std::string> written() {
    std::FILE* const file = std::tmpfile();
    TraceEvents out(file);
    messages_.write(out);
    out.end(0, 0);
    std::rewind(file);
    std::vector<std::string> lines;
    for (char line[1024]; std::fgets(line, sizeof line, file) != nullptr;) lines.push_back(line);
    std::fclose(file);
    return lines;
  }
  // The moments of events of this phase and name, in process 0 or 1.
  static std::vector<std::string> moments(const std::vector<std::string>& lines, const std::string& phase,
                                          const std::string& name, int process) {
    const std::string begin = R"({"ph":")" + phase + R"(","pid":)" + std::to_string(process) + R"(,"tid":)" +
                              std::to_string(process) + R"(,"name":")" + name + '"';
    std::vector<std::string> found;
    for (const std::string& line : lines) {
      if (!line.starts_with(begin)) continue;
      const std::size_t at = line.find("\"ts\":") + 5;
      found.push_back(line.substr(at, line.find_first_of(",}", at) - at));
    }
    return found;
  }
  using Moments = std::vector<std::string>;

  TimelineMessages messages_;
};

TEST_F(TimelineMessagesTest, ArrowsLeadToHandlers) {
  add_access(20);
  const auto lines = written();
  EXPECT_EQ(moments(lines, "X", "request_short", 1), Moments{"10.000"});
  EXPECT_EQ(moments(lines, "X", "request_handler", 0), Moments{"20.000"});
  EXPECT_EQ(moments(lines, "X", "reply_short", 0), Moments{"20.000"});
  EXPECT_EQ(moments(lines, "X", "reply_handler", 1), Moments{"30.000"});
  EXPECT_EQ(moments(lines, "s", "message", 1), Moments{"10.000"});
  EXPECT_EQ(moments(lines, "f", "message", 0), Moments{"20.000"});
  EXPECT_EQ(moments(lines, "s", "message", 0), Moments{"20.000"});
  EXPECT_EQ(moments(lines, "f", "message", 1), Moments{"30.000"});
}

TEST_F(TimelineMessagesTest, NothingLeadsToWhatIsLost) {
  add(0, Kind::kReplyShort, 20, 1, 50);
  add(1, Kind::kReplyHandler, 30, 0, 51);
  const auto lines = written();
  EXPECT_EQ(moments(lines, "X", "reply_short", 0).size(), 1u);
  EXPECT_EQ(moments(lines, "s", "message", 0), Moments{});
  EXPECT_EQ(moments(lines, "f", "message", 1), Moments{});
}

TEST_F(TimelineMessagesTest, AReplyLeavesBeforeItArrives) {
  add(0, Kind::kRequestHandler, 5, 1, 39);
  add_access(35);
  const auto lines = written();
  EXPECT_EQ(moments(lines, "X", "reply_short", 0), Moments{"30.000"});
  EXPECT_EQ(moments(lines, "X", "request_handler", 0), (Moments{"5.000", "30.000"}));
  EXPECT_EQ(moments(lines, "s", "message", 0), Moments{"30.000"});
}

TEST_F(TimelineMessagesTest, ClocksOfTwoHostsAreNotCompared) {
  add_access(35, 8);
  const auto lines = written();
  EXPECT_EQ(moments(lines, "X", "reply_short", 0), Moments{"35.000"});
  EXPECT_EQ(moments(lines, "X", "request_handler", 0), Moments{"35.000"});
}

}  // namespace
}  // namespace upcr::observe
