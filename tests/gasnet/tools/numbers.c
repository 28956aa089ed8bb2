/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text, the environment, sums over bytes. */
#include <gasnet_tools.h>

#include "check.h"

static void check_number(const char *text, uint64_t mult, int64_t expected) {
    const int64_t value = gasnett_parse_int(text, mult);
    if (value == expected) return;
    fprintf(stderr, "parse_int(\"%s\", %lu) is %ld, expected %ld\n", text ? text : "NULL",
            (unsigned long)mult, (long)value, (long)expected);
    exit(1);
}

static void check_format(int64_t value, int is_mem, const char *expected) {
    char buf[80];
    CHECK(gasnett_format_number(value, buf, sizeof buf, is_mem) == buf);
    if (strcmp(buf, expected) == 0) return;
    fprintf(stderr, "format_number(%ld, %d) is \"%s\", expected \"%s\"\n", (long)value, is_mem, buf,
            expected);
    exit(1);
}

static void check_round_trip(int64_t value) {
    int is_mem;
    for (is_mem = 0; is_mem < 2; is_mem++) {
        char buf[80];
        CHECK(gasnett_parse_int(gasnett_format_number(value, buf, sizeof buf, is_mem), (uint64_t)is_mem) ==
              value);
    }
}

static void numbers(void) {
    char small[4];
    int bit;
    check_round_trip(0);
    for (bit = 0; bit <= 61; bit++) {
        check_round_trip((int64_t)1 << bit);
        check_round_trip(-((int64_t)1 << bit));
    }
    check_format(0, 0, "0");
    check_format(1234567, 0, "1234567");
    check_format((int64_t)1 << 50, 0, "0x4000000000000");
    check_format(0, 1, "0 B");
    check_format(1023, 1, "1023 B");
    check_format(2048, 1, "2 KB");
    check_format(2049, 1, "2049 B");
    check_format(20481, 1, "20 KB");
    check_format((int64_t)3 << 30, 1, "3 GB");
    check_format((int64_t)1 << 41, 1, "2 TB");
    CHECK(strlen(gasnett_format_number(123456, small, sizeof small, 0)) == 3);

    check_number(NULL, 0, 0);
    check_number("", 1, 0);
    check_number("  42", 0, 42);
    check_number("-42", 0, -42);
    check_number("+ 7", 0, 7);
    check_number("0x10", 0, 16);
    check_number("-0X1fB", 0, -0x1fb);
    check_number("0xffffffffffffffff", 0, -1);
    check_number("3", 1024, 3072);
    check_number("3B", 1024, 3);
    check_number("1.5", 1 << 20, 3 << 19);
    check_number("1.5k", 1, 1536);
    check_number("0.1 MB", 1, 104857);
    check_number(".5G", 1, 1 << 29);
    check_number("2 gb", 1, (int64_t)2 << 30);
    check_number("2T", 1, (int64_t)2 << 40);
    check_number("64mb", 1024, 64 << 20);
    check_number("64 M", 0, 64); /* no units without mem_mult */
    check_number("twelve", 1, 0);
}

static void bad_yesno(void) {
    gasnett_setenv("T_YESNO", "maybe"), gasnett_getenv_yesno_withdefault("T_YESNO", 1);
}
static void bad_int(void) { gasnett_setenv("T_INT", "many"), gasnett_getenv_int_withdefault("T_INT", 1, 0); }
static void bad_dbl(void) { gasnett_setenv("T_DBL", "1/0"), gasnett_getenv_dbl_withdefault("T_DBL", 1); }

static void reports(void) {
    gasnett_setenv("GASNET_VERBOSEENV", "1");
    gasnett_setenv("T_SIZE", "64M");
    CHECK(gasnett_verboseenv());
    (void)gasnett_getenv_int_withdefault("T_SIZE", 1, 1);
    (void)gasnett_getenv_int_withdefault("T_SIZE", 1, 1); /* reported once */
    (void)gasnett_getenv_yesno_withdefault("T_ABSENT_YESNO", 0);
    (void)gasnett_getenv_withdefault("T_ABSENT", "some text");
    (void)gasnett_getenv_dbl_withdefault("T_ABSENT_DBL", 0.25);
    gasnett_envstr_display("T_OWN", "own", 0);
}

