# SPDX-License-Identifier: BSD-3-Clause
# The events that a measurement tool receives from instrumented code.
upcr_gupc_test(entry_tool abi/entry_tool.c WAYS smp messages pthreads)
