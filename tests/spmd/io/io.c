/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC-IO against a serial model (io_model.h): every thread computes the same random script and keeps a model of the
 * file, of all file pointers and of all shared memory; after each operation it compares all that it can read.
 */
#include "tests/spmd/io/io_model.h"

static const int kSyncs[] = {0,
                             UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC,
                             UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
                             UPC_IN_NOSYNC | UPC_OUT_NOSYNC,
                             UPC_IN_NOSYNC | UPC_OUT_ALLSYNC,
                             UPC_IN_MYSYNC,
                             UPC_OUT_NOSYNC};

static upc_off_t finish_async(void) {
    int flag = 0;
    upc_off_t got = 0;
    SAME(upc_all_fcntl(g.fd, UPC_ASYNC_OUTSTANDING, NULL), 1);
    if (below(2)) {
        got = upc_all_fwait_async(g.fd);
    } else {
        while (!flag) {
            got = upc_all_ftest_async(g.fd, &flag);
            if (!flag) SAME(got, 0);
        }
    }
    SAME(upc_all_fcntl(g.fd, UPC_ASYNC_OUTSTANDING, NULL), 0);
    return got;
}

_Static_assert(UPC_ASYNC == 64, "the value that translated C has");

static upc_off_t transfer_by_name(const struct request *r, int list, int shared, int write, int async,
                                  int sync) {
    struct bupc_local_memvec_S_trans local[kEntries];
    struct bupc_shared_memvec_S_trans vec[kEntries];
    struct bupc_filevec_S_trans file[kEntries];
    const struct entry *const e = &r->memory[0];
    if (!list) {
        const upcr_shared_ptr_t p = shared ? pointer_to(e) : upcr_null_shared;
        void *const buffer = g.mine + e->offset;
        const size_t block = shared ? (size_t)e->blocked : 0, n = r->bytes / e->unit;
        if (!async) {
            if (shared)
                return write ? upc_all_fwrite_shared(g.fd, p, block, e->unit, n, sync)
                             : upc_all_fread_shared(g.fd, p, block, e->unit, n, sync);
            return write ? upc_all_fwrite_local(g.fd, buffer, e->unit, n, sync)
                         : upc_all_fread_local(g.fd, buffer, e->unit, n, sync);
        }
        if (shared && write) upc_all_fwrite_shared_async(g.fd, p, block, e->unit, n, sync);
        if (shared && !write) upc_all_fread_shared_async(g.fd, p, block, e->unit, n, sync);
        if (!shared && write) upc_all_fwrite_local_async(g.fd, buffer, e->unit, n, sync);
        if (!shared && !write) upc_all_fread_local_async(g.fd, buffer, e->unit, n, sync);
        return finish_async();
    }
    for (int m = 0; m < r->memories; ++m) {
        local[m].baseaddr = g.mine + r->memory[m].offset;
        local[m].len = r->memory[m].bytes;
        vec[m].baseaddr = pointer_to(&r->memory[m]);
        vec[m].blocksize = shared ? (size_t)r->memory[m].blocked : 0;
        vec[m].len = r->memory[m].bytes;
    }
    for (int x = 0; x < r->extents; ++x) {
        file[x].offset = (upc_off_t)r->extent[x].offset;
        file[x].len = r->extent[x].bytes;
    }
    const size_t n = (size_t)r->memories, nf = (size_t)r->extents;
    if (!async) {
        if (shared)
            return write ? upc_all_fwrite_list_shared(g.fd, n, vec, nf, file, sync)
                         : upc_all_fread_list_shared(g.fd, n, vec, nf, file, sync);
        return write ? upc_all_fwrite_list_local(g.fd, n, local, nf, file, sync)
                     : upc_all_fread_list_local(g.fd, n, local, nf, file, sync);
    }
    if (shared && write) upc_all_fwrite_list_shared_async(g.fd, n, vec, nf, file, sync);
    if (shared && !write) upc_all_fread_list_shared_async(g.fd, n, vec, nf, file, sync);
    if (!shared && write) upc_all_fwrite_list_local_async(g.fd, n, local, nf, file, sync);
    if (!shared && !write) upc_all_fread_list_local_async(g.fd, n, local, nf, file, sync);
    memset(local, 0xff, sizeof local), memset(vec, 0xff, sizeof vec), memset(file, 0xff, sizeof file);
    return finish_async();
}