static void environment(void) {
    static const char *const yes[] = {"Y", "yes", "1", "yEs"}, *const no[] = {"N", "no", "0"};
    char text[4096];
    unsigned i;
    CHECK(gasnett_getenv("T_NOT_SET") == NULL && gasnett_getenv_withdefault("T_NOT_SET", NULL) == NULL);
    CHECK(strcmp(gasnett_getenv_withdefault("T_NOT_SET", "d"), "d") == 0);
    gasnett_setenv("T_SET", "a value with blanks");
    CHECK(strcmp(gasnett_getenv("T_SET"), "a value with blanks") == 0);
    gasnett_unsetenv("T_SET");
    CHECK(gasnett_getenv("T_SET") == NULL);
    for (i = 0; i < sizeof yes / sizeof *yes; i++) {
        gasnett_setenv("T_YESNO", yes[i]);
        CHECK(gasnett_getenv_yesno_withdefault("T_YESNO", 0) == 1);
    }
    for (i = 0; i < sizeof no / sizeof *no; i++) {
        gasnett_setenv("T_YESNO", no[i]);
        CHECK(gasnett_getenv_yesno_withdefault("T_YESNO", 1) == 0);
    }
    gasnett_unsetenv("T_YESNO");
    CHECK(gasnett_getenv_yesno_withdefault("T_YESNO", 1) == 1 &&
          gasnett_getenv_yesno_withdefault("T_YESNO", 0) == 0);
    gasnett_setenv("T_INT", "16");
    CHECK(gasnett_getenv_int_withdefault("T_INT", 3, 0) == 16 &&
          gasnett_getenv_int_withdefault("T_INT", 3, 1024) == 16384);
    gasnett_unsetenv("T_INT");
    CHECK(gasnett_getenv_int_withdefault("T_INT", -3, 0) == -3);
    gasnett_setenv("T_DBL", "1e-3");
    CHECK(gasnett_getenv_dbl_withdefault("T_DBL", 1) == 1e-3);
    gasnett_setenv("T_DBL", "3 / 8");
    CHECK(gasnett_getenv_dbl_withdefault("T_DBL", 1) == 0.375);
    CHECK(!gasnett_verboseenv());

    CHECK_FATAL(bad_yesno, "T_YESNO");
    CHECK_FATAL(bad_int, "'many'");
    CHECK_FATAL(bad_dbl, "'1/0'");
    CHECK(run_child(reports, text, sizeof text) == 0);
    if (strcmp(text,
               "ENV parameter: T_SIZE = 64 MB\n"
               "ENV parameter: T_ABSENT_YESNO = NO (default)\n"
               "ENV parameter: T_ABSENT = some text (default)\n"
               "ENV parameter: T_ABSENT_DBL = 0.25 (default)\n"
               "ENV parameter: T_OWN = own\n") != 0) {
        fprintf(stderr, "reports:\n%s", text);
        exit(1);
    }
}

static void bytes(unsigned seed) {
    enum { SIZE = 40000 };
    static unsigned char data[SIZE], copy[SIZE + 2];
    int round;
    srand(seed);
    for (round = 0; round < 300; round++) {
        const size_t n = round < 50 ? (size_t)round : (size_t)(rand() % (SIZE - 16)),
                     at = (size_t)(rand() % 16);
        size_t i, zeros = 0;
        uint64_t sum;
        for (i = 0; i < n; i++) {
            data[at + i] = (unsigned char)(rand() % 3 == 0 ? 0 : rand());
            zeros += data[at + i] == 0;
        }
        memset(copy, 0x5a, sizeof copy);
        CHECK(gasnett_count0s(data + at, n) == zeros);
        CHECK(gasnett_count0s_copy(copy + 1, data + at, n) == zeros);
        CHECK(memcmp(copy + 1, data + at, n) == 0 && copy[0] == 0x5a && copy[n + 1] == 0x5a);
        sum = gasnett_checksum(data + at, (int)n);
        CHECK(gasnett_checksum(copy + 1, (int)n) == sum);
        if (n > 0) {
            data[at + (size_t)rand() % n] ^= (unsigned char)(1 << rand() % 8);
            CHECK(gasnett_checksum(data + at, (int)n) != sum);
        }
    }
    CHECK(gasnett_checksum("", 0) != gasnett_checksum("\0", 1) &&
          gasnett_checksum("\0", 1) != gasnett_checksum("\0\0", 2));
    CHECK(gasnett_count0s_uint32_t(0) == 4 && gasnett_count0s_uint64_t(0) == 8 &&
          gasnett_count0s_uintptr_t(0) == 8);
    CHECK(gasnett_count0s_uint32_t(0x80000001u) == 2 && gasnett_count0s_uint64_t(0x0100ff0000800001u) == 4);
    CHECK(gasnett_count0s_uint32_t(0xffffffffu) == 0 && gasnett_count0s_uint64_t(0x0101010101010101u) == 0);
}

static void machine(void) {
    const uint64_t memory = gasnett_getPhysMemSz(1);
    const uint32_t one = 1;
    CHECK(gasnett_cpu_count() > 0 && gasnett_gethostname() != NULL && gasnett_gethostname()[0] != '\0');
    CHECK(memory >= ((uint64_t)1 << 20) && memory <= ((uint64_t)1 << 50));
    CHECK(gasnett_isLittleEndian() == *(const unsigned char *)&one);
    CHECK(gasnett_maximize_rlimits() >= 0);
    gasnett_set_affinity(0);
    gasnett_flush_streams();
#ifndef GASNET_DEBUG
    CHECK(gasnett_performance_warning_str()[0] == '\0');
#endif
}

int main(void) {
    unsetenv("GASNET_VERBOSEENV");
    numbers();
    environment();
    bytes(4711);
    machine();
    return 0;
}
