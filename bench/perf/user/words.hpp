// SPDX-License-Identifier: BSD-3-Clause
// The words of a command line: "put:8..4M" is a test and its sizes, "1,2,4" a list of numbers.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perf::user {

struct Request {
  std::string test;
  std::vector<std::size_t> sizes;  // empty: the test's own
};

// Bytes with K, M, G (of 1024): "64K". Nothing for anything else.
std::optional<std::size_t> parse_size(const std::string& text);
// "8", "8,64,4K", "8..4M" (each power of two times the first), or a mixture; at most 1 GiB. Empty: wrong.
std::vector<std::size_t> parse_sizes(const std::string& text);
// "put" or "put:SIZES". Nothing, and *problem says why.
std::optional<Request> parse_request(const std::string& word, std::string* problem);

}  // namespace perf::user
