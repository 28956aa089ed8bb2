// SPDX-License-Identifier: BSD-3-Clause
// Fibers: a stack for each of many ranks, all run by one thread. A stack uses address space, and memory only
// for the pages that it touches. There are no guard pages (the kernel limits the number of mappings): a
// canary at the end of each stack is checked whenever its fiber stops.
#pragma once
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upcr::scale {

class Fibers {
 public:
  static constexpr std::size_t kStack = 64 << 10;
  explicit Fibers(std::uint32_t count);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  // The next resume() runs body(context, number). The previous body has returned.
  void prepare(std::uint32_t number, void (*body)(void* context, std::uint32_t number), void* context);
  void resume(std::uint32_t number);  // returns when the fiber calls stop(), or its body returns
  void stop();                        // on a fiber

 private:
  static void start();
  char* stack(std::uint32_t number) const noexcept { return stacks_ + number * kStack; }

  std::vector<ucontext_t> contexts_;
  ucontext_t outside_{};
  char* stacks_;
  std::size_t bytes_;
  std::uint32_t running_ = 0;
  void (*body_)(void*, std::uint32_t) = nullptr;
  void* context_ = nullptr;
  static Fibers* current;
};

}  // namespace upcr::scale
