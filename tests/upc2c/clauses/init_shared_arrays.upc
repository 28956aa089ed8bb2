/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1 and ISO C 6.7.8: initial values of shared arrays of every layout: braces left out, designators and
 * ranges, strings, several dimensions, THREADS in any of them, elements that are structures, elements left out. */
#include "check.h"

struct pair {
    int a;
    double b;
};
struct item {
    char name[6];
    struct pair pairs[2];
};

shared int cyclic[4 * THREADS] = {1, 2, 3, 4};
shared [2] int blocked[4 * THREADS] = {1, 2, 3};
shared [*] short star[4 * THREADS] = {-1, -2, -3, -4};
shared [] long indefinite[10] = {5, 6, [7] = 8, 9, [1] = 66};
shared [3] unsigned char converted[4 * THREADS] = {1.9, 256 + 7, 'a', -1};
shared [4] float floats[2 * THREADS][4] = {{1.5f, 2}, {.5, 3, 4}};
shared int last_bound[3][2 * THREADS] = {{1, 2}, {3}, {4, 5}};
shared [2] int middle_bound[2][THREADS][3] = {{{1, 2, 3}}, {{4, 5, 6}}};
shared [] int square[3][3] = {1, 2, 3, 4, [2] = {7, [2] = 9}};
shared [] int ranged[10] = {[0 ... 3] = 1, [5 ... 7] = 2, 3};
shared [] char text[12] = "shared text", braced[8] = {"abc"}, exact[3] = "xyz";
shared [] char texts[3][6] = {"one", "three", {'t', 'w', 'o'}};
shared [5] char cyclic_text[5 * THREADS] = "abcd";
shared [] int wide_text[4] = L"wid";
shared struct pair pairs[2 * THREADS] = {{1, 1.5}, {.b = 2.5}};
shared [2] struct pair elided[2 * THREADS] = {1, 1.5, 2, 2.5};
shared [] struct item items[3] = {{"first", {{1, 2}, {3, 4}}}, [2] = {"third", {[1] = {.a = 5}}}, [1].name = "mid"};
shared [] struct item chained[2] = {[1].pairs[1].b = 6.5, [0] = {.name[1] = 'q', .pairs[0].a = 4}};
shared [] double _Complex complex_numbers[2] = {1.0, 2.0};
shared [] long double long_doubles[3] = {0.5L, [2] = 1.5L};
shared [] enum { NO, YES } answers[3] = {NO, YES};
shared int zeros[3 * THREADS] = {0}, all_zeros[2 * THREADS] = {0, 0}, empty[THREADS] = {};
shared [] int last_only[100000] = {[99999] = 3};
shared [] const int constants[3] = {1, 2, 3};
strict shared [2] int strict_array[2 * THREADS] = {7, 8};
static shared [] int hidden[2][2] = {{1}, {2}};
typedef shared [3] int row[3 * THREADS];
row from_typedef = {1, [2] = 3};
extern shared int declared_before[2 * THREADS];
shared int declared_before[2 * THREADS] = {1, 2};
shared [1000] int large_block[3 * THREADS] = {1, 2, 3};

/* Extensions: what is known at start-up only. */
shared [] int at_start[4] = {THREADS, 1, [3] = 3 * THREADS};
shared [] struct pair computed[2] = {[1] = {.b = THREADS / 2.0}};

