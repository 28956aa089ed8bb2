#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# misuse_access.sh UPCRUN PROGRAM THREADS_PROGRAM: each mistake ends a job of two nodes with its message.
set -u
upcrun=$1 program=$2
failed=0
check() { # check MISTAKE WORDS
    output=$("$upcrun" -n 2 --timeout 100 "$program" "$1" 2>&1)
    status=$?
    if [ $status -eq 0 ] || ! grep -qE -- "FATAL ERROR: $2" <<<"$output"; then
        echo "FAILED: $1: status $status, expected '$2' in"
        echo "$output"
        failed=1
    fi
}
check early 'gasnet_wait_syncnbi_all called before'
check node 'gasnet_put: node 2 is out of range: this job has the nodes 0 to 1'
check before 'gasnet_get_bulk: the address 0x[0-9a-f]+ on node 1, with 8 bytes, is out of its segment, 0x[0-9a-f]+ to 0x'
check behind 'gasnet_put_nbi: the address 0x[0-9a-f]+ on node 1, with 8 bytes'
check memset 'gasnet_memset: the address 0x[0-9a-f]+ on node 1, with 1 bytes'
check width 'gasnet_put_val: a value of 9 bytes'
check twice 'gasnet_wait_syncnb: the handle .* was synchronised already'
check again 'gasnet_try_syncnb: the handle .* was synchronised already'
check garbage 'gasnet_wait_syncnb: .* is not the handle of an operation'
check nested 'gasnet_begin_nbi_accessregion in an access region'
check end 'gasnet_end_nbi_accessregion without'
check inside 'gasnet_wait_syncnbi_all in an access region'
check lock 'gasnet_get'
check sums 'gasnet_putv_bulk: the destination has 6 bytes, the source 7'
check vector 'gasnet_getv_bulk: the address .* with 2 bytes, is out of its segment'
check indexed 'gasnet_puti_nbi_bulk: the address .* with 5 bytes, is out of its segment'
check stride 'gasnet_puts_bulk: dststrides\[0\] is 4, less than the 8 bytes'
check strided 'gasnet_puts_bulk: the address .* with 16 bytes, is out of its segment'

program=$3
export GASNET_MAX_THREADS=256
check 290 '[0-9]+ threads of this node use GASNet at the same time, but GASNET_MAX_THREADS is 256'
export GASNET_MAX_THREADS=10
check 20 '[0-9]+ threads of this node use GASNet at the same time, but GASNET_MAX_THREADS is 10'
exit $failed
