// SPDX-License-Identifier: BSD-3-Clause
// Text put together in a caller's buffer without malloc, locale or stdio: for messages that a signal
// handler must be able to write. Text that does not fit is cut off; the text is always terminated.
// Any thread, any context.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upcr {

class SafeText {
 public:
  SafeText(char* buf, std::size_t size) noexcept : buf_(buf), room_(size - 1) { buf_[0] = '\0'; }

  SafeText& add(std::string_view text) noexcept {
    const std::size_t n = text.size() < room_ - used_ ? text.size() : room_ - used_;
    for (std::size_t i = 0; i < n; ++i) buf_[used_ + i] = text[i];
    return skip(n);
  }
  SafeText& add_number(std::uint64_t value) noexcept { return add_digits(value, 10); }
  SafeText& add_address(std::uint64_t value) noexcept { return add("0x").add_digits(value, 16); }

  // Where another writer may continue, and how many bytes it may write (terminator included).
  char* end() noexcept { return buf_ + used_; }
  std::size_t left() const noexcept { return room_ - used_ + 1; }
  // `n` bytes were written at end().
  SafeText& skip(std::size_t n) noexcept {
    used_ += n < room_ - used_ ? n : room_ - used_;
    buf_[used_] = '\0';
    return *this;
  }
  // Appends a newline, in place of the last character when the buffer is full.
  SafeText& end_line() noexcept {
    if (used_ == room_) --used_;
    return add("\n");
  }
  // Removes newlines from the end.
  SafeText& trim() noexcept {
    while (used_ > 0 && buf_[used_ - 1] == '\n') --used_;
    return skip(0);
  }
  void clear() noexcept { used_ = 0; }

  const char* data() const noexcept { return buf_; }
  std::size_t size() const noexcept { return used_; }

 private:
  SafeText& add_digits(std::uint64_t value, unsigned base) noexcept {
    char digits[20];
    std::size_t n = sizeof digits;
    do {
      digits[--n] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value != 0);
    return add({digits + n, sizeof digits - n});
  }

  char* buf_;
  std::size_t room_;  // characters, terminator not counted
  std::size_t used_ = 0;
};

// Writes all of it: retries interrupted, partial and (on a non-blocking descriptor) refused writes.
void write_all(int fd, const char* data, std::size_t bytes) noexcept;

}  // namespace upcr
