// SPDX-License-Identifier: BSD-3-Clause
// A launcher other than upcrun (mpirun, srun) gives each process a slot in the job, by variables of its
// environment. Programs that the process starts inherit the variables, but the slot is in use: they are
// members of no job, and the launcher would mistake them for the process. Used by make_bootstrap.cpp and by
// upcrun. Main thread, set-up time.
#pragma once

namespace upcr {

// Notes in the environment that this process has joined a job in the slot that its launcher gave it, if any.
void mark_launcher_slot_used();

// True when a process that has taken this environment's place started this one, however many steps ago. Then
// the launcher's variables are gone, and so is the UPCR_CONDUIT of the other job: this one begins anew.
// Whoever has read the environment before reads it again.
bool leave_used_launcher_slot();

// Removes the launchers' variables from the environment. Settings of MPI stay.
void clear_launcher_environment();

}  // namespace upcr
