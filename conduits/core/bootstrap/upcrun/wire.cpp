// SPDX-License-Identifier: BSD-3-Clause
// Texts of the protocol of wire.hpp. Linked into the library and into upcrun.
#include "conduits/core/bootstrap/upcrun/wire.hpp"

#include <charconv>
#include <cstdio>
#include <system_error>

namespace upcr::wire {

std::string JobVariable::format() const {
  return "fork:fd=" + std::to_string(fd) + ",rank=" + std::to_string(rank) + ",size=" + std::to_string(size) +
         ",threads=" + std::to_string(threads) + ",pthreads=" + std::to_string(pthreads) + ",id=" + id;
}

std::string format_file(unsigned long long device, unsigned long long inode, const std::string& path) {
  return std::to_string(device) + " " + std::to_string(inode) + " " + path;
}

bool parse_file(std::string_view text, unsigned long long* device, unsigned long long* inode,
                std::string* path) {
  const char* const end = text.data() + text.size();
  const auto [behind_device, first] = std::from_chars(text.data(), end, *device);
  if (first != std::errc() || behind_device == end || *behind_device != ' ') return false;
  const auto [behind, second] = std::from_chars(behind_device + 1, end, *inode);
  if (second != std::errc() || end - behind < 2 || behind[0] != ' ' || behind[1] != '/') return false;
  path->assign(behind + 1, end);
  return path->find('\0') == std::string::npos;
}

bool JobVariable::parse(const char* text, JobVariable* out) {
  JobVariable v;
  char id[128];
  if (std::sscanf(text, "fork:fd=%d,rank=%u,size=%u,threads=%u,pthreads=%u,id=%127s", &v.fd, &v.rank, &v.size,
                  &v.threads, &v.pthreads, id) != 6)
    return false;
  v.id = id;
  if (v.fd < 0 || v.rank >= v.size || v.pthreads == 0 || v.threads == 0) return false;
  if (v.size != v.threads / v.pthreads + (v.threads % v.pthreads != 0)) return false;
  *out = v;
  return true;
}

}  // namespace upcr::wire
