// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/host.hpp"

#include <strings.h>

#include <algorithm>

namespace upcrun {
namespace {

// An address has no labels: 10.0.0.1 and 10 are different.
bool is_address(const std::string& name) {
  return name.find_first_not_of("0123456789.") == name.npos || name.find(':') != name.npos;
}

}  // namespace

bool same_host_name(const std::string& a, const std::string& b) {
  if (::strcasecmp(a.c_str(), b.c_str()) == 0) return true;
  const std::string& shorter = a.size() < b.size() ? a : b;
  const std::string& longer = a.size() < b.size() ? b : a;
  return !shorter.empty() && shorter.find('.') == shorter.npos && !is_address(longer) &&
         longer[shorter.size()] == '.' && ::strncasecmp(shorter.c_str(), longer.c_str(), shorter.size()) == 0;
}

void add_host(std::vector<Host>& hosts, const Host& host) {
  const auto same = std::find_if(hosts.begin(), hosts.end(),
                                 [&host](const Host& h) { return same_host_name(h.name, host.name); });
  if (same == hosts.end())
    hosts.push_back(host);
  else
    same->slots = std::max(same->slots, 1u) + std::max(host.slots, 1u);
}

}  // namespace upcrun
