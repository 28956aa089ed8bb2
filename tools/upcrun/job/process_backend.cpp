// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/process_backend.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <cstdio>

namespace upcrun {
namespace {

std::string new_job_id() {
  unsigned long random = 0;
  (void)!::getrandom(&random, sizeof random, 0);
  char text[64];
  std::snprintf(text, sizeof text, "%d-%016lx", static_cast<int>(::getpid()), random);
  return text;
}

}  // namespace

upcr::wire::JobVariable describe_job(const Plan& plan) {
  upcr::wire::JobVariable job;
  job.size = plan.processes;
  job.threads = plan.options.threads;
  job.pthreads = plan.pthreads;
  job.id = new_job_id();
  return job;
}

}  // namespace upcrun
