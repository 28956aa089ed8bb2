# SPDX-License-Identifier: BSD-3-Clause
# How upcc rewrites translated C, and which files it rewrites. Few programs are run.
. "$(dirname "$0")/lib.sh"

quiet "whirl2c skeleton" "$UPCC" -c "$FIXTURES/whirl2c.trans.c"
quiet "upc2c skeleton" "$UPCC" -c "$FIXTURES/upc2c.c"
quiet "four fields, three arguments, old-style parameters" "$UPCC" -c "$FIXTURES/fourfield.trans.c"
quiet "blanks, extern redeclaration, undeclared functions" "$UPCC" -c "$FIXTURES/forms.trans.c"
quiet "absolute includes" "$UPCC" -c "$FIXTURES/absolute.trans.c"
quiet "va_ names, pragmas, line numbers" "$UPCC" -c "$FIXTURES/rewrites.trans.c"
for options in "" -g; do
    quiet "functions of the runtime declared again $options" "$UPCC" $options "$FIXTURES/redeclares.trans.c" -o redeclares
    counts "functions of the runtime declared again $options" 2 "^redeclares: 7 8$" "$UPCRUN" -n 2 ./redeclares
    prints "the same, in a function $options" "UPCR_NO_CALLSITES" "$UPCC" $options --show -c "$FIXTURES/redeclares_inside.trans.c"
    quiet "the same, in a function $options" "$UPCC" $options -c "$FIXTURES/redeclares_inside.trans.c"
done
prints_no "none is declared again" "UPCR_NO_CALLSITES" "$UPCC" -g --show -c "$FIXTURES/whirl2c.trans.c" "$FIXTURES/upc2c.c"
quiet "warnings asked for are not about translated code" "$UPCC" -Wall -Wextra -Werror -c "$FIXTURES/whirl2c.trans.c"
quiet "a standard asked for is for other C" "$UPCC" -std=c11 -c "$FIXTURES/fourfield.trans.c"
for level in -O0 -O3 -g "-O2 -g" -g1; do
    quiet "skeletons with $level" "$UPCC" $level -c "$FIXTURES/whirl2c.trans.c" "$FIXTURES/upc2c.c"
done

refuses "pointer size" "size16.trans.c: .*$OTHER_BYTES bytes, this upcr has $POINTER_BYTES; .*UPCR_POINTER_LAYOUT" "$UPCC" -c "$FIXTURES/size16.trans.c"
refuses "version" "wantminor.trans.c: .*version 3.99 .*provides 3\.[0-9]+; " "$UPCC" -c "$FIXTURES/wantminor.trans.c"

# A mistake is reported at its place in the original.
{ cat "$FIXTURES/upc2c.c"; echo 'int mistake = no_such_name;'; } > broken.c
refuses "place of a mistake" "^broken.c:$(wc -l < broken.c):[0-9]+: error" "$UPCC" -c broken.c
{ echo '#line 41 "source.upc"'; cat broken.c; } > numbered.c
refuses "place in numbered text" "^source.upc:$((40 + $(wc -l < broken.c))):[0-9]+: error" "$UPCC" -c numbered.c
echo '#include </opt/no-such/header_of_nobody.h>' | cat "$FIXTURES/upc2c.c" - > nobody.c
refuses "a header that is nowhere" "nobody.c:.*/opt/no-such/header_of_nobody.h" "$UPCC" -c nobody.c

# -I finds a user header that an absolute path does not.
mkdir inc && echo 'typedef int from_inc;' > inc/nobody_else.h
{ cat "$FIXTURES/upc2c.c"; echo '#include</opt/no-such/x/nobody_else.h>'; echo 'from_inc y;'; } > viainc.c
quiet "a user header through -I" "$UPCC" -Iinc -c viainc.c
quiet "a user header through -I and a blank" "$UPCC" -I inc -c viainc.c
cp "$FIXTURES/fixture_header.h" here.h
{ cat "$FIXTURES/upc2c.c"; echo "#include<$work/here/here.h>"; echo 'int z = FIXTURE_HEADER;'; } > absolute_there.c
quiet "an absolute path that exists" "$UPCC" -c absolute_there.c

# Translated C is recognised by its contents or its name; anything else is compiled as it is.
prints "upc2c by contents" "-fgnu89-inline" "$UPCC" --show -c "$FIXTURES/upc2c.c"
for mark in "#define UPCR_SHARED_SIZE_ $POINTER_BYTES" "#define UPCR_PSHARED_SIZE_ $POINTER_BYTES" \
    "#if UPCR_SHARED_SIZE_ == 1" "#define UPCRT_STARTUP_SHALLOC(x) { x }" "int user_main(int c, char **v) { return 0; }"; do
    case $mark in "#if"*) end="#endif" ;; *) end= ;; esac
    printf '#include <upcr.h>\n%s\nint x;\n%s\n' "$mark" "$end" > marked.c
    prints "by contents: $mark" "-fgnu89-inline" "$UPCC" --show -c marked.c
    quiet "by contents: $mark" "$UPCC" -c marked.c
done
for size in UPCR_SHARED_SIZE_ UPCR_PSHARED_SIZE_; do
    printf '#define %s %s\n#include <upcr.h>\nint x;\n' $size "$OTHER_BYTES" > sized.c
    refuses "$size alone" "sized.c: .*$OTHER_BYTES bytes, this upcr has $POINTER_BYTES;" "$UPCC" -c sized.c
done
echo '#include <upcr.h>' > declares.c; echo 'extern int user_main(int, char **);' >> declares.c
prints_no "C that declares user_main" "-fgnu89-inline" "$UPCC" --show -c declares.c
cp "$FIXTURES/mixed/plain.c" named.w2c.c
prints "by name" "-fgnu89-inline" "$UPCC" --show -I"$FIXTURES/mixed" -DC_VALUE=1 -c named.w2c.c
prints_no "C that includes upcr.h" "-fgnu89-inline" "$UPCC" --show -c "$FIXTURES/embed.c"
refuses "other C keeps its warnings" "implicit" \
    sh -c 'echo "int f(void) { return undeclared(); }" > w.c; exec "$0" -Werror -c w.c' "$UPCC"
prints "static THREADS" "-D__UPC_STATIC_THREADS__=1 -DTHREADS=3" "$UPCC" --show -T 3 -c "$FIXTURES/static_threads.trans.c"
quiet "static THREADS compile" "$UPCC" -T3 -c "$FIXTURES/static_threads.trans.c"
prints "main() of a translated file" "-Dmain=user_main" "$UPCC" --show -c "$FIXTURES/hasmain.c"
sed '/UPCRI_ALLOC_hasmain/s/{/{ upcr_startup_initarray(upcr_null_shared, 0, 0, 0, 0, 0);/' "$FIXTURES/hasmain.c" > initialises.c
prints "main() of a file that initialises an array" "-Dmain=user_main" "$UPCC" --show -c initialises.c
prints_no "main() with --extern-main" "-Dmain=user_main" "$UPCC" --show --extern-main -c "$FIXTURES/hasmain.c"

# Identification that goes into every object.
"$UPCC" -c "$FIXTURES/whirl2c.trans.c"
for text in '\$UPCRAllocFn: \(whirl2c.trans.c\) UPCRI_ALLOC_whirl2c_1001 \$' \
    '\$UPCRInitFn: \(whirl2c.trans.c\) UPCRI_INIT_whirl2c_1001 \$' '\$UPCRConfig: \(whirl2c.o\) VERSION=.*process \$'; do
    prints "identification" "$text" strings whirl2c.trans.o
done
finish
