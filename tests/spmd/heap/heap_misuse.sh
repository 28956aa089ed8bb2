#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heap_misuse.sh UPCRUN RELEASE DEBUG SOURCE: each case of heap_misuse.c ends the job with status 255 and the
# right message; where it says HERE, the debug program's message has the line too.
set -u
upcrun=$1 release=$2 debug=$3 source=$4
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# expect both|debug|release CASE PATTERN
expect() {
    local builds=$1 name=$2 pattern=$3 program got line
    for program in "$debug" "$release"; do
        [ "$builds" = debug ] && [ "$program" = "$release" ] && continue
        [ "$builds" = release ] && [ "$program" = "$debug" ] && continue
        "$upcrun" -n 3 --timeout 200 "$program" "$name" >"$output" 2>&1
        got=$?
        line=
        [ "$program" = "$debug" ] && line=$(grep -n "HERE: $name \*/" "$source" | cut -d: -f1)
        if [ $got -ne 255 ] || ! grep -Eq "UPC Runtime error: $pattern" "$output" ||
            { [ -n "$line" ] && ! grep -Eq "heap_misuse\.c:$line([^0-9]|\$)" "$output"; }; then
            echo "FAILED: $name (${program##*/}): status $got, expected 255; '$pattern'; line ${line:-none}"
            sed 's/^/    /' "$output"
            failures=$((failures + 1))
        fi
    done
}

free_again='upc_free: <address=.*> points to memory that is free \(freed already\?\)'
expect both double_free "$free_again.* on UPC thread 2"
expect both double_free_global "$free_again.* on UPC thread 0"
expect both double_free_merged "$free_again"
expect both interior 'upc_free: <.*> points 128 bytes into an allocated object of 3008 bytes'
expect both interior_unaligned 'upc_free: <.*> points 4 bytes into an allocated object of 5056 bytes'
expect both later_part "upc_free: <.*thread=2.*> points to UPC thread 2's part of the global heap.*whose thread is 0"
expect both runtime_page "upc_free: <.*> points to the runtime area"
expect both between_heaps 'upc_free: <.*> points to shared memory that is not allocated'
expect both past_end 'upc_free: <.*> points to no shared memory'
expect both no_thread 'upc_free: <.*>: there is no UPC thread 4'
expect both free_of_lock "$free_again"
# $output is still the release program's.
if grep -q warning "$output"; then echo 'FAILED: free_of_lock of the release library warns'; failures=$((failures + 1)); fi
expect debug free_of_lock "$free_again"
if ! grep -Eq 'UPC Runtime warning: upc_free: <.*> points to a lock; the lock is freed' "$output"; then
    echo 'FAILED: free_of_lock of the debug library does not warn'
    failures=$((failures + 1))
fi
expect debug free_of_static 'upc_free: <.*> points to a static object of .*; static shared objects are not freed'
expect release kept_static 'upc_free: <.*> points 4 bytes into a static object of '
expect both free_in_lock 'upc_free: <.*> points 8 bytes into a lock of .*free the lock with upc_lock_free'
expect both lock_free_of_data 'upc_lock_free: <.*> points to an allocated object .*free it with upc_free'
expect both lock_free_twice 'upc_lock_free: <.*> points to memory that is free'
expect both unlock_free_lock 'upc_unlock: the calling thread does not hold the lock <'
expect both unlock_other 'upc_unlock: the calling thread does not hold the lock <'
expect debug unlock_other 'upc_unlock: .* UPC thread 0 does'
expect both relock 'upc_lock: the calling thread holds the lock <.*> already'
expect both relock_without_place 'upc_lock: the calling thread holds the lock <.*> already'
expect both unlock_freed 'upc_unlock: '
expect both lock_null 'upc_lock: the lock is a null pointer'
expect both lock_freed 'upc_lock: .* was freed'
# One waits; the other one may come too late, and reports that there is no lock any more.
UPCR_ALL_ERRORS=yes expect both free_while_waiting 'upc_lock: the lock <.*> was freed'
# Over messages a thread says that it waits before it joins the queue.
# The debug library prepares the node before it enters the queue.
[ "${UPCR_PSHM:-yes}" = no ] || UPCR_ALL_ERRORS=yes expect release free_at_first_wait 'upc_lock: the lock <.*> was freed'
expect debug lock_of_data 'upc_lock: <.*> is no lock'
small='UPC thread [0-9]*.s heap has [0-9.]* KiB free, [0-9.]* KiB in one piece, of 63.99 MiB; raise it, for example UPC_SHARED_HEAP_SIZE=128MB'
expect both exhaust_local "upc_alloc: out of shared memory: 100000 bytes \(97.66 KiB\) requested, but $small"
expect both exhaust_global "upc_global_alloc: out of shared memory: 100000 bytes .* on each thread requested, but $small"
expect both huge 'upc_alloc: out of shared memory: 1099511627776 bytes \(1 TiB\)'
expect both huge_global 'upc_global_alloc: out of shared memory: '
# A heap that was cut says so: what was asked for, what it got, and why.
limit='(host [^ ]+ has [^ ]+ .iB for the 3 UPC threads of 3 processes: its (free memory|memory cgroup) \(.*\)|the reach of a pointer-to-shared); run fewer'
UPC_SHARED_HEAP_SIZE=100T expect both large \
    "upc_alloc: out of shared memory: .*; 100 TiB of shared memory were requested for each UPC thread, [0-9.]+ .iB were available: $limit"
# But what no pointer can reach needs no larger limit.
reach='no segment can hold it: pointers-to-shared reach (16 GiB|1 TiB)'
for size in 64MB 100T; do
    UPC_SHARED_HEAP_SIZE=$size expect both huge "upc_alloc: out of shared memory: 1099511627776 bytes .*; $reach"
    UPC_SHARED_HEAP_SIZE=$size expect both last_page "upc_alloc: out of shared memory: .*; $reach"
done
differ='upc_all_alloc: the arguments must be the same on all threads, but they are'
expect debug all_alloc_differs "$differ 5 and 10 on UPC thread 0 and 6 and 10 on UPC thread 2"
expect debug all_alloc_of_nothing "$differ 5 and 10 on UPC thread 0 and 5 and 0 on UPC thread 2"
expect both overflow 'upc_global_alloc: 1099511627776 blocks of 1073741824 bytes are more than any memory'
exit $((failures != 0))
