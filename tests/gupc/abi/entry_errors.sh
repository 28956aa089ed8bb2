#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# entry_errors.sh UPCRUN PROGRAM: each mistake ends the job with the text, the values and the position that
# belong to it. Last, exit() ends a program with its status.
set -uo pipefail
upcrun=$1 program=$2
export UPCR_BACKTRACE=no
unset UPCR_THREADS
# shellcheck source=tests/gupc/check_error.sh
. "$(dirname "$0")/../check_error.sh"

# expect CASE PATTERN...: one thread makes the mistake. expect2: the second of two.
expect() { run_case "$program" "$@"; }
expect2() { run_case "$upcrun -n 2 $program" "$@"; }
run_case() {
    local command=$1 name=$2 output status
    shift 2
    output=$($command "$name" 2>&1)
    status=$?
    check_error "$name" "$status" "$output" "$@"
}
# early CALL [PATTERN]: made before main().
early() {
    local output status
    output=$(ENTRY_EARLY=$1 "$program" 2>&1)
    status=$?
    check_error "early $1" "$status" "$output" "^${prefix}UPC runtime not initialized" "${2:-.}"
}

null="${prefix}Invalid access via null shared pointer"
for name in null_{get,copy_from,copy_to,split}; do expect "$name" "$null: 4 bytes"; done
for name in null_{gets,getblk,putsblk,llvm}; do expect "$name" "$null: 8 bytes"; done
expect null_put "$null: 1 bytes"
expect null_puts "$null: 16 bytes"
expect null_get_g "$null: 4 bytes" 'null\.upc:17'
expect null_put_g "$null: 8 bytes" 'null\.upc:18'
expect null_copy_g "$null: 4 bytes" 'null\.upc:19'

thread="${prefix}Thread number in shared address is out of range"
expect2 thread_get "$thread: thread 2, but THREADS is 2"
for name in thread_{puts,getsblk,split,cast}; do expect "$name" "$thread: thread 1, but THREADS is 1"; done
expect thread_putblk_g "$thread" 'thread\.upc:21'
expect thread_split_negative "$thread: thread 18446744073709551615,"
expect thread_llvm "$thread: thread 8,"

range="${prefix}Virtual address in shared address is out of range"
for name in address_{get,put_below,getblk,getblk_huge,split,llvm,cast}; do
    expect "$name" "$range: .* of thread 0, which has 0x[0-9a-f]+ bytes"
done
expect address_copy_g "$range: 8 bytes" 'address\.upc:31'

expect2 affinity "${prefix}Invalid conversion of shared address to local pointer: .* thread 0, the caller is thread 1"
expect2 affinity_g 'Invalid conversion of shared address to local pointer' 'affinity\.upc:41'

expect notify_twice 'barrier notify: barrier 1 was notified already'
expect wait_first 'barrier wait: no notify came before'
expect barrier_inside 'barrier 1 was notified already' 'barrier\.upc:51'
expect wait_for_another 'barrier mismatch detected by thread 0: it notified barrier 1, but waits for barrier 2'
expect2 barrier_of_another 'barrier mismatch .*barrier [12],.* barrier [12]'

for call in get null llvm cast fence exit; do early "$call"; done
early barrier upc_barrier

# exit() of all threads: one that is not 0 is the job's.
for leave in 'exit 7' 'exit_g 8'; do
    output=$("$upcrun" -n 2 "$program" ${leave% *} 2>&1)
    status=$?
    if [ $status -ne ${leave#* } ] || [ -n "$output" ]; then echo "$leave: status $status: $output"; bad=1; fi
done

echo "$cases mistakes"
exit $bad
