// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <utility>

namespace upcrun {
namespace {

constexpr std::size_t kRead = 64 * 1024;
constexpr std::size_t kQueueLimit = 1 << 20;
constexpr std::size_t kDrainQueueLimit = 64 << 20;
constexpr std::size_t kMaxLineBytes = 256u << 20;  // longer lines are emitted in parts, to bound the memory
constexpr std::size_t kMaxPipeWrite =
    4096;  // does not block on a pipe or terminal that poll() reports as writable

bool same_file(int a, int b) {
  struct stat x, y;
  return ::fstat(a, &x) == 0 && ::fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
         x.st_rdev == y.st_rdev;
}

bool is_regular(int fd) {
  struct stat st;
  return ::fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

}  // namespace

Output::Sink::Sink(int descriptor, std::string file)
    : fd(descriptor), path(std::move(file)), regular(is_regular(descriptor)) {}

Output::Output(bool hold_lines, const std::string& folder, unsigned processes)
    : hold_lines_(hold_lines),
      folder_(folder),
      processes_(processes),
      merged_(same_file(STDOUT_FILENO, STDERR_FILENO)),
      queue_limit_(kQueueLimit),
      sinks_{Sink(STDOUT_FILENO), Sink(STDERR_FILENO)},
      file_of_(folder.empty() ? 0 : processes),
      buffer_(kRead) {}

// Opens the file of a process; the numbers in names have the same length, so that they are sorted.
std::size_t Output::sink_for(unsigned rank, bool error) {
  if (folder_.empty()) return error && !merged_ ? 1 : 0;
  if (file_of_[rank] != 0) return file_of_[rank];
  std::string number = std::to_string(rank);
  const std::size_t length = std::to_string(processes_ - 1).size();
  number.insert(0, length - number.size(), '0');
  const std::string path = folder_ + "/rank." + number;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const int error_of_open = errno;
  sinks_.emplace_back(fd, path);
  if (fd < 0) {
    note_error(sinks_.back(), error_of_open);
    sinks_.back().broken = true;
  }
  file_of_[rank] = sinks_.size() - 1;
  return file_of_[rank];
}

void Output::add(unsigned rank, int fd, bool error, std::string label) {
  (void)::fcntl(fd, F_SETFL, O_NONBLOCK);
  streams_.push_back({fd, sink_for(rank, error), std::move(label), {}});
}

std::size_t Output::add_remote(unsigned rank, bool error, std::string label) {
  remote_.push_back({-1, sink_for(rank, error), std::move(label), {}});
  return remote_.size() - 1;
}

void Output::append_remote(std::size_t stream, const char* data, std::size_t bytes) {
  append(remote_[stream], data, bytes);
  write(sinks_[remote_[stream].sink]);
}

bool Output::remote_has_room(std::size_t stream) const noexcept {
  return sinks_[remote_[stream].sink].waiting() < queue_limit_;
}

void Output::message(const std::string& line) {
  Sink& sink = sinks_[merged_ && !sinks_[0].broken ? 0 : 1];  // if stdout is broken, stderr may still be open
  if (sink.mid_line && !hold_lines_) sink.queue += '\n';
  emit(sink, {}, (line + "\n").c_str(), line.size() + 1);
  write(sink);
}

void Output::start_draining() {
  queue_limit_ = kDrainQueueLimit;
  for (Stream& stream : streams_)
    if (stream.fd >= 0) (void)read_stream(stream);
}

void Output::collect(std::vector<pollfd>& fds) const {
  for (const Sink& sink : {std::cref(sinks_[0]), std::cref(sinks_[1])})
    fds.push_back({sink.waiting() != 0 ? sink.fd : -1, POLLOUT, 0});
  for (const Stream& stream : streams_) {
    const bool room = sinks_[stream.sink].waiting() < queue_limit_;
    fds.push_back({room ? stream.fd : -1, POLLIN, 0});
  }
}

void Output::handle(const pollfd* fds, std::size_t count) {
  for (std::size_t i = 0; i < 2; ++i)
    if (fds[i].revents != 0) write(sinks_[i]);
  for (std::size_t i = 2; i < count; ++i)
    if (fds[i].revents != 0 && !read_stream(streams_[i - 2])) end(streams_[i - 2]);
  for (Sink& sink : sinks_) write(sink);
  std::erase_if(streams_, [](const Stream& stream) { return stream.fd < 0; });
}

// Reads once. Returns false at the end of the stream.
bool Output::read_stream(Stream& stream) {
  const ssize_t got = ::read(stream.fd, buffer_.data(), buffer_.size());
  if (got > 0) append(stream, buffer_.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

void Output::append(Stream& stream, const char* data, std::size_t bytes) {
  Sink& sink = sinks_[stream.sink];
  if (!hold_lines_ || !sink.path.empty()) return emit(sink, {}, data, bytes);
  while (const void* newline = std::memchr(data, '\n', bytes)) {
    const std::size_t length = static_cast<std::size_t>(static_cast<const char*>(newline) - data) + 1;
    if (stream.partial.empty()) {
      emit(sink, stream.label, data, length);
    } else {
      stream.partial.append(data, length);
      emit(sink, stream.label, stream.partial.data(), stream.partial.size());
      stream.partial.clear();
    }
    data += length;
    bytes -= length;
  }
  stream.partial.append(data, bytes);
  if (stream.partial.size() > kMaxLineBytes) {
    emit(sink, stream.label, stream.partial.data(), stream.partial.size());
    stream.partial = {};
  }
}

void Output::emit(Sink& sink, const std::string& label, const char* line, std::size_t bytes) {
  if (sink.broken || bytes == 0) return;
  if (hold_lines_ && sink.path.empty() && sink.mid_line)
    sink.queue += '\n';  // the last line of another process was incomplete
  sink.queue += label;
  sink.queue.append(line, bytes);
  sink.mid_line = line[bytes - 1] != '\n';
}

void Output::end(Stream& stream) {
  emit(sinks_[stream.sink], stream.label, stream.partial.data(), stream.partial.size());
  if (stream.fd >= 0) ::close(stream.fd);
  stream.fd = -1;
}

// Writes as much as possible without blocking.
void Output::write(Sink& sink) {
  while (sink.waiting() != 0) {
    pollfd ask{sink.fd, POLLOUT, 0};
    if (!sink.regular && ::poll(&ask, 1, 0) <= 0) break;
    const std::size_t most = sink.regular ? sink.waiting() : std::min(sink.waiting(), kMaxPipeWrite);
    const ssize_t done = ::write(sink.fd, sink.queue.data() + sink.written, most);
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (done < 0) {
      note_error(sink, errno);
      sink.broken = true;
      sink.written = sink.queue.size();
      break;
    }
    sink.written += static_cast<std::size_t>(done);
  }
  if (sink.waiting() == 0) {
    sink.queue.clear();
    sink.written = 0;
  } else if (sink.written > kQueueLimit) {
    sink.queue.erase(0, sink.written);
    sink.written = 0;
  }
}

// A closed pipe is no error, nor is a stream that was closed from the start.
void Output::note_error(Sink& sink, int error) {
  if (!sink.path.empty() && file_error_.empty()) file_error_ = sink.path + ": " + std::strerror(error);
  if (error != EPIPE && error != EBADF) sink.error = error;
}

void Output::close() {
  Sink& sink = sinks_[0];
  if (sink.broken || ::close(sink.fd) == 0 || errno == EINTR) return;
  note_error(sink, errno);
  sink.broken = true;
}

void Output::finish() {
  for (Stream& stream : streams_) {
    // No process writes any more, so reading what the pipe holds does not block.
    for (ssize_t got; (got = ::read(stream.fd, buffer_.data(), buffer_.size())) > 0;)
      append(stream, buffer_.data(), static_cast<std::size_t>(got));
    end(stream);
  }
  streams_.clear();
  for (Stream& stream : remote_) end(stream);
  remote_.clear();
  for (Sink& sink : sinks_) write(sink);
}

bool Output::drained() const noexcept {
  return std::all_of(sinks_.begin(), sinks_.end(), [](const Sink& sink) { return sink.waiting() == 0; });
}

}  // namespace upcrun
