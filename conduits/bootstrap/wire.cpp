// SPDX-License-Identifier: BSD-3-Clause
// The hidden variable as text. Linked into the library and into upcrun.
#include "conduits/bootstrap/wire.hpp"

#include <cstdio>

namespace upcr::wire {

std::string JobVariable::format() const {
  return "fork:fd=" + std::to_string(fd) + ",rank=" + std::to_string(rank) + ",size=" + std::to_string(size) +
         ",threads=" + std::to_string(threads) + ",pthreads=" + std::to_string(pthreads) + ",id=" + id;
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
