// SPDX-License-Identifier: BSD-3-Clause
// A C++ client with GASNET_SEGMENT_EVERYTHING: Long messages into static, automatic and allocated memory,
// whose addresses travel in Medium messages.
#include "../client.h"

#ifndef GASNET_SEGMENT_EVERYTHING
#  error
#endif

namespace {

struct Addresses {
  char* of[3];
};
char in_static[3000];
Addresses addresses[64];
int known, written, acknowledged;

void on_addresses(gasnet_token_t token, void* buf, size_t n) {
  gasnet_node_t from;
  CALL(gasnet_AMGetMsgSource(token, &from));
  CHECK(n == sizeof(Addresses));
  memcpy(&addresses[from], buf, n);
  ++known;
}
void write_here(gasnet_token_t token, void* buf, size_t n, gasnet_handlerarg_t high,
                gasnet_handlerarg_t low) {
  const uint64_t address = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
  CHECK((uint64_t)(uintptr_t)buf == address);
  CHECK(n == 1234 && ((char*)buf)[n - 1] == 55);
  ++written;
  CALL(gasnet_AMReplyLong0(token, 202, buf, 0, buf));
}
void done(gasnet_token_t, void*, size_t n) {
  CHECK(n == 0);
  ++acknowledged;
}

}  // namespace

int main(int argc, char** argv) {
  gasnet_handlerentry_t table[] = {
      {200, (void (*)())on_addresses}, {201, (void (*)())write_here}, {202, (void (*)())done}};
  char on_stack[3000], data[1234];
  CALL(gasnet_init(&argc, &argv));
  CHECK(gasnet_getMaxLocalSegmentSize() == (uintptr_t)-1 &&
        gasnet_getMaxGlobalSegmentSize() == (uintptr_t)-1);
  CALL(gasnet_attach(table, 3, 0, 0));
  const gasnet_node_t n = gasnet_nodes(), me = gasnet_mynode();
  gasnet_seginfo_t* segments = (gasnet_seginfo_t*)calloc(n, sizeof *segments);
  CALL(gasnet_getSegmentInfo(segments, (int)n));
  for (gasnet_node_t i = 0; i < n; ++i)
    CHECK(segments[i].addr == nullptr && segments[i].size == (uintptr_t)-1);
  Addresses mine = {{in_static, on_stack, (char*)malloc(3000)}};
  for (gasnet_node_t i = 0; i < n; ++i) CALL(gasnet_AMRequestMedium0(i, 200, &mine, sizeof mine));
  GASNET_BLOCKUNTIL(known == (int)n);
  memset(data, 55, sizeof data);
  const gasnet_node_t to = (me + 1) % n;
  for (int k = 0; k < 3; ++k) {
    char* const dst = addresses[to].of[k] + 7;
    const uint64_t a = (uintptr_t)dst;
    CALL(gasnet_AMRequestLong2(to, 201, data, sizeof data, dst, (gasnet_handlerarg_t)(a >> 32),
                               (gasnet_handlerarg_t)a));
  }
  GASNET_BLOCKUNTIL(written == 3 && acknowledged == 3);
  for (int k = 0; k < 3; ++k) CHECK(mine.of[k][7] == 55 && mine.of[k][7 + 1233] == 55);
  barrier();
  gasnet_exit(0);
}
