// SPDX-License-Identifier: BSD-3-Clause
// The arguments of main are private.
int main(int count, shared char *arguments[]) {  // error: D-LINK-TYPE at 'main'
    return count != 0 && arguments != 0;
}
