// SPDX-License-Identifier: BSD-3-Clause
// The job's environment as GASNet clients see it: what the variables were where the job was started, the same
// on every node. Any thread after take_environment(); before it, the process's own environment is used. How
// values are read and shown is the tools' (gasnet/tools/environment.h).
#pragma once

namespace upcr {
class Bootstrap;
}

namespace upcr::gasnet {

// Collective, once, in gasnet_init(): keeps the environment, rank 0's where processes differ.
void take_environment(Bootstrap& bootstrap);

// The job's value, else the process's, else null. Kept memory.
char* job_getenv(const char* name);
// The program set a variable of this process: job_getenv() sees that, whatever the job's value is. A null
// value: removed, so that the process's own counts.
void set_environment(const char* name, const char* value);

}  // namespace upcr::gasnet
