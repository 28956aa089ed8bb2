// SPDX-License-Identifier: BSD-3-Clause
// Private pointers to pointers of another kind: their representations differ (C11 6.5.16.1). A cast says that it is meant.
int **to_private;
shared int **to_shared;
shared [4] int **to_blocks;
void *anything;
int *(*function)(void);
shared int *(*function_of_shared)(void);
void assigned(void) {
    to_shared = to_private;                // error: D-CNV-LAYOUT at '='
    to_private = to_shared;                // error: D-CNV-LAYOUT at '='
    to_blocks = to_shared;                 // error: D-CNV-LAYOUT at '='
    function = function_of_shared;         // error: D-CNV-LAYOUT at '='
    to_shared = (shared int **)to_private;
    anything = to_shared;
    to_shared = anything;
    to_shared = 0;
}
void takes(shared int **pointer);
void passed(void) {
    takes(to_private);  // error: D-CNV-LAYOUT at 'to_private'
    takes(anything);
}
