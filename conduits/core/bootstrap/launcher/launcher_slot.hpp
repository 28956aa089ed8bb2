// SPDX-License-Identifier: BSD-3-Clause
// The place in a job that a launcher other than upcrun (mpirun, srun) makes for one process, by variables of
// its environment. Programs that this process starts inherit the variables, but the place is taken: they are
// members of no job, and the launcher would take them for the process itself. Used by make_bootstrap.cpp and
// by upcrun. Main thread, set-up time.
#pragma once

namespace upcr {

// This process has joined a job in the place that its environment names, if it names one.
void mark_launcher_slot_used();

// True when a process that has taken this environment's place started this one, however many steps ago. Then
// the launcher's variables are gone, and so is the UPCR_CONDUIT of the other job: this one begins anew.
// Whoever has read the environment before reads it again.
bool leave_used_launcher_slot();

// Nothing in the environment looks as if this process were part of a job of mpirun's. Settings of MPI stay.
void clear_launcher_environment();

}  // namespace upcr
