#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh LIBRARY EMULATED_FABRIC COMMAND...: COMMAND with the emulated libibverbs of the folder LIBRARY, and a fabric of
# its own. Skipped (77) where processes cannot reach each other's memory.
set -u
library=$1 fabric=$2
shift 2
"$fabric" possible || exit
parent=/dev/shm
[ -w $parent ] || parent=${TMPDIR:-/tmp}
EMULATED_VERBS_DIR=$(mktemp -d "$parent/upcr-verbs.XXXXXX") || exit
trap 'rm -rf "$EMULATED_VERBS_DIR"' EXIT
export EMULATED_VERBS_DIR EMULATED_FABRIC=$fabric
export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# librdmacm is not emulated.
export UPCR_IBV_CONNECT_BY=ud UPCR_PSHM=${UPCR_PSHM:-no}
"$@"
