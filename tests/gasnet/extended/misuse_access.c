/* SPDX-License-Identifier: BSD-3-Clause */
/* An error in remote access that the debug library detects, named by the argument. */
#include <gasnet_vis.h>

#include "extended.h"

static void access_mistake(const char *what) {
    char buf[64] = "";
    char *mine = base_of[gasnet_mynode()], *end = mine + (size_t)gasnet_nodes() * AREA;
    const gasnet_node_t me = gasnet_mynode(), n = gasnet_nodes();
    gasnet_handle_t h = gasnet_put_nb_bulk(me, mine, buf, 8);
    if (!strcmp(what, "node")) gasnet_put(n, mine, buf, 8);
    if (!strcmp(what, "before")) gasnet_get_bulk(buf, me, mine - 1, 8);
    if (!strcmp(what, "behind")) gasnet_put_nbi(me, end - 7, buf, 8);
    if (!strcmp(what, "memset")) gasnet_memset(me, end, 0, 1);
    if (!strcmp(what, "width")) gasnet_put_val(me, mine, 0, 9);
    if (!strcmp(what, "twice")) gasnet_wait_syncnb(h), gasnet_wait_syncnb(h);
    if (!strcmp(what, "again")) gasnet_wait_syncnb(h), gasnet_put_nb(me, mine, buf, 8), gasnet_try_syncnb(h);
    if (!strcmp(what, "garbage")) gasnet_wait_syncnb((gasnet_handle_t)(void *)buf);
    if (!strcmp(what, "nested")) gasnet_begin_nbi_accessregion(), gasnet_begin_nbi_accessregion();
    if (!strcmp(what, "end")) gasnet_end_nbi_accessregion();
    if (!strcmp(what, "inside")) gasnet_begin_nbi_accessregion(), gasnet_wait_syncnbi_all();
    if (!strcmp(what, "lock")) {
        static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
        gasnet_hsl_lock(&lock);
        gasnet_get(buf, me, mine, 8);
    }
    {
        gasnet_memvec_t there[2], here[1];
        void *list[1];
        size_t strides[1] = {4}, count[2] = {8, 2};
        list[0] = end - 4;
        there[0].addr = mine, there[0].len = 4, there[1].addr = end - 1, there[1].len = 2;
        here[0].addr = buf, here[0].len = 7;
        if (!strcmp(what, "sums")) gasnet_putv_bulk(me, 2, there, 1, here);
        here[0].len = 6;
        if (!strcmp(what, "vector")) gasnet_getv_bulk(1, here, me, 2, there);
        if (!strcmp(what, "indexed")) gasnet_puti_nbi_bulk(me, 1, list, 5, 1, list, 5);
        if (!strcmp(what, "stride")) gasnet_puts_bulk(me, mine, strides, buf, strides, count, 1);
        strides[0] = 8;
        if (!strcmp(what, "strided")) gasnet_puts_bulk(me, end - 15, strides, buf, strides, count, 1);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "early")) gasnet_wait_syncnbi_all();
    start_client(&argc, &argv);
    CHECK(argc == 2);
    if (gasnet_mynode() == gasnet_nodes() - 1) access_mistake(argv[1]);
    barrier();
    gasnet_exit(0);
    return 0;
}
