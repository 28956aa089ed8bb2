// SPDX-License-Identifier: BSD-3-Clause
// The variables with which compiled code reads THREADS and MYTHREAD. Compiled twice: in the archives, for
// objects with one UPC thread a process; and with UPCRI_GUPC_TLS as an object of its own (upc-threads-tls.o),
// which is linked before them for objects of the pthreads model, where MYTHREAD and __upc_forall_depth are
// thread-local (a program has one kind: the other does not link).
#include "upcr/gccupc.h"
#include "upcr/gupc.h"

#ifdef UPCRI_GUPC_TLS
#  define PER_THREAD __thread
#else
#  define PER_THREAD
#endif

extern "C" {

// Constants for the program.
int THREADS;
PER_THREAD int MYTHREAD;
// UPC threads of each process in the pthreads model.
int UPC_PTHREADS;
// The depth of nested upc_forall loops of the calling thread, which compiled code counts.
PER_THREAD int __upc_forall_depth;

void upcri_gupc_enter(int threads, int mythread, int pthreads, int mypthread) {
#ifndef UPCRI_GUPC_TLS
  if (mypthread != 0)
    upcri_gupc_fatal(
        "cannot run several UPC threads in a process: the program was compiled for one "
        "(MYTHREAD is a plain variable); compile and link it for pthreads, or run one UPC "
        "thread per process (UPCR_PTHREADS=1)");
#endif
  // Every thread of a process stores the same.
  __atomic_store_n(&THREADS, threads, __ATOMIC_RELAXED);
  __atomic_store_n(&UPC_PTHREADS, pthreads, __ATOMIC_RELAXED);
  MYTHREAD = mythread;
}

}  // extern "C"