/* async: 0 no; 1 by the function's name, with or without the flag; 2 by the flag alone. */
static upc_off_t transfer(const struct request *r, int list, int shared, int write, int async, int sync) {
    if (async == 2) {
        SAME(transfer_by_name(r, list, shared, write, 0, sync | 64), 0);
        return finish_async();
    }
    return transfer_by_name(r, list, shared, write, async, async && below(2) ? sync | 64 : sync);
}

static void compare(const char *what, const unsigned char *got, const unsigned char *want, size_t n) {
    if (memcmp(got, want, n) == 0) return;
    size_t i = 0;
    while (got[i] == want[i]) ++i;
    WRONG("byte %zu of %s is %02x, not %02x", i, what, got[i], want[i]);
}

static void compare_all(void) {
    spmd_barrier();
    const size_t me = upcr_mythread();
    compare("my shared memory", upcr_shared_to_local(spmd_part(g.area, me, 0)), g.shared + me * kPart, kPart);
    if (g.step % 4 == 0 && g.step / 4 % upcr_threads() == me) {
        const int file = open(g.name, O_RDONLY);
        unsigned char *const image = (unsigned char *)malloc(kFileMax);
        const ssize_t n = file < 0 ? -1 : pread(file, image, kFileMax, 0);
        SAME(n, g.size);
        compare("the file", image, g.file, g.size);
        close(file);
        free(image);
    }
    spmd_barrier();
}

static void move_data(void) {
    struct request all[kMaxThreads];
    const upcr_thread_t me = upcr_mythread(), threads = upcr_threads();
    const int write = (int)below(2), async = (int)below(3), list = below(3) == 0;
    const int shared = (g.common && !list) || below(2), sync = kSyncs[below(7)];
    static const size_t units[] = {1, 4, 8, 3, 24, 1};
    const size_t unit = shared ? units[below(6)] : 1;
    const int together = g.common && !list;
    for (size_t i = 0; i < kEntries * 4100 + 2000; ++i) g.mine[i] = g.mine_model[i] = (unsigned char)i;
    size_t want = 0;
    if (together) {
        memset(all, 0, sizeof all);
        struct request *const r = &all[me];
        r->memories = r->extents = 1;
        r->memory[0] = shared_entry(0, kPart, any_size((size_t)1 << (10 + below(10))), unit);
        r->bytes = r->memory[0].bytes;
        r->extent[0] = (struct extent){g.pointer[0], r->bytes};
        if (g.pointer[0] + r->bytes > kFileMax) return;
        want = apply(r, write, 1);
        g.pointer[0] += want;
    } else {
        if (list)
            fill_lists(all, shared, write);
        else
            fill_requests(all, shared, write, shared ? 20000 : kEntries * 4000, unit);
        /* The threads' ranges are disjoint, so the order of the reads does not matter. */
        for (upcr_thread_t t = 0; t < threads; ++t) {
            const size_t moved = apply(&all[t], write, t == me);
            if (!list) g.pointer[t] += moved;
            if (t == me) want = moved;
        }
    }
    SAME(transfer(&all[me], list, shared, write, async, sync), want);
    compare("my private memory", g.mine, g.mine_model, kEntries * 4100 + 2000);
}

static void seek(void) {
    const upcr_thread_t me = upcr_mythread();
    static const int origins[] = {UPC_SEEK_SET, UPC_SEEK_CUR, UPC_SEEK_END};
    upc_off_t offset = 0, want = 0;
    int origin = 0;
    for (upcr_thread_t t = 0; t < (g.common ? 1 : upcr_threads()); ++t) {
        const int o = origins[below(3)];
        const size_t from = o == UPC_SEEK_SET ? 0 : o == UPC_SEEK_CUR ? g.pointer[t] : g.size;
        const upc_off_t to = g.common ? (upc_off_t)below(g.size + 5000)
                                      : (upc_off_t)(t * (size_t)kSlice + below(kSlice + 2000));
        g.pointer[t] = (size_t)to;
        if (t == me || g.common) offset = to - (upc_off_t)from, want = to, origin = o;
    }
    SAME(upc_all_fseek(g.fd, offset, origin), want);
    errno = 0;
    SAME(upc_all_fseek(g.fd, -want - 1, UPC_SEEK_CUR), -1);
    SAME(errno, EINVAL);
}

