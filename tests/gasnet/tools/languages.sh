#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# languages.sh CC CXX INCLUDE_DIR BUILD_INCLUDE_DIR: gasnet_tools.h, and every program of this folder, compile without a
# warning from C89 with GNU extensions to C23 and from C++98 to C++20, with and without threads; and code that must not
# compile does not.
cc=$1 cxx=$2 include=$3 build=$4
here=$(dirname "$0")
failed=0

compile() { # compile LANGUAGE FLAGS...: stdin
    language=$1
    shift
    case $language in
    *++*) "$cxx" -x c++ -std="$language" -Wall -Wextra -Werror -fsyntax-only -I"$include" -I"$build" -I"$here" "$@" - ;;
    *) "$cc" -x c -std="$language" -Wall -Wextra -Werror -fsyntax-only -I"$include" -I"$build" -I"$here" "$@" - ;;
    esac
}
fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

for language in gnu89 c99 gnu99 c11 gnu17 gnu2x c++98 gnu++98 c++11 c++17 gnu++20; do
    for mode in -DGASNETT_LITE_MODE -DWANT_THREADS=0 "-DWANT_THREADS=1 -DGASNETT_THREAD_SAFE" \
        "-DWANT_THREADS=1 -pthread -DGASNET_DEBUG"; do
        printf '#include <gasnet_tools.h>\n#include <gasnet_tools.h>\nint main(void) { return 0; }\n' |
            compile $language $mode || fail header as $language $mode
    done
done
for language in gnu89 c99 gnu17 gnu2x c++98 gnu++20; do
    for mode in -DGASNET_SEQ -DGASNET_PAR "-DGASNET_PARSYNC -DGASNET_DEBUG" "-DGASNET_PAR -DGASNET_SEGMENT_EVERYTHING"; do
        printf '#include <gasnet.h>\n#include <gasnet_vis.h>\n#include <gasnet_coll.h>\n#include <gasnet_tools.h>\nint main(void) { return 0; }\n' |
            compile $language $mode || fail all headers as $language $mode
    done
done
for program in constants timing numbers atomics locks; do
    for language in gnu89 gnu17 gnu++98 gnu++20; do
        echo "#include \"$program.c\"" | compile $language -DWANT_THREADS=1 -pthread || fail $program as $language
    done
done

printf '#include <pthread.h>\n#include <gasnet_tools.h>\n#if GASNETT_THREAD_SAFE != 1\n#error no threads\n#endif\n' |
    compile gnu17 || fail pthread.h makes it thread-safe
for mode in GASNET_SEQ GASNET_PAR GASNET_PARSYNC; do
    if echo '#include <gasnet_tools.h>' | compile gnu17 -D$mode 2>/dev/null; then fail "$mode without gasnet.h is accepted"; fi
done
[ $failed -eq 0 ]
