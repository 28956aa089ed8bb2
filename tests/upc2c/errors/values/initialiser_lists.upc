// More values than parts, values of the wrong type, members that are not there.
struct point { int x, y; };
shared struct point s = {1, 2}, t = {.y = 2, .x = 1}, u = {1, 2, 3};  // error: D-INI-COUNT at '3'
shared struct point v = {.z = 1};                  // error: D-MEMBER
shared [] int a[2] = {1, 2, 3};                    // error: D-INI-COUNT
shared [] char text[4] = "text", short_text[3] = "text";  // error: D-INI-COUNT at '"text"'
shared [] int grid[2][2] = {{1, 2}, {3, 4}, {5}};  // error: D-INI-COUNT
shared [] int sparse[4] = {[3] = 1, 2};            // error: D-INI-COUNT
shared int scalar = {1, 2};                        // error: D-INI-COUNT
shared [4] int *p, *list[2] = {0, 0, 0};           // error: D-INI-COUNT
struct table { shared [4] int *p; int n; } entries[] = {{0, 1}, {&s.x, 2}};  // error: D-CNV-LAYOUT
shared int wide = ({ int n = 3; n; });             // error: D-INI-CONST
shared struct point w = {1, MYTHREAD++};           // error: D-THR-LV
struct point of_string(void) { struct point local = {"x"}; return local; }  // warning: D-INT-CONVERSION at '"x"'
