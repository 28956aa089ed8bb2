// SPDX-License-Identifier: BSD-3-Clause
// Errors at the start of the job. Every process finds most of them and would print the same text; so until
// the job runs, one process of each host reports them, and other hosts do so later than the host of rank 0.
// This is state of the process, as the fatal filter (base/report/fatal_filter.hpp), and not of a job. Main
// thread.
#pragma once
#include <string>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// From now on fatal() calls is_error_reporter() before it prints. `topology` must outlive the start.
void report_errors_once(const std::string& job_id, const Topology& topology);
// The program runs: from now on each process prints its own errors.
void report_errors_everywhere();

// Is this process the one of its host that prints an error? It may wait before it returns, so that the host
// of rank 0 can report the error and end the job.
bool is_error_reporter();

}  // namespace upcr
