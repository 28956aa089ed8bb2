// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/fiber.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace upcr::scale {
namespace {

constexpr std::uint64_t kCanary = 0x656e642d6f662d73;

}  // namespace

Fibers* Fibers::current = nullptr;

Fibers::Fibers(std::uint32_t count) : contexts_(count), bytes_(count * kStack) {
  void* const p =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::perror("upcr_scale: no room for the ranks' stacks");
    std::exit(1);
  }
  stacks_ = static_cast<char*>(p);
}

Fibers::~Fibers() { ::munmap(stacks_, bytes_); }

void Fibers::start() {
  Fibers& f = *current;
  f.body_(f.context_, f.running_);
}

void Fibers::prepare(std::uint32_t number, void (*body)(void*, std::uint32_t), void* context) {
  body_ = body;
  context_ = context;
  *reinterpret_cast<std::uint64_t*>(stack(number)) = kCanary;
  ucontext_t& c = contexts_[number];
  ::getcontext(&c);
  c.uc_stack.ss_sp = stack(number);
  c.uc_stack.ss_size = kStack;
  c.uc_link = &outside_;
  ::makecontext(&c, start, 0);
}

void Fibers::resume(std::uint32_t number) {
  current = this;
  running_ = number;
  ::swapcontext(&outside_, &contexts_[number]);
  if (*reinterpret_cast<std::uint64_t*>(stack(number)) == kCanary) return;
  std::fprintf(stderr, "upcr_scale: rank %u has run over the end of its stack of %zu bytes\n", number,
               kStack);
  std::abort();
}

void Fibers::stop() { ::swapcontext(&contexts_[running_], &outside_); }

}  // namespace upcr::scale
