#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_shells.sh PREFIX: completion in bash, and the module file, of what is installed.
set -uo pipefail
prefix=$1

complete_line() {  # complete_line WORD...: what bash offers for the last word
    PATH="$prefix/bin:$PATH" bash --norc -c '
        . /usr/share/bash-completion/bash_completion
        . "$0/share/bash-completion/completions/$1"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE=$* COMP_POINT=${#COMP_LINE}
        _upcr "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[@]}"' "$prefix" "$@"
}
offers() {  # offers TEXT WORD...
    local text=$1 found; shift
    found=$(complete_line "$@")
    [ "$found" = "$text" ] || { echo "FAILED: '$found' is offered for: $*"; exit 1; }
    echo "ok: $* -> $text"
}
offers --shared-heap upcrun --shared
offers mpi upcrun --conduit m
offers --keep-trans upcc --keep
offers --inst-local upcc --inst-l

loaded=$(bash --norc -c '. /etc/profile.d/modules.sh; module use "$0/share/upcr/modulefiles"; module load upcr
    command -v upcc; echo "$PKG_CONFIG_PATH"' "$prefix" 2>&1)
grep -qxF "$prefix/bin/upcc" <<<"$loaded" && grep -qF "/pkgconfig" <<<"$loaded" ||
    { echo "FAILED: module load upcr: $loaded"; exit 1; }
echo "ok: module load upcr"