static void test_distributed(void)
{
    int i, j, k;
    for (i = 0; i < 4 * THREADS; i++) {
        CHECK(cyclic[i] == (i < 4 ? i + 1 : 0) && blocked[i] == (i < 3 ? i + 1 : 0) && star[i] == (i < 4 ? -i - 1 : 0));
        CHECK(converted[i] == (i == 0 ? 1 : i == 1 ? 7 : i == 2 ? 'a' : i == 3 ? 255 : 0));
    }
    for (i = 0; i < 2 * THREADS; i++) {
        for (j = 0; j < 4; j++) {
            static const float expected[2][4] = {{1.5f, 2, 0, 0}, {.5f, 3, 4, 0}};
            CHECK(floats[i][j] == (i < 2 ? expected[i][j] : 0));
        }
        CHECK(pairs[i].a == (i == 0) && pairs[i].b == (i < 2 ? i + 1.5 : 0));
        CHECK(elided[i].a == (i < 2 ? i + 1 : 0) && elided[i].b == (i < 2 ? i + 1.5 : 0));
        CHECK(strict_array[i] == (i < 2 ? i + 7 : 0) && all_zeros[i] == 0 && declared_before[i] == (i < 2 ? i + 1 : 0));
    }
    for (i = 0; i < 3; i++)
        for (j = 0; j < 2 * THREADS; j++) {
            static const int expected[3][2] = {{1, 2}, {3, 0}, {4, 5}};
            CHECK(last_bound[i][j] == (j < 2 ? expected[i][j] : 0));
        }
    for (i = 0; i < 2; i++)
        for (j = 0; j < THREADS; j++)
            for (k = 0; k < 3; k++) CHECK(middle_bound[i][j][k] == (j == 0 ? 3 * i + k + 1 : 0));
    for (i = 0; i < 3 * THREADS; i++) {
        CHECK(zeros[i] == 0 && empty[i / 3] == 0 && from_typedef[i] == (i == 0 ? 1 : i == 2 ? 3 : 0));
        CHECK(large_block[i] == (i < 3 ? i + 1 : 0));
    }
    for (i = 0; i < 5 * THREADS; i++) CHECK(cyclic_text[i] == (i < 4 ? 'a' + i : 0));
}

static int is_text(shared [] char *p, const char *expected, int n)
{
    int i, end = 0;
    for (i = 0; i < n; i++) {
        end |= expected[i] == 0;
        if (p[i] != (end ? 0 : expected[i])) return 0;
    }
    return 1;
}

static void test_on_thread_0(void)
{
    static const long long expected[10] = {5, 66, 0, 0, 0, 0, 0, 8, 9, 0};
    static const int squares[3][3] = {{1, 2, 3}, {4, 0, 0}, {7, 0, 9}}, ranges[10] = {1, 1, 1, 1, 0, 2, 2, 2, 3, 0};
    int i;
    for (i = 0; i < 10; i++) CHECK(indefinite[i] == expected[i] && ranged[i] == ranges[i]);
    for (i = 0; i < 9; i++) CHECK(square[i / 3][i % 3] == squares[i / 3][i % 3]);
    CHECK(is_text(text, "shared text", 12) && is_text(braced, "abc", 8) && is_text(exact, "xyz", 3));
    CHECK(is_text(texts[0], "one", 6) && is_text(texts[1], "three", 6) && is_text(texts[2], "two", 6));
    CHECK(wide_text[0] == 'w' && wide_text[2] == 'd' && wide_text[3] == 0);
    CHECK(is_text(items[0].name, "first", 6) && is_text(items[1].name, "mid", 6) && is_text(items[2].name, "third", 6));
    CHECK(items[0].pairs[1].a == 3 && items[0].pairs[1].b == 4 && items[2].pairs[1].a == 5 && items[1].pairs[0].a == 0);
    CHECK(chained[1].pairs[1].b == 6.5 && chained[0].name[1] == 'q' && chained[0].pairs[0].a == 4);
    CHECK(__real__ complex_numbers[1] == 2.0 && long_doubles[0] == 0.5L && long_doubles[1] == 0 && long_doubles[2] == 1.5L);
    CHECK(answers[0] == NO && answers[1] == YES && last_only[0] == 0 && last_only[99998] == 0 && last_only[99999] == 3);
    CHECK(constants[2] == 3 && hidden[0][0] == 1 && hidden[0][1] == 0 && hidden[1][0] == 2);
    CHECK(at_start[0] == THREADS && at_start[1] == 1 && at_start[2] == 0 && at_start[3] == 3 * THREADS);
    CHECK(computed[0].b == 0 && computed[1].b == THREADS / 2.0);
}

int main(void)
{
    test_distributed(), test_on_thread_0();
    return finish();
}
