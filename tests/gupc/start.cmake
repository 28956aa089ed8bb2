# SPDX-License-Identifier: BSD-3-Clause
# Sections, start-up, switches.
upcr_gupc_test(start start.c start_other.c WAYS smp messages pthreads debug ARGS -heap 2M -- -x y)
