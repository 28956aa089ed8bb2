// SPDX-License-Identifier: BSD-3-Clause
// Active messages of upcr_perf, by the library's inner interface (there is no public one in UPC). Two threads
// of different processes that exchange messages are a pair; several pairs may do so at once, one thread of a
// process belongs to one pair.
#pragma once
#include <cstddef>
#include <cstdint>

namespace perf {

inline constexpr unsigned kPairs = 8;                      // at most, numbered from 0
inline constexpr std::size_t kLargestMessage = 64u << 10;  // of Long messages
inline constexpr unsigned kMostArguments = 16, kLongArguments = 2;

// A request, answered in kind: as many arguments, as many bytes.
struct Message {
  unsigned arguments = 0;
  const void* data = nullptr;
  std::size_t bytes = 0;    // 0: Short
  std::uint64_t there = 0;  // not 0: Long, to this address over there,
  std::uint64_t here = 0;   // answered to this one; these are its kLongArguments arguments
};

// Every process once, before a barrier.
void register_messages();
const char* conduit_name();
std::size_t largest_medium();
std::size_t heap_bytes();  // of each thread
// Does the thread live in another process than the caller?
bool in_other_process(unsigned thread);

// One side: `times` requests to the thread's process, each answered before the next.
void ask(unsigned thread, const Message& message, std::uint64_t times, unsigned pair = 0);
// The other side: until so many requests have come since the last serve(). Who gets a Medium message copies
// it into private memory, who gets a Long one reads it where it is; the data of an answer comes from other private
// memory.
void serve(std::uint64_t times, unsigned pair = 0);

// One side sends requests that are not answered, and waits for a word that all of them were handled;
void flood(unsigned thread, const Message& message, std::uint64_t times, unsigned pair = 0);
// the other, which `thread` floods, handles them and sends the word.
void soak(unsigned thread, std::uint64_t times, unsigned pair = 0);

}  // namespace perf
