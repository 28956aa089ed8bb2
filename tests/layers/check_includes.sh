#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_includes.sh SOURCE_DIR: an include points down or sideways inside its own folder, never up.
set -euo pipefail
cd "$1"
bad=0

# forbid FOLDER PATTERN: no file below FOLDER includes a path that matches PATTERN.
forbid() {
    local hits
    hits=$(grep -rnE "^ *# *include *[\"<]($2)" "$1" --include='*.h' --include='*.hpp' --include='*.cpp' --include='*.c' || true)
    if [ -n "$hits" ]; then echo "layer breach in $1:"; echo "$hits"; bad=1; fi
}

[ -d conduits/core/base ] && [ -d upcr ] || { echo "not a source tree: $1"; exit 1; }
forbid include 'conduits/|\.\./upcr/|[a-z_/]*\.hpp'
forbid conduits/core/base 'conduits/(core/[^b]|core/bootstrap|net|api)|(include/)?upcr'
forbid conduits/core/bootstrap 'conduits/(core/[^b]|net|api)|upcr/|include/upcr(_proxy)?\.h'
forbid conduits/core 'conduits/(net|api)/|upcr/|include/upcr(_proxy)?\.h'
for net in conduits/net/smp conduits/net/mpi conduits/net/ibv; do
    [ -d "$net" ] || continue
    forbid "$net" '(include/)?upcr|conduits/api'
    for other in smp mpi ibv; do [ "$net" = "conduits/net/$other" ] || forbid "$net" "conduits/net/$other/"; done
done
forbid upcr 'conduits/(net|api)/|tools/'
# The archives of the GCC/UPC face and MuPC's are clients of the library.
for client in upcr/gupc/abi upcr/mupc; do
    forbid "$client" 'conduits/|include/|upcr/(access|barrier|coll|heap|io|pointer|reduce|startup|state|statics|sync|util|vis)/'
done
forbid conduits/api '(include/)?upcr|conduits/net/'
exit $bad
