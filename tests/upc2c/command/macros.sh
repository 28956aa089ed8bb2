#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# macros.sh UPCC: a program may define any name that is not reserved as a macro, on the command line and before the
# headers of UPC: these have reserved names for parameters, and the runtime's headers do not see the macros.
# (Names of functions, types and members are those of the interface.)
upcc=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
names='a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
  size count src dst thread flags mode name type kind root array blocks nbytes nblocks ptr handle func op private team
  phase block offset_of buf file line col mask val arg text user'
options=
: > "$dir/defined.upc"
for name in $names; do
  options="$options -D$name=a(0,-"
  echo "#define $name a(0,-" >> "$dir/defined.upc"
done
cat > "$dir/plain.upc" <<'PROGRAM'
#include <upc.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_tick.h>
#include <bupc_atomics.h>
#include <bupc_collectivev.h>
#include <pupc.h>
#include <stdio.h>
shared int elements[3 * THREADS];
shared [] int *shared last;
static int own;
int main(void) {
    upc_forall (int each = 0; each < 3 * THREADS; each++; &elements[each]) elements[each] += own++;
    if (!MYTHREAD) last = (shared [] int *)&elements[2];
    upc_barrier;
    upc_memget(&own, last, sizeof own);
    printf("%d %d\n", *last, elements[0]);
    return 0;
}
PROGRAM
cat "$dir/plain.upc" >> "$dir/defined.upc"
failed=0
for more in '-O1' '-g' '--pthreads=2'; do
  # shellcheck disable=SC2086  # words of options
  (cd "$dir" && "$upcc" $more $options -c plain.upc -o plain.o && "$upcc" $more -c defined.upc -o defined.o) || {
    echo "FAILED: upcc $more"
    failed=1
  }
done
exit $failed
