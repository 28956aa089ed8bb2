// SPDX-License-Identifier: BSD-3-Clause
// gasnett_maximize_rlimit*: soft limits raised to the hard ones.
#include <sys/resource.h>

#include <string>

#include "include/gasnet/tools/environment.h"
#include "include/gasnet/tools/system.h"

namespace {

struct Limit {
  int resource;
  const char* name;
};
// Not the stack's: raising it changes the addresses of the kernel's mappings. Not that of core files, which
// is the user's choice.
constexpr Limit kLimits[] = {{RLIMIT_CPU, "RLIMIT_CPU"},         {RLIMIT_FSIZE, "RLIMIT_FSIZE"},
                             {RLIMIT_DATA, "RLIMIT_DATA"},       {RLIMIT_RSS, "RLIMIT_RSS"},
                             {RLIMIT_NPROC, "RLIMIT_NPROC"},     {RLIMIT_NOFILE, "RLIMIT_NOFILE"},
                             {RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK"}, {RLIMIT_AS, "RLIMIT_AS"}};

}  // namespace

extern "C" {

int gasnett_maximize_rlimit(int res, const char* desc) {
  if (!gasnett_getenv_yesno_withdefault((std::string("GASNET_MAXIMIZE_") + desc).c_str(), 1)) return 1;
  const auto resource = static_cast<__rlimit_resource_t>(res);
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return 0;
  if (limit.rlim_cur == limit.rlim_max) return 1;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0;
}

int gasnett_maximize_rlimits(void) {
  int done = 1;
  for (const Limit& limit : kLimits) done &= gasnett_maximize_rlimit(limit.resource, limit.name);
  return done;
}

}  // extern "C"
