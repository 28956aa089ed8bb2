// SPDX-License-Identifier: BSD-3-Clause
// Coroutines: a collective's algorithm is written once for blocking and non-blocking calls. A task suspends
// where it would wait, and its owner (a blocking call, the list of non-blocking ones) resumes it when the
// condition that it waits for holds. One thread at a time.
#pragma once
#include <coroutine>
#include <utility>

#include "conduits/core/base/report/error.hpp"

namespace upcr {

class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> next = std::noop_coroutine();  // awaits this one
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept {
        return h.promise().next;
      }
      void await_resume() noexcept {}
    };
    Task get_return_object() noexcept { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { fatal("internal error: an exception in a collective"); }
  };

  Task() = default;
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  void start() { handle_.resume(); }
  bool done() const noexcept { return handle_.done(); }

  // co_await task: runs it to its end.
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle_.promise().next = awaiting;
    return handle_;
  }
  void await_resume() noexcept {}

 private:
  using Handle = std::coroutine_handle<promise_type>;
  explicit Task(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace upcr
