// SPDX-License-Identifier: BSD-3-Clause
// Errors of the job's start. Most of them every process finds, and all print the same; so until the job runs
// one process speaks for all: the first of its host, and a host after the one of rank 0. Main thread.
#pragma once
#include <string>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// From now on fatal() asks is_error_reporter() first. `topology` must outlive the start.
void report_errors_once(const std::string& job_id, const Topology& topology);
// The program runs: from now on each process speaks for itself.
void report_errors_everywhere();

// Whether this process is the one that prints an error, which it may decide only after a while: others get
// the time to say it and to end the job.
bool is_error_reporter();

}  // namespace upcr
