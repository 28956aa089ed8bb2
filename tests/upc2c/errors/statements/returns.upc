// SPDX-License-Identifier: BSD-3-Clause
// A function that returns void returns no value (C11 6.8.6.4).
shared int s;
shared int *p;
void f(void) {
    return p;  // error: D-CONVERSION at 'p'
}
void g(void) {
    return s;  // error: D-CONVERSION at 's'
}
void h(void) {
    return;
}
void i(void) {
    return (void)s;
}
int j(void) {
    return s;
}
