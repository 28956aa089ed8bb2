// SPDX-License-Identifier: BSD-3-Clause
// The header that a message names declares the name: checked for every name of UPC's headers, and for a
// sample of the C library's.
#include "tools/upc2c/diag/header_hints.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

const std::filesystem::path kHeaders = std::string(UPC2C_SOURCE_DIR) + "/include/upcr_preinclude";

// Names that the header declares or defines, one by one.
std::set<std::string> declared_in(const std::filesystem::path& header) {
  const std::string text = read_file(header);
  std::set<std::string> out;
  for (const char* pattern : {R"(extern [^;(]*?\b(b?upc_\w+)\()", R"(typedef [^;{]*?\b(b?upc_\w+);)",
                              R"(\} (b?upc_\w+);)", R"(#define ((?:B?UPC)_\w+) )"}) {
    const std::regex expression(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
      out.insert((*at)[1]);
  }
  return out;
}

// A header with those of this folder that it includes.
void add_with_included(const std::string& name, std::set<std::string>& files) {
  if (!std::filesystem::exists(kHeaders / name) || !files.insert(name).second) return;
  const std::string text = read_file(kHeaders / name);
  const std::regex expression(R"(#include <(\w+\.h)>)");
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    add_with_included((*at)[1], files);
}

TEST(HeaderHints, EveryNameOfUpcsHeadersIsDeclaredWhereTheHintSays) {
  unsigned names = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kHeaders)) {
    const std::string header = entry.path().filename();
    if (header == "pupc.h" || header == "bupc_proposal_names.h" || header.ends_with("_names.h") ||
        header.ends_with("_macros.h"))
      continue;
    for (const std::string& name : declared_in(entry.path())) {
      if (name.starts_with("bupc_all_") && header == "upc_collective.h")
        continue;  // what the collectives are in C
      if (name.starts_with("BUPC_DECLARE") || name.starts_with("BUPC_ATOMIC_")) continue;
      std::set<std::string> files;
      add_with_included(std::string(header_of(name)), files);
      EXPECT_TRUE(files.count(header) == 1) << name << " of " << header << ", hint: " << header_of(name);
      names++;
    }
  }
  EXPECT_GT(names, 150u);
}

TEST(HeaderHints, CollectivesOfEveryType) {
  for (const char* name :
       {"upc_all_broadcast", "upc_all_reduceD", "upc_all_prefix_reduceUL", "upc_all_gather_all"})
    EXPECT_EQ(header_of(name), "upc_collective.h") << name;
  EXPECT_EQ(header_of("upc_all_fread_shared"), "upc_io.h");
  EXPECT_EQ(header_of("upc_all_lock_alloc"), "upc.h");
  EXPECT_EQ(header_of("bupc_allv_reduce"), "bupc_collectivev.h");
  EXPECT_EQ(header_of("bupc_atomicI64_fetchadd_strict"), "bupc_atomics.h");
}

TEST(HeaderHints, CLibrary) {
  EXPECT_EQ(header_hint("printf"), "; <stdio.h> declares it");
  EXPECT_EQ(header_of("print"), "");
  EXPECT_EQ(header_of("FILE"), "stdio.h");
  EXPECT_EQ(header_of("uint64_t"), "stdint.h");
  EXPECT_EQ(header_of("my_function"), "");
  EXPECT_EQ(header_hint("my_function"), "");
  EXPECT_EQ(header_of(""), "");
  EXPECT_FALSE(is_upc_header(header_of("strlen")));
  EXPECT_TRUE(is_upc_header(header_of("bupc_tick_t")));
}

TEST(HeaderHints, NamesOfUpcThatAreMisspelt) {
  const char* const rows[][2] = {{"upc_foral", "upc_forall"},
                                 {"upc_barier", "upc_barrier"},
                                 {"upc_all_aloc", "upc_all_alloc"},
                                 {"upc_mem_get", "upc_memget"},
                                 {"MYTHREADS", "MYTHREAD"},
                                 {"mythread", "MYTHREAD"},
                                 {"THREAD", "THREADS"},
                                 {"upc_lockt_t", "upc_lock_t"},
                                 {"upc_unlok", "upc_unlock"},
                                 {"UPC_FORALL", "upc_forall"},
                                 {"upc_blocksize_of", "upc_blocksizeof"}};
  for (const auto& [name, meant] : rows)
    EXPECT_EQ(header_hint(name), "; did you mean '" + std::string(meant) + "'?") << name;
  for (const char* name : {"upc_total", "thread", "forall_done", "up", "MYTHREE", "lock", "upc_my_function"})
    EXPECT_EQ(header_hint(name), "") << name;
}

}  // namespace
}  // namespace upc2c
