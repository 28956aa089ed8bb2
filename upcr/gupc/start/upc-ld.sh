#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The linker that compilers' drivers find by -B lib/upcr/gupc/FORM: the one of this name that PATH has, with
# upc-shared.ld, so that static shared arrays do not become part of programs' files. Linkers that cannot read it,
# and links that make no program (-r), get the command as it is.
here=$(cd "$(dirname "$0")" && pwd -P)
name=$(basename "$0")

linker=
set -f
IFS=:
for folder in $PATH; do
    found=${folder:-.}/$name
    if [ -f "$found" ] && [ -x "$found" ] && [ "$(cd "${folder:-.}" && pwd -P)" != "$here" ]; then
        # Another such folder's is this script too.
        if ! grep -q 'upc-shared[.]ld' "$found" 2>/dev/null; then linker=$found; break; fi
    fi
done
unset IFS
if [ -z "$linker" ]; then
    echo "$0: there is no linker $name in PATH; give the driver its folder, or leave out -B and link with upcc --abi=gupc" >&2
    exit 1
fi

for word in "$@"; do
    case $word in -r | -i | --relocatable) exec "$linker" "$@" ;; esac
done
case $("$linker" --version 2>/dev/null) in
    GNU\ ld* | *LLD*) exec "$linker" -T "$here/../upc-shared.ld" "$@" ;;
    *) exec "$linker" "$@" ;;
esac
