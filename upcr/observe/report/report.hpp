// SPDX-License-Identifier: BSD-3-Clause
// The counts of a job's UPC threads together, and what is made of them: a JSON file with everything, and a
// summary for a terminal.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "upcr/observe/block.hpp"

namespace upcr::observe {

struct Line {
  std::string file;  // empty: not known
  int line = 0;
  Kind kind{};
  Counts counts{};
};

// What a thread did to the memory of one thread.
struct PairProfile {
  std::uint32_t thread = 0;
  PairKind sum{};               // of all kinds but messages
  std::vector<PairKind> kinds;  // messages are last
  std::array<std::uint64_t, kBuckets> sizes{};
};

struct ThreadProfile {
  BlockHeader header{};
  std::string host;
  std::vector<Line> lines;
  std::vector<PairProfile> pairs;  // with what is not 0, by `thread`
  bool killed = false;             // or its process crashed or reported an error: it has ended the job
};

struct Profile {
  std::string program, conduit;
  unsigned threads_of_job = 0;
  bool complete = false;  // every thread ended its program in order
  std::vector<ThreadProfile> threads;

  // Adds a block (block.hpp). False: it is none.
  bool add(const std::vector<char>& block);
};

// Adds up counts.
void add(Counts& sum, const Counts& other) noexcept;

// False: errno says why.
bool write_json(const Profile& profile, const char* file);
// `file`: where the details are; empty: nowhere.
std::string summary_of(const Profile& profile, const std::string& file);

}  // namespace upcr::observe
