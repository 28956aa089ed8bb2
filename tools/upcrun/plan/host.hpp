// SPDX-License-Identifier: BSD-3-Clause
// A host of a job, and when two names are the same host's.
#pragma once
#include <string>
#include <vector>

namespace upcrun {

struct Host {
  std::string name;
  unsigned slots = 0;  // the most processes that it may get; 0: not given

  bool operator==(const Host&) const = default;
};

// Whether these are one host's names: equal, or one is the other's first label (n1 and n1.example.org).
bool same_host_name(const std::string& a, const std::string& b);
// Adds the host, or its slots to the entry that it has already.
void add_host(std::vector<Host>& hosts, const Host& host);

}  // namespace upcrun
