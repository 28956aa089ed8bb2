#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# constants.sh UPCC: the C compiler knows that THREADS and MYTHREAD do not change, so that it takes them out of loops:
# what a program does if they had changed across a call or a store is not compiled.
upcc=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cat > "$dir/same.upc" <<'PROGRAM'
extern void call(void), never(void);
void across_a_call(void) {
    int thread = MYTHREAD, threads = THREADS;
    call();
    if (thread != MYTHREAD || threads != THREADS) never();
}
void across_a_store(int *object) {
    int thread = MYTHREAD, threads = THREADS;
    *object = 1;
    if (thread != MYTHREAD || threads != THREADS) never();
}
PROGRAM
failed=0
for options in '-O2' '-O2 --pthreads' '-O2 -T4'; do
  # shellcheck disable=SC2086  # words of options
  "$upcc" $options -c "$dir/same.upc" -o "$dir/same.o" || exit 1
  nm "$dir/same.o" > "$dir/names"
  grep -q ' U call' "$dir/names" || { echo "FAILED: upcc $options: no call"; failed=1; }
  if grep -q ' U never' "$dir/names"; then
    echo "FAILED: upcc $options: THREADS or MYTHREAD is read again"
    failed=1
  fi
done
exit $failed
