# SPDX-License-Identifier: BSD-3-Clause
"""The tests of the other files for jobs that mpirun starts, with the MPI library that the first argument names: all of
them with MPICH, which is quick, and a selection with Open MPI."""
import shutil
import sys
import unittest

import support
import test_end
import test_kill
import test_output
import test_use

LIBRARY = sys.argv.pop(1)
MPIRUN = {"openmpi": "mpirun.openmpi", "mpich": "mpiexec.hydra"}[LIBRARY]
CASES = {
    "mpich": [(test_end.Status,), (test_end.BadEnds,), (test_output.Lines,),
              (test_end.Scripts, "test_that_hides_the_status", "test_that_continues_after_the_program", "test_that_exits_first",
               "test_two_programs", "test_background_processes_are_ended", "test_job_in_a_job"),
              (test_output.Input,), (test_end.SmallStack,),
              (test_output.Readers, "test_slow_reader_loses_nothing", "test_reader_leaves"),
              (test_kill.Signals, "test_to_upcrun", "test_passed_on", "test_stopped_and_continued", "test_buffered_output_appears"),
              (test_kill.Kill, "test_worker", "test_several_workers", "test_stopped_worker",
               "test_files_are_flushed_when_upcrun_dies"),
              (test_kill.Unkillable,),
              (test_use.WithoutUpcrun, "test_children_of_the_program_are_not_members")],
    "openmpi": [(test_end.Status, "test_of_a_job", "test_slow_report_of_an_error", "test_all_processes_flush"),
                (test_end.BadEnds, "test_killed_with_pthreads", "test_closes_its_descriptor"),
                (test_end.Scripts, "test_that_continues_after_the_program", "test_two_programs"),
                (test_output.Lines, "test_label", "test_order_of_a_process"),
                (test_output.Input, "test_reaches_thread_0_only", "test_much"),
                (test_kill.Signals, "test_passed_on", "test_stopped_and_continued", "test_control_c"),
                (test_kill.Kill, "test_worker", "test_several_workers", "test_stopped_worker"),
                (test_use.WithoutUpcrun, "test_children_of_the_program_are_not_members")],
}


def tests():
    support.Case.launch_options = ["--conduit", "mpi"]
    support.Case.settings = {"UPCR_MPI_LIBRARY": LIBRARY}
    for case, *names in CASES[LIBRARY]:
        yield from (case(name) for name in names or unittest.defaultTestLoader.getTestCaseNames(case))


if __name__ == "__main__":
    if shutil.which(MPIRUN) is None:
        print(f"SKIP: no {MPIRUN} here")
        sys.exit(77)
    sys.exit(not support.run_together(tests()))
