// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/protocol/link.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace upcrun {
namespace {

constexpr std::size_t kRead = 128 * 1024;
constexpr std::size_t kCompact = 1 << 20;  // consumed bytes at which a buffer is compacted

}  // namespace

void set_up_socket(int fd) {
  const auto set = [fd](int level, int name, int value) {
    (void)::setsockopt(fd, level, name, &value, sizeof value);
  };
  (void)::fcntl(fd, F_SETFL, O_NONBLOCK);
  (void)::fcntl(fd, F_SETFD, FD_CLOEXEC);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, kDeadPeerSeconds / 5);
  set(IPPROTO_TCP, TCP_KEEPINTVL, kDeadPeerSeconds / 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, kDeadPeerSeconds * 1000);
}

Link::Link(UniqueFd socket, std::size_t max_frame) : socket_(std::move(socket)), max_frame_(max_frame) {}

bool Link::fill() {
  if (!socket_ || broken_) return false;
  const std::size_t before = in_.size();
  in_.resize(before + kRead);
  const ssize_t got = ::recv(socket_.get(), in_.data() + before, kRead, MSG_DONTWAIT);
  const int error = errno;
  in_.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
  return got > 0 || (got < 0 && (error == EAGAIN || error == EINTR));
}

std::optional<Message> Link::next() {
  if (consumed_ == in_.size() || consumed_ > kCompact) {
    in_.erase(0, consumed_);
    consumed_ = 0;
  }
  Frame frame;
  if (broken_ || in_.size() - consumed_ < sizeof frame) return std::nullopt;
  std::memcpy(&frame, in_.data() + consumed_, sizeof frame);
  if (frame.bytes > max_frame_ || frame.process >= processes_) {
    broken_ = true;
    return std::nullopt;
  }
  if (in_.size() - consumed_ - sizeof frame < frame.bytes) return std::nullopt;
  const std::string_view payload(in_.data() + consumed_ + sizeof frame, frame.bytes);
  consumed_ += sizeof frame + frame.bytes;
  return Message{frame.type, frame.value, payload, frame.process};
}

void Link::send(MessageType type, int value, std::string_view first, std::string_view second,
                unsigned process) {
  if (!socket_) return;
  const Frame frame{type, value, static_cast<std::uint32_t>(first.size() + second.size()), process};
  std::string& out = last_own_piece();
  out.append(reinterpret_cast<const char*>(&frame), sizeof frame);
  out.append(first);
  out.append(second);
  unsent_ += sizeof frame + first.size() + second.size();
  flush();
}

void Link::send_shared(MessageType type, int value, std::string_view first,
                       std::shared_ptr<const std::string> second, unsigned process) {
  if (!socket_) return;
  const Frame frame{type, value, static_cast<std::uint32_t>(first.size() + second->size()), process};
  std::string& out = last_own_piece();
  out.append(reinterpret_cast<const char*>(&frame), sizeof frame);
  out.append(first);
  unsent_ += sizeof frame + first.size() + second->size();
  if (!second->empty()) out_.push_back({{}, std::move(second)});
  flush();
}

std::string& Link::last_own_piece() {
  if (out_.empty() || out_.back().shared) out_.emplace_back();
  return out_.back().own;
}

void Link::flush() {
  while (socket_ && unsent_ != 0) {
    Piece& piece = out_.front();
    const std::string& bytes = piece.bytes();
    if (written_ == bytes.size()) {
      out_.pop_front();
      written_ = 0;
      continue;
    }
    const ssize_t done =
        ::send(socket_.get(), bytes.data() + written_, bytes.size() - written_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) break;
    if (done < 0) {  // the peer is gone, which fill() reports
      unsent_ = 0;
      break;
    }
    written_ += static_cast<std::size_t>(done);
    unsent_ -= static_cast<std::size_t>(done);
  }
  if (unsent_ == 0) {
    out_.clear();
    written_ = 0;
  } else if (!out_.front().shared && written_ > kCompact) {
    out_.front().own.erase(0, written_);
    written_ = 0;
  }
}

void Link::close() noexcept {
  socket_.reset();
  out_.clear();
  written_ = unsent_ = 0;
}

}  // namespace upcrun
