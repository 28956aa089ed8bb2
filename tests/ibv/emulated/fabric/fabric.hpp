// SPDX-License-Identifier: BSD-3-Clause
// This process's part in the fabric: the shared file, mapped, and its mutex.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/ibv/emulated/fabric/layout.hpp"

namespace emulated {

class Fabric {
 public:
  // The fabric in the directory of the settings, which is made there by the first process. Ends the process
  // with a message if that is not possible.
  static Fabric& get();

  Shared& shared() noexcept { return *reinterpret_cast<Shared*>(base_); }
  std::byte* base() noexcept { return base_; }
  template <typename T>
  T* at(Offset offset) noexcept {
    return reinterpret_cast<T*>(base_ + offset);
  }
  const std::string& directory() const noexcept { return directory_; }
  std::uint16_t process() const noexcept { return process_; }

  void lock() noexcept;
  void unlock() noexcept;

 private:
  explicit Fabric(const std::string& directory);
  void initialise();
  void enter();

  std::string directory_;
  std::byte* base_ = nullptr;
  std::uint16_t process_ = 0;
};

// Holds the mutex of the fabric.
class Guard {
 public:
  Guard() noexcept : fabric_(Fabric::get()) { fabric_.lock(); }
  ~Guard() { fabric_.unlock(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  Fabric& fabric() noexcept { return fabric_; }
  Shared& shared() noexcept { return fabric_.shared(); }

 private:
  Fabric& fabric_;
};

// Ends the process with this message and that of errno.
[[noreturn]] void give_up(const char* what);

}  // namespace emulated
