# SPDX-License-Identifier: BSD-3-Clause
# upc_forall.
upcr_gupc_test(forall abi/forall.c WAYS smp pthreads THREADS 4)
