// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remote/tree.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {

unsigned launch_fanout() {
  const char* const value = std::getenv("UPCRUN_FANOUT");
  if (value == nullptr || *value == '\0') return kFanout;
  const std::string text(value);
  unsigned fanout = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fanout);
  if (error != std::errc() || end != text.data() + text.size() || fanout < 1)
    throw Failure{2, "UPCRUN_FANOUT=" + text +
                         ": expected a number from 1 on, of hosts that one process starts agents on"};
  return fanout;
}

std::vector<std::vector<Host>> split_hosts(const std::vector<Host>& hosts, unsigned fanout) {
  std::vector<std::vector<Host>> parts;
  const std::size_t count = std::min<std::size_t>(fanout, hosts.size());
  for (std::size_t i = 0; i < count; ++i)
    parts.emplace_back(hosts.begin() + static_cast<std::ptrdiff_t>(i * hosts.size() / count),
                       hosts.begin() + static_cast<std::ptrdiff_t>((i + 1) * hosts.size() / count));
  return parts;
}

unsigned processes_on(const std::vector<Host>& hosts) {
  unsigned count = 0;
  for (const Host& host : hosts) count += host.slots;
  return count;
}

}  // namespace upcrun