static void resize(void) {
    const size_t size = below(g.size + 10000), before = g.size;
    if (below(2)) {
        SAME(upc_all_fset_size(g.fd, (upc_off_t)size), 0);
        g.size = size;
        if (size < before) memset(g.file + size, 0, before - size);
    } else {
        SAME(upc_all_fpreallocate(g.fd, (upc_off_t)size), 0);
        if (size > g.size) g.size = size;
    }
    SAME(upc_all_fget_size(g.fd), g.size);
}

static void change(void) {
    g.common = (int)below(2);
    SAME(upc_all_fcntl(g.fd, g.common ? UPC_SET_COMMON_FP : UPC_SET_INDIVIDUAL_FP, NULL), 0);
    SAME(upc_all_fcntl(g.fd, UPC_GET_FP, NULL), g.common ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP);
    memset(g.pointer, 0, sizeof g.pointer);
    const int strong = (int)below(2);
    SAME(upc_all_fcntl(g.fd, strong ? UPC_SET_STRONG_CA_SEMANTICS : UPC_SET_WEAK_CA_SEMANTICS, NULL), 0);
    SAME(upc_all_fcntl(g.fd, UPC_GET_CA_SEMANTICS, NULL), strong ? UPC_STRONG_CA : 0);
}

static void reopen(void) {
    SAME(upc_all_fclose(g.fd), 0);
    g.common = (int)below(2);
    const int append = below(2) ? UPC_APPEND : 0, trunc = below(3) == 0 ? UPC_TRUNC : 0;
    const int flags = UPC_RDWR | append | trunc | (g.common ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP);
    g.fd = upc_all_fopen(g.name, flags, 0, NULL);
    if (upcr_isnull_pshared(g.fd)) WRONG("cannot open %s again: %s", g.name, strerror(errno));
    SAME(upc_all_fcntl(g.fd, UPC_GET_FL, NULL), flags);
    if (trunc) memset(g.file, 0, g.size), g.size = 0;
    for (int t = 0; t < kMaxThreads; ++t) g.pointer[t] = append ? g.size : 0;
}

static void one_step(void) {
    switch (below(18)) {
    case 0:
    case 1: seek(); break;
    case 2: resize(); break;
    case 3: change(); break;
    case 4: reopen(); break;
    case 5: SAME(upc_all_fsync(g.fd), 0); break;
    default: move_data(); break;
    }
    const size_t mine = g.common ? 0 : upcr_mythread();
    SAME(upc_all_fseek(g.fd, 0, UPC_SEEK_CUR), g.pointer[mine]);
    compare_all();
}

static void overwrite_inputs(void) {
    for (size_t i = 0; i < upcr_threads() * (size_t)kPart; i += 8) {
        const uint64_t bits = spmd_random(&g.random);
        memcpy(g.shared + i, &bits, 8);
    }
    memcpy(upcr_shared_to_local(spmd_part(g.area, upcr_mythread(), 0)),
           g.shared + upcr_mythread() * (size_t)kPart, kPart);
    spmd_barrier();
}

static void run(void) {
    const char *const seed = getenv("SPMD_SEED");
    g.seed = seed != NULL ? strtoull(seed, NULL, 10) : 20240607;
    g.random = g.seed + upcr_threads();
    g.area = spmd_alloc(kPart);
    g.shared = (unsigned char *)malloc(upcr_threads() * (size_t)kPart);
    g.file = (unsigned char *)calloc(kFileMax, 1);
    g.mine = (unsigned char *)malloc(64 << 10);
    g.mine_model = (unsigned char *)malloc(64 << 10);
    io_test_name(g.name, "model");
    g.fd = upc_all_fopen(g.name, UPC_RDWR | UPC_CREATE | UPC_EXCL | UPC_INDIVIDUAL_FP, 0, NULL);
    if (upcr_isnull_pshared(g.fd)) SPMD_FAIL("cannot make %s: %s", g.name, strerror(errno));
    const int steps = (int)spmd_effort(160);
    for (g.step = 0; g.step < steps; ++g.step) {
        if (g.step % 40 == 0) overwrite_inputs();
        one_step();
    }
    SAME(upc_all_fclose(g.fd), 0);
    io_test_remove("model");
    free(g.shared);
    free(g.file);
    free(g.mine);
    free(g.mine_model);
}
SPMD_MAIN(run)
