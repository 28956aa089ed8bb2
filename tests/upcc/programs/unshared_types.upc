/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of unshared and of shared objects are those of C: strings of other characters than ASCII, and bit-fields, which
 * are promoted by their width. With pthreads unshared objects are thread-local, and the translation spells their types. */
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include "../../upc2c/clauses/check.h"

static char narrow[] = "\u00e9", behind[] = "zzzzzzz", typed[] = "é", joined[] = "a" "\u20ac" "\U0001F600";
static char digits[] = "\351\xe9", marked[] = u8"ä";
static char16_t half[] = u"é😀", half_joined[] = "a" u"\U0001F600";
static char32_t full[] = U"é😀";
static wchar_t wide[] = L"é", wide_joined[] = "é" L"x";
static struct {
    char text[4];
    int after;
} members[] = {{"\u20ac", 7}};
static int letters[] = {'\n', '\351', u'é', L'é', U'😀', '\e', '\E'};

static void strings(void) {
    static char inside[] = "\u00e9";
    char local[] = "\u00e9";
    CHECK(sizeof narrow == 3 && strlen(narrow) == 2 && sizeof inside == 3 && sizeof local == sizeof inside);
    CHECK(strcmp(narrow, "\xc3\xa9") == 0 && strcmp(typed, narrow) == 0 && strcmp(inside, narrow) == 0);
    CHECK(sizeof joined == 9 && strcmp(joined, "a\xe2\x82\xac\xf0\x9f\x98\x80") == 0);
    CHECK(sizeof digits == 3 && digits[0] == '\351' && digits[1] == digits[0] && sizeof marked == 3);
    CHECK(sizeof half == 4 * sizeof *half && half[0] == 0xe9 && half[1] == 0xd83d && half[2] == 0xde00 && half[3] == 0);
    CHECK(sizeof half_joined == 4 * sizeof *half_joined && half_joined[2] == 0xde00);
    CHECK(sizeof full == 3 * sizeof *full && full[1] == 0x1f600);
    CHECK(sizeof wide == 2 * sizeof *wide && wide[0] == 0xe9 && sizeof wide_joined == 3 * sizeof *wide_joined);
    CHECK(members[0].text[2] == '\xac' && members[0].after == 7 && strlen(behind) == 7);
    CHECK(letters[0] == 10 && letters[1] == (char)0xe9 && letters[2] == 0xe9 && letters[3] == 0xe9 &&
          letters[4] == 0x1f600 && letters[5] == 27 && letters[6] == 27);
}

struct fields {
    unsigned small : 3, word : 32;
    _Bool flag : 1;
    unsigned char byte : 5;
    long long large : 35;
};
static struct fields mine;
static shared struct fields all[THREADS];

#define IS(type, expression) _Generic((expression), type: 1, default: 0)
#define PROMOTED(object)                                                                                   \
    do {                                                                                                   \
        object.small = 7, object.word = 5, object.flag = 1, object.byte = 31, object.large = -2;           \
        CHECK(IS(int, +object.small) && IS(int, -object.flag) && IS(int, ~(object.byte)));                 \
        CHECK(IS(int, object.small << 1) && IS(int, object.small + object.byte) && IS(unsigned, +object.word)); \
        CHECK(IS(int, 1 ? object.small : object.flag) && IS(unsigned, object.word * object.small));        \
        __typeof__(+object.small) below = -1;                                                              \
        __typeof__(object.word + 0) above = -1;                                                            \
        CHECK(below < 0 && above > 0);                                                                     \
        CHECK(object.small - 8 < 0 && (object.small << 1) - 15 < 0 && object.word - 6 > 0);                \
        CHECK(IS(int, +(object.small = 7)) && IS(int, -(__extension__ object.small)) && IS(int, +(0, object.small))); \
        CHECK(sizeof(0, object.flag) == 1 && sizeof({ object.byte; }) == 1);                               \
        CHECK((1 ? object.small : object.byte) - 8 < 0 && object.large + object.small == 5);               \
    } while (0)

int main(void) {
    strings();
    PROMOTED(mine);
    PROMOTED(all[MYTHREAD]);
    return finish();
}
