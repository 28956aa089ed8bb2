// SPDX-License-Identifier: BSD-3-Clause
// One report of an error a job. What one process finds others often find at the same moment, above all at
// the start of the job: the first one of each host prints, and says how many others there were; other hosts
// print later than the host of rank 0. With UPCR_ALL_ERRORS each process prints once the program runs.
// This is state of the process, as the fatal filter (base/report/fatal_filter.hpp), and not of a job. Main
// thread.
#pragma once
#include <string>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// From now on fatal() calls is_error_reporter() before it prints. `topology` must outlive the start.
void report_errors_once(const std::string& job_id, const Topology& topology);
// The program runs.
void report_errors_of_program();

// Is this process the one of its host that prints an error? It may wait before it returns, so that the host
// of rank 0 can report the error and end the job.
bool is_error_reporter();
// How many processes of this host have got false since this one has got true. Waits for some moments.
unsigned count_other_errors();

}  // namespace upcr
