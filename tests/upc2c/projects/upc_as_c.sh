#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# upc_as_c.sh ARGUMENT...: a C compiler that takes each C file for UPC, by $UPC_AS_C_UPCC $UPC_AS_C_OPTIONS. The files
# are listed in $UPC_AS_C_LOG, but for those of configure scripts.
arguments=()
previous=
for argument in "$@"; do
    case $previous:$argument in
        -o:* | -MF:* | -MT:* | -MQ:* | -I:* | -D:*) arguments+=("$argument") ;;
        *.c)
            arguments+=(-x upc "$argument" -x none)
            [ "$(basename "$argument")" = conftest.c ] || echo "$argument" >>"$UPC_AS_C_LOG"
            ;;
        *) arguments+=("$argument") ;;
    esac
    previous=$argument
done
read -ra options <<<"$UPC_AS_C_OPTIONS"
exec "$UPC_AS_C_UPCC" "${options[@]}" "${arguments[@]}"
