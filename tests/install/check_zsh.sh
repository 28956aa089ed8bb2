#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_zsh.sh BIN FUNCTIONS: completion in zsh, by the function `_upcr` in the folder FUNCTIONS, of the commands in BIN:
# every option that --help lists is offered, nothing else, and the values of some. Exits with 77 where there is no zsh.
set -uo pipefail
export PATH=$1:$PATH
functions=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v zsh >/dev/null || { echo "SKIP: there is no zsh here (tools/setup --test installs it)"; exit 77; }

offers() { zsh -f "$here/zsh_offers.zsh" "$functions" "$1"; }

# The options in the first column of lines of --help, without their values.
listed() {
    "$1" --help 2>&1 | sed -nE 's/^ +(-.*)/\1/p' | sed -E 's/  .*//' | tr ', ' '\n\n' | grep '^-' |
        sed -E 's/[[{=:].*//' | grep -v '^-$' | sort -u
}

for command in upcrun upcc upcr_info upcr_report mupcrun; do
    [ "$(listed $command | wc -l)" -ge 3 ] || { echo "FAILED: $command --help lists no options"; exit 1; }
    difference=$(LC_ALL=C diff <(listed $command | LC_ALL=C sort) <(offers "$command -" | LC_ALL=C sort)) ||
        { echo "FAILED: $command -: < is listed by --help, > is offered"; echo "$difference"; exit 1; }
    echo "ok: the $(listed $command | wc -l) options of $command"
done

expect() {  # expect TEXT LINE
    local found
    found=$(offers "$2" | tr '\n' ' ')
    [ "$found" = "$1 " ] || { echo "FAILED: '$found' is offered for: $2"; exit 1; }
    echo "ok: $2 -> $1"
}
expect "--shared-heap" "upcrun --shared"
expect "mpi" "upcrun --conduit m"
expect "core none numa socket" "upcrun --bind "
expect "--keep-trans" "upcc --keep"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
touch "$folder/prog.upc" "$folder/prog.txt" && cd "$folder" || exit 1
expect "prog.upc" "upcc prog"
