// SPDX-License-Identifier: BSD-3-Clause
// The job's environment as GASNet clients see it: that of the process that started the job, the same on every
// node. Any thread after take_environment(); before it, the process's own environment is used. Parsing and
// printing of values belong to the tools (gasnet/tools/environment.h).
#pragma once

namespace upcr {
class Bootstrap;
}

namespace upcr::gasnet {

// Collective, once, in gasnet_init(): copies the environment, rank 0's where processes differ.
void take_environment(Bootstrap& bootstrap);

// The job's value, else the process's, else null. The text is never freed.
char* job_getenv(const char* name);
// For a variable that the program sets in this process: job_getenv() returns this value. Null: the program
// has removed it, and job_getenv() returns the process's own value.
void set_environment(const char* name, const char* value);

}  // namespace upcr::gasnet
