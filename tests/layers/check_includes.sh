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

[ -d conduits/base ] && [ -d upcr ] || { echo "not a source tree: $1"; exit 1; }
forbid include 'conduits/|\.\./upcr/|[a-z_/]*\.hpp'
forbid conduits/base 'conduits/(core|bootstrap|smp|mpi|ibv|gasnet|fault)/|(include/)?upcr'
forbid conduits/bootstrap 'conduits/(core|smp|mpi|ibv|gasnet|fault)/|upcr/|include/upcr(_proxy)?\.h'
forbid conduits/core 'conduits/(mpi|ibv|gasnet)/|(include/)?upcr'
for net in conduits/smp conduits/mpi conduits/ibv; do
    [ -d "$net" ] || continue
    forbid "$net" '(include/)?upcr|conduits/gasnet'
    for other in smp mpi ibv; do [ "$net" = "conduits/$other" ] || forbid "$net" "conduits/$other/"; done
done
forbid upcr 'conduits/(smp|mpi|ibv|gasnet|fault)/|tools/'
# The archives of the GCC/UPC face and MuPC's are clients of the library.
for client in upcr/gupc/abi upcr/mupc; do
    forbid "$client" 'conduits/|include/|upcr/[a-z_]*\.hpp|upcr/(coll|heap|reduce|io)/'
done
[ ! -d conduits/gasnet ] || forbid conduits/gasnet '(include/)?upcr|conduits/(smp|mpi|ibv)/'
# The registry is the one place in core that names conduits: the built-in smp, and fault that wraps any.
hits=$(grep -rnE '# *include "conduits/(smp|fault)/' conduits/core | grep -v 'conduits/core/registry.cpp' || true)
[ -z "$hits" ] || { echo "core names a network outside its registry:"; echo "$hits"; bad=1; }
exit $bad
