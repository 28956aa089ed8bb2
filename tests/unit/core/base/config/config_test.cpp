// SPDX-License-Identifier: BSD-3-Clause
// Tables, the snapshot of the environment, validation and warnings; each case in a process of its own.
#include "conduits/core/base/config/config.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "conduits/core/base/config/config_parse.hpp"
#include "tests/support/child.hpp"

namespace upcr {
namespace {

using test::ChildResult;
using test::run_child;

constexpr ConfigVar kVars[] = {
    {"UPC_TEST_SIZE", ConfigType::kSize, "64MB", "a size for the test"},
    {"UPCR_TEST_FLAG", ConfigType::kBool, "yes", "a flag", nullptr, "GASNET_TEST_FLAG"},
    {"UPCR_TEST_COUNT", ConfigType::kInt, "2", "a count", "1..256"},
    {"UPCR_TEST_MODE", ConfigType::kChoice, "auto", "a choice", "auto|yes|no"},
    {"UPCR_TEST_NAME", ConfigType::kString, nullptr, "a text"},
    {"UPCR_TEST_BARE", ConfigType::kInt, nullptr, "a number without a default"},
    {"UPCR_TEST_HIDDEN", ConfigType::kString, nullptr, nullptr},
};
ConfigTable table("unit test", kVars);

ChildResult configured_with(std::initializer_list<std::pair<const char*, const char*>> variables,
                            void (*then)() = nullptr) {
  return run_child([&] {
    for (const auto& [name, value] : variables) setenv(name, value, 1);
    configure();
    check_config(true);
    if (then != nullptr) then();
  });
}

TEST(Config, FallbacksWhenNothingIsSet) {
  const ChildResult r = configured_with({}, [] {
    std::printf("%llu %d %lld %s %s %lld %d", static_cast<unsigned long long>(config_size("UPC_TEST_SIZE")),
                config_bool("UPCR_TEST_FLAG"), static_cast<long long>(config_int("UPCR_TEST_COUNT")),
                config_string("UPCR_TEST_MODE"), config_string("UPCR_TEST_NAME") == nullptr ? "null" : "set",
                static_cast<long long>(config_int("UPCR_TEST_BARE")), config_is_set("UPC_TEST_SIZE"));
  });
  EXPECT_TRUE(r.exited(0));
  EXPECT_EQ(r.out, "67108864 1 2 auto null 0 0");
  EXPECT_EQ(r.err, "");
}

TEST(Config, TheUsersValues) {
  const ChildResult r = configured_with(
      {{"UPC_TEST_SIZE", "3GB"},
       {"UPCR_TEST_FLAG", "Off"},
       {"UPCR_TEST_COUNT", "256"},
       {"UPCR_TEST_MODE", "YES"},
       {"UPCR_TEST_NAME", "a=b c"}},
      [] {
        std::printf("%llu %d %lld %s %s %d", static_cast<unsigned long long>(config_size("UPC_TEST_SIZE")),
                    config_bool("UPCR_TEST_FLAG"), static_cast<long long>(config_int("UPCR_TEST_COUNT")),
                    config_string("UPCR_TEST_MODE"), config_string("UPCR_TEST_NAME"),
                    config_is_set("UPC_TEST_SIZE"));
      });
  EXPECT_EQ(r.out, "3221225472 0 256 yes a=b c 1");
  EXPECT_EQ(r.err, "");
}

TEST(Config, NamesThatBeginAlikeAreDifferent) {
  const ChildResult r = configured_with({{"UPC_TEST_SIZE_MORE", "1"}, {"UPC_TEST_SIZ", "1"}}, [] {
    std::printf("%llu", static_cast<unsigned long long>(config_size("UPC_TEST_SIZE")));
  });
  EXPECT_EQ(r.out, "67108864");
}

TEST(Config, SetToNothingIsNotSet) {
  const ChildResult r = configured_with({{"UPC_TEST_SIZE", ""}, {"UPCR_TEST_NAME", ""}}, [] {
    std::printf("%llu %d %d", static_cast<unsigned long long>(config_size("UPC_TEST_SIZE")),
                config_string("UPCR_TEST_NAME") == nullptr, config_is_set("UPC_TEST_SIZE"));
  });
  EXPECT_EQ(r.out, "67108864 1 0");
  EXPECT_EQ(r.err, "");
}

TEST(Config, AliasWorksAndTheOwnNameWins) {
  const auto print = [] {
    std::printf("%d %d", config_bool("UPCR_TEST_FLAG"), config_is_set("UPCR_TEST_FLAG"));
  };
  EXPECT_EQ(configured_with({{"GASNET_TEST_FLAG", "no"}}, print).out, "0 1");
  EXPECT_EQ(configured_with({{"GASNET_TEST_FLAG", "no"}, {"UPCR_TEST_FLAG", "yes"}}, print).out, "1 1");
  EXPECT_EQ(configured_with({{"GASNET_TEST_FLAG", "no"}, {"UPCR_TEST_FLAG", ""}}, print).out, "0 1");
}

TEST(Config, WrongValuesAreFatalByName) {
  const struct {
    const char *name, *value, *message;
  } cases[] = {
      {"UPC_TEST_SIZE", "12Q", "UPC_TEST_SIZE=12Q: expected a number with K, M, G, KB, MB or GB"},
      {"UPC_TEST_SIZE", "16777216T", "UPC_TEST_SIZE=16777216T: expected a number with K, M, G, KB, MB or GB"},
      {"UPCR_TEST_FLAG", "maybe", "UPCR_TEST_FLAG=maybe: expected yes or no"},
      {"GASNET_TEST_FLAG", "2", "GASNET_TEST_FLAG=2: expected yes or no"},
      {"UPCR_TEST_COUNT", "257", "UPCR_TEST_COUNT=257: expected a whole number from 1 to 256"},
      {"UPCR_TEST_MODE", "never", "UPCR_TEST_MODE=never: expected auto, yes or no"},
      {"UPCR_BACKTRACE", "perhaps", "UPCR_BACKTRACE=perhaps: expected yes or no"},
  };
  for (const auto& c : cases) {
    const ChildResult r = configured_with({{c.name, c.value}});
    EXPECT_TRUE(r.exited(255)) << c.name;
    EXPECT_EQ(r.message(), std::string("UPC Runtime error: ") + c.message + " (pid PID)\n");
  }
}

TEST(Config, ProcessesThatDoNotReport) {
  const ChildResult warned = run_child([] {
    setenv("UPCR_TEST_FLAGG", "1", 1);
    configure();
    check_config(false);
  });
  EXPECT_TRUE(warned.exited(0));
  EXPECT_EQ(warned.err, "");
  // With a mistake they wait to be ended; if that does not happen, they report it themselves.
  const ChildResult fatal = run_child([] {
    setenv("UPCR_TEST_FLAG", "maybe", 1);
    configure();
    check_config(false);
  });
  EXPECT_TRUE(fatal.exited(255));
  EXPECT_EQ(fatal.message(), "UPC Runtime error: UPCR_TEST_FLAG=maybe: expected yes or no (pid PID)\n");
}

TEST(Config, UnknownNamesDrawAWarning) {
  const auto warning = [](const char* name) { return configured_with({{name, "1"}}).err; };
  EXPECT_EQ(warning("UPCR_TEST_FLAGG"),
            "UPC Runtime warning: unknown UPCR_TEST_FLAGG, did you mean UPCR_TEST_FLAG?\n");
  EXPECT_EQ(warning("UPCR_TSET_MODE"),
            "UPC Runtime warning: unknown UPCR_TSET_MODE, did you mean UPCR_TEST_MODE?\n");
  EXPECT_EQ(warning("UPCR_TEST_SIZE"),
            "UPC Runtime warning: unknown UPCR_TEST_SIZE, did you mean UPC_TEST_SIZE?\n");
  EXPECT_EQ(warning("UPCR_QUITE_ANOTHER_THING"),
            "UPC Runtime warning: unknown UPCR_QUITE_ANOTHER_THING; 'upcr_info -c' prints the variables\n");
  // Set by upcr's own tools: known, but not suggested to a user.
  EXPECT_EQ(warning("UPCR_TEST_HIDDEN"), "");
  EXPECT_EQ(warning("UPCR_TEST_HIDDEM").find("HIDDEN"), std::string::npos);
  // Prefixes that other software uses, too: a warning only where a name resembles one of upcr's.
  EXPECT_EQ(warning("UPC_TEST_SIZES"),
            "UPC Runtime warning: unknown UPC_TEST_SIZES, did you mean UPC_TEST_SIZE?\n");
  EXPECT_EQ(warning("GASNET_TSET_FLAG"),
            "UPC Runtime warning: unknown GASNET_TSET_FLAG, did you mean GASNET_TEST_FLAG?\n");
  EXPECT_EQ(warning("UPC_OTHER_THING"), "");
  EXPECT_EQ(warning("GASNET_OTHER"), "");
  EXPECT_EQ(warning("UPCRI_INTERNAL"), "");
}

TEST(Config, TheValueIsThatOfConfigure) {
  const ChildResult r = configured_with({{"UPCR_TEST_NAME", "early"}}, [] {
    const char* early = config_string("UPCR_TEST_NAME");
    setenv("UPCR_TEST_NAME", "late", 1);
    setenv("UPCR_TEST_COUNT", "junk", 1);
    std::printf("%s %lld ", config_string("UPCR_TEST_NAME"),
                static_cast<long long>(config_int("UPCR_TEST_COUNT")));
    setenv("UPCR_TEST_COUNT", "7", 1);
    configure();  // copies the environment again; the old pointer stays valid
    std::printf("%s %lld %s", config_string("UPCR_TEST_NAME"),
                static_cast<long long>(config_int("UPCR_TEST_COUNT")), early);
  });
  EXPECT_EQ(r.out, "early 2 late 7 early");
}

TEST(Config, WorksBeforeConfigure) {
  const ChildResult good = run_child([] {
    setenv("UPCR_TEST_COUNT", "5", 1);
    std::printf("%lld", static_cast<long long>(config_int("UPCR_TEST_COUNT")));
  });
  EXPECT_EQ(good.out, "5");
  const ChildResult bad = run_child([] {
    setenv("UPCR_TEST_COUNT", "five", 1);
    (void)config_int("UPCR_TEST_COUNT");
  });
  EXPECT_TRUE(bad.exited(255));
  EXPECT_EQ(bad.message(),
            "UPC Runtime error: UPCR_TEST_COUNT=five: expected a whole number from 1 to 256 (pid PID)\n");
}

TEST(Config, InternalErrorsNameTheVariable) {
  const ChildResult unknown = run_child([] { (void)config_int("UPCR_NOBODY_DECLARED"); });
  EXPECT_TRUE(unknown.exited(255));
  EXPECT_EQ(
      unknown.message(),
      "UPC Runtime error: internal error: the variable UPCR_NOBODY_DECLARED is in no configuration table "
      "(pid PID)\n");
  const ChildResult type = run_child([] { (void)config_bool("UPCR_TEST_COUNT"); });
  EXPECT_EQ(type.message(),
            "UPC Runtime error: internal error: the variable UPCR_TEST_COUNT is of another type (pid PID)\n");
}

TEST(Config, PrintsText) {
  const ChildResult r = run_child([] {
    setenv("UPCR_TEST_COUNT", "1000", 1);
    setenv("UPCR_TEST_NAME", "x", 1);
    print_config(ConfigFormat::kText);
  });
  EXPECT_TRUE(r.exited(0));
  for (const char* expected :
       {"unit test\n", "  UPC_TEST_SIZE = 64MB\n      a size for the test (a size)\n",
        "  UPCR_TEST_FLAG = yes\n      a flag (yes or no), also GASNET_TEST_FLAG\n",
        "  UPCR_TEST_COUNT = 1000   [set; default 2]   [WRONG: expected a whole number from 1 to 256]\n",
        "  UPCR_TEST_NAME = x   [set; default unset]\n", "  UPCR_TEST_BARE = (unset)\n",
        "  UPCR_LOG_LEVEL = warn\n"})
    EXPECT_NE(r.out.find(expected), r.out.npos) << expected << "--- not in ---\n" << r.out;
}

TEST(Config, PrintsMarkdownThatDependsOnTheTablesOnly) {
  const auto print = [] { print_config(ConfigFormat::kMarkdown); };
  const std::string plain = run_child(print).out;
  const std::string with_values = run_child([&] {
                                    setenv("UPCR_TEST_COUNT", "9", 1);
                                    print();
                                  }).out;
  EXPECT_EQ(plain, with_values);
  for (const char* expected :
       {"# Environment variables\n",
        "\n## unit test\n| variable | value | default | meaning |\n|---|---|---|---|\n",
        "| `UPCR_TEST_FLAG`<br>`GASNET_TEST_FLAG` | yes or no | `yes` | a flag |\n",
        "| `UPCR_TEST_NAME` | text | unset | a text |\n",
        "| `UPCR_TEST_MODE` | auto, yes or no | `auto` | a choice |\n"})
    EXPECT_NE(plain.find(expected), plain.npos) << expected << "--- not in ---\n" << plain;
  EXPECT_EQ(plain.find("UPCR_TEST_HIDDEN"), plain.npos);
}

// Over every table that is linked in here.
TEST(Config, TablesAreSound) {
  std::set<std::string> names;
  for (const ConfigTable* t = ConfigTable::first(); t != nullptr; t = t->next()) {
    for (const ConfigVar& var : t->vars()) {
      EXPECT_TRUE(names.insert(var.name).second) << var.name << " is declared twice";
      if (var.alias != nullptr)
        EXPECT_TRUE(names.insert(var.alias).second) << var.alias << " is declared twice";
      if (var.help != nullptr) {
        EXPECT_NE(*var.help, '\0') << var.name;
        EXPECT_EQ(std::strpbrk(var.help, "|\n"), nullptr) << var.name << ": the help is one cell of a table";
      }
      EXPECT_TRUE(var.type != ConfigType::kChoice || var.choices != nullptr) << var.name;
      std::string expected;
      EXPECT_TRUE(var.fallback == nullptr || valid_value(var, var.fallback, &expected)) << var.name;
    }
  }
  EXPECT_TRUE(names.contains("UPCR_LOG_LEVEL"));
  EXPECT_TRUE(names.contains("GASNET_FREEZE"));
  EXPECT_TRUE(names.contains("GASNET_BACKTRACE"));
}

}  // namespace
}  // namespace upcr
