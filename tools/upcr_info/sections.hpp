// SPDX-License-Identifier: BSD-3-Clause
// The sections of upcr_info's output, one function for each option. Called by main.cpp only.
#pragma once

// No option: version, pointer layout, limits, conduits, this machine.
void print_summary();

// --heap and --network: the heaps, or the network, of a job started with these arguments. Both end the
// process as a UPC program ends.
int print_heap(int argc, char** argv);
int print_network(int argc, char** argv);

// --job: what the threads of a running job do, asked of its upcrun by the pid of any of its processes.
// Returns the exit status.
int print_job(int pid);
