// SPDX-License-Identifier: BSD-3-Clause
// Log levels and lines.
#include "conduits/core/base/report/log.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "conduits/core/base/config/config.hpp"
#include "tests/support/child.hpp"

namespace upcr {
namespace {

using test::ChildResult;
using test::run_child;

LogComponent log_alpha("alpha");
LogComponent log_beta("beta");

// The levels that are on: one letter each for alpha, then for beta.
std::string enabled() {
  std::string text;
  for (const LogComponent* c : {&log_alpha, &log_beta}) {
    for (int level = 0; level <= static_cast<int>(LogLevel::kTrace); ++level)
      if (c->enabled(static_cast<LogLevel>(level))) text += "fewidt"[level];
    text += ' ';
  }
  return text;
}

std::string enabled_with(const char* levels) {
  return run_child([=] {
           if (levels != nullptr) setenv("UPCR_LOG_LEVEL", levels, 1);
           configure();
           std::printf("%s", enabled().c_str());
         })
      .out;
}

TEST(Log, WarningsAreOnByDefault) { EXPECT_EQ(enabled_with(nullptr), "few few "); }

TEST(Log, LevelsForAllAndForOne) {
  EXPECT_EQ(enabled_with("trace"), "fewidt fewidt ");
  EXPECT_EQ(enabled_with("fatal"), "f f ");
  EXPECT_EQ(enabled_with("alpha:debug"), "fewid few ");
  EXPECT_EQ(enabled_with("alpha:debug,error"), "fewid fe ");
  EXPECT_EQ(enabled_with("error,alpha:debug"), "fewid fe ");
  EXPECT_EQ(enabled_with("alpha:debug,beta:fatal,info"), "fewid f ");
  EXPECT_EQ(enabled_with("alpha:debug,alpha:error"), "fe few ");
}

TEST(Log, AComponentThatComesLaterGetsItsLevel) {
  const ChildResult r = run_child([] {
    setenv("UPCR_LOG_LEVEL", "gamma:debug", 1);
    configure();
    static LogComponent late("gamma");
    std::printf("%d%d", late.enabled(LogLevel::kDebug), late.enabled(LogLevel::kTrace));
  });
  EXPECT_EQ(r.out, "10");
}

TEST(Log, WrongLevelsAreFatal) {
  for (const char* levels : {"loud", "alpha:", "alpha:loud", "warn,,info", "alpha:debug:trace", ":loud"}) {
    const ChildResult r = run_child([=] {
      setenv("UPCR_LOG_LEVEL", levels, 1);
      configure();
      check_config(true);
    });
    EXPECT_TRUE(r.exited(255)) << levels;
    EXPECT_EQ(r.message(),
              std::string("UPC Runtime error: UPCR_LOG_LEVEL=") + levels +
                  ": expected fatal, error, warn, info, debug or trace, COMPONENT:LEVEL, or a list of "
                  "these with commas (pid PID)\n");
  }
}

TEST(Log, UnknownComponentsDrawAWarning) {
  const ChildResult r = run_child([] {
    setenv("UPCR_LOG_LEVEL", "alpha:debug,aplha:debug", 1);
    configure();
    check_config(true);
  });
  EXPECT_TRUE(r.exited(0));
  EXPECT_EQ(
      r.err,
      "UPC Runtime warning: UPCR_LOG_LEVEL: there is no component 'aplha'; 'upcr_info -c' prints them\n");
}

TEST(Log, ComponentsArePrintedInOrder) {
  const std::string text = run_child([] { print_config(ConfigFormat::kText); }).out;
  EXPECT_NE(text.find("components of UPCR_LOG_LEVEL\n  alpha, "), text.npos) << text;
  EXPECT_NE(text.find(", beta"), text.npos) << text;
}

TEST(Log, LinesNameRankComponentAndLevel) {
  const ChildResult r = run_child([] {
    setenv("UPCR_LOG_LEVEL", "alpha:debug", 1);
    configure();
    UPCR_LOG(log_alpha, kDebug, "before %d", 1);
    set_log_rank(1, 4);
    errno = ENOENT;
    UPCR_LOG(log_alpha, kDebug, "short request to %d", 2);
    UPCR_LOG(log_alpha, kError, "%s", std::string(3000, 'x').c_str());
    if (errno != ENOENT) _exit(1);
    UPCR_LOG(log_alpha, kTrace, "not shown");
    UPCR_LOG(log_beta, kDebug, "not shown");
  });
  EXPECT_TRUE(r.exited(0));
  const std::size_t third = r.err.find("[upcr 1/4 alpha error]");
  ASSERT_NE(third, r.err.npos) << r.err;
  EXPECT_EQ(r.err.substr(0, third),
            "[upcr alpha debug] before 1\n[upcr 1/4 alpha debug] short request to 2\n");
  // Too long: cut, and still a line.
  EXPECT_EQ(r.err.back(), '\n');
  EXPECT_LT(r.err.size() - third, 1100u);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 3);
}

TEST(Log, ArgumentsAreNotEvaluatedWhenOff) {
  int evaluated = 0;
  UPCR_LOG(log_beta, kTrace, "%d", ++evaluated);
  EXPECT_EQ(evaluated, 0);
}

}  // namespace
}  // namespace upcr
