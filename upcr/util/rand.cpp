// SPDX-License-Identifier: BSD-3-Clause
// rand() and srand() of UPC threads: the C library's generator with a state a thread.
#include "include/upcr/rand.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

// 128 bytes: the size of the state of random(), and so of the C library's rand().
struct RandomState {
  bool ready;
  random_data generator;
  alignas(std::int32_t) char words[128];
};
thread_local RandomState state;  // zero at the thread's start; no constructor, so access is cheap

RandomState& seeded(unsigned seed) {
  std::memset(&state.generator, 0, sizeof state.generator);  // initstate_r reads it
  initstate_r(seed, state.words, sizeof state.words, &state.generator);
  state.ready = true;
  return state;
}

}  // namespace

int upcri_rand(void) {
  RandomState& mine = state.ready ? state : seeded(1);
  std::int32_t value;
  random_r(&mine.generator, &value);
  return value;
}

void upcri_srand(unsigned int seed) { seeded(seed); }
