// SPDX-License-Identifier: BSD-3-Clause
// A launcher other than upcrun (mpirun, srun) gives each process a slot in the job, by variables of its
// environment. Programs that the process starts inherit the variables, but the slot is in use: they are
// members of no job, and the launcher would mistake them for the process. Used by make_bootstrap.cpp and by
// upcrun. Main thread, set-up time.
#pragma once

namespace upcr {

// Notes in the environment that this process has joined a job in the slot that its launcher gave it, if any.
void mark_launcher_slot_used();

// True when an ancestor of this process has joined a job in this environment's slot. Then the launcher's
// variables are removed, and so is the UPCR_CONDUIT of that job: this process is a job of its own. A caller
// that has read the environment before must read it again.
bool clear_used_launcher_slot();

// Removes the launchers' variables from the environment. Settings of MPI stay.
void clear_launcher_environment();

}  // namespace upcr
