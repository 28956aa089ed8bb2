#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heaplock_errors.sh UPCRUN PROGRAM: each mistake with a lock or an allocation ends the job, with its message
# and its position.
set -uo pipefail
upcrun=$1 program=$2
# shellcheck source=tests/gupc/check_error.sh
. "$(dirname "$0")/../check_error.sh"

expect() {
    local name=$1 output status
    shift
    output=$(UPCR_BACKTRACE=no "$upcrun" -n 2 "$program" "$name" 2>&1)
    status=$?
    check_error "$name" "$status" "$output" "$@"
}

expect null_lock "${prefix}upc_lock: the lock is a null pointer" 'UPC thread 1 of 2'
expect null_attempt "${prefix}upc_lock_attempt: the lock is a null pointer"
expect null_unlock "${prefix}upc_unlock: the lock is a null pointer"
expect null_lock_g "${prefix}upc_lock: the lock is a null pointer" 'null\.upc:61'
expect null_attempt_g "${prefix}upc_lock_attempt: the lock is a null pointer" 'null\.upc:62'
expect null_unlock_g "${prefix}upc_unlock: the lock is a null pointer" 'null\.upc:63'

expect not_held "${prefix}upc_unlock: the calling thread does not hold the lock" 'held\.upc:64'
expect twice "${prefix}upc_lock: the calling thread holds the lock .* already" 'twice\.upc:65'
expect freed_while_held "${prefix}upc_unlock: " 'freed\.upc:66'

expect free_twice "${prefix}upc_free: .* points .*not to the start of an object" 'free\.upc:67'
expect free_inside "${prefix}upc_free: .* points .*not to the start of an object"
expect free_variable "${prefix}upc_free: .* points to static shared data"
expect free_lock "${prefix}upc_free: .* points to memory that is free"
expect free_object_as_lock "${prefix}upc_lock_free: .* free it with upc_free" 'free\.upc:68'
expect free_part "${prefix}upc_free: .* UPC thread 1.s part of the global heap"
expect free_no_thread "${prefix}Thread number in shared address is out of range: thread 2, but THREADS is 2"
expect lock_no_thread "${prefix}Thread number in shared address is out of range: thread 3, but THREADS is 2"

expect heap_of_another "${prefix}upcr_heap_alloc: .* is not the calling thread's upcr_local_heap"
expect heap_not_global "${prefix}upcr_heap_alloc: .* is not upcr_global_heap, but is_global is true"
expect broadcast_put "${prefix}upcr_broadcast_put: only UPC thread 0 broadcasts"
expect word_of_three "${prefix}upcr_lock_put: 3 bytes"
expect word_nowhere "${prefix}upcr_lock_cswap: null pointer-to-shared"
expect word_no_thread "${prefix}upcr_lock_swap: .*there is no UPC thread 2"

for call in alloc global_alloc lock_alloc null_lock; do
    output=$(HEAPLOCK_EARLY=$call "$program" 2>&1)
    check_error "early $call" $? "$output" "^${prefix}UPC runtime not initialized"
done

echo "$cases mistakes"
exit $bad
