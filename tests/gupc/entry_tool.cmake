# SPDX-License-Identifier: BSD-3-Clause
# What a measurement tool hears of instrumented code.
upcr_gupc_test(entry_tool abi/entry_tool.c WAYS smp messages pthreads)
