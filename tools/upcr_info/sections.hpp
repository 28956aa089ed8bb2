// SPDX-License-Identifier: BSD-3-Clause
// What upcr_info can print, one function for each option, to stdout. For main.cpp only.
#pragma once

// No option: version, pointer layout, limits, conduits, this machine.
void print_summary();

// --heap: the heaps of a job started with these arguments. Ends the process as a UPC program does.
int print_heap(int argc, char** argv);
int print_network(int argc, char** argv);
