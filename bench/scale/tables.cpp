// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/startup.hpp"

#include <cstdio>
#include <string>

#include "conduits/core/model/topology.hpp"

namespace upcr::scale {
namespace {

constexpr std::uint64_t kRanks[] = {1024, 65536, 1048576};

std::string size_text(std::uint64_t bytes) {
  char text[32];
  if (bytes < 1024)
    std::snprintf(text, sizeof text, "%llu B", static_cast<unsigned long long>(bytes));
  else if (bytes < std::uint64_t{1} << 20)
    std::snprintf(text, sizeof text, "%.4g KiB", static_cast<double>(bytes) / 1024);
  else
    std::snprintf(text, sizeof text, "%.4g MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

std::string row(const std::string& what, const std::string& each, const auto& bytes_at) {
  std::string line = "| " + what + " | " + each + " |";
  for (const std::uint64_t ranks : kRanks) line += " " + size_text(bytes_at(ranks)) + " |";
  return line + "\n";
}

}  // namespace

std::string table_of_memory() {
  std::string text =
      "| table | bytes for each rank | at 1,024 | at 65,536 | at 1,048,576 |\n|---|---|---|---|---|\n";
  std::size_t host = 0, own = 0;
  for (const SharedTable& table : kSharedTables) {
    host += table.bytes;
    text += row(table.what, std::to_string(table.bytes), [&](std::uint64_t n) { return n * table.bytes; });
  }
  text += row("**each host**, in memory that its processes share", std::to_string(host),
              [&](std::uint64_t n) { return n * host; });
  // Computed from the numbers of ranks and slots where every rank has as many threads.
  const std::size_t topology = FirstSlots::regular(1, 1).table_bytes() + RankOfSlot::regular(1).table_bytes();
  text +=
      row("ranks and slots (`Topology`)", std::to_string(topology), [&](std::uint64_t) { return topology; });
  for (const SharedTable& table : kOwnTables) {
    own += table.bytes;
    text += row(table.what, std::to_string(table.bytes), [&](std::uint64_t n) { return n * table.bytes; });
  }
  text +=
      row("**each process**, beside these", std::to_string(own), [&](std::uint64_t n) { return n * own; });
  return text;
}

}  // namespace upcr::scale
