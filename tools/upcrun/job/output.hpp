// SPDX-License-Identifier: BSD-3-Clause
// The output of the processes: read from their pipes, emitted in whole lines. Reading stops while the
// reader of our own output is behind (the pipes then hold the processes back); nothing here ever blocks,
// so that a stuck terminal cannot keep a job alive.
#pragma once
#include <poll.h>

#include <cstddef>
#include <string>
#include <vector>

namespace upcrun {

class Output {
 public:
  // Looks at stdout and stderr. `hold_lines`: more than one process writes, so only whole lines go out.
  explicit Output(bool hold_lines);

  // True when stdout and stderr lead to the same place. One pipe then carries both of a process, which
  // keeps their order.
  bool merged() const noexcept { return merged_; }
  // Takes over the reading end of a process's pipe. `error`: it carries stderr.
  void add(int fd, bool error, std::string label);
  // The output of a process elsewhere, which comes with append_remote(). Returns the stream's number.
  std::size_t add_remote(bool error, std::string label);
  void append_remote(std::size_t stream, const char* data, std::size_t bytes);
  // Whether the reader of our output has taken so much that more may come from this stream.
  bool remote_has_room(std::size_t stream) const noexcept;
  // A line of upcrun's own, on stderr.
  void message(const std::string& line);

  // The job ends: takes what has been written so far, so that the reason comes after it, and from now on
  // reads even if our reader is behind, so that processes can write their last words.
  void hurry();

  // What to poll for; and what to do afterwards with the same entries.
  void collect(std::vector<pollfd>& fds) const;
  void handle(const pollfd* fds, std::size_t count);

  // Everything that is in the pipes now, and unfinished last lines, goes to the queues. Closes the pipes.
  void finish();
  // Nothing is waiting to be written (or nobody reads it any more).
  bool drained() const noexcept;
  bool stdout_broken() const noexcept { return sinks_[0].broken; }
  // Why stdout, or stderr, cannot be written: errno; 0 where it can, or its reader has left.
  int stdout_error() const noexcept { return sinks_[0].error; }
  int stderr_error() const noexcept { return sinks_[1].error; }
  // After the last output: gives stdout up, because some file systems tell of a full disk only then.
  void close();

 private:
  struct Sink {
    explicit Sink(int descriptor);
    int fd;
    bool regular = false;  // a file: never blocks
    bool broken = false;
    int error = 0;
    bool mid_line = false;  // the last byte queued was not a newline
    std::string queue;
    std::size_t written = 0;
    std::size_t waiting() const noexcept { return queue.size() - written; }
  };
  struct Stream {
    int fd;
    int sink;
    std::string label;
    std::string partial;  // of the line being assembled
  };

  bool ready(Stream& stream);
  void take(Stream& stream, const char* data, std::size_t bytes);
  void emit(Sink& sink, const std::string& label, const char* line, std::size_t bytes);
  void end(Stream& stream);
  void write(Sink& sink);
  static void note_error(Sink& sink, int error);

  const bool hold_lines_;
  bool merged_ = false;
  std::size_t queue_limit_;  // reading stops above
  Sink sinks_[2];
  std::vector<Stream> streams_;
  std::vector<Stream> remote_;  // without a descriptor
  std::vector<char> buffer_;    // for one read(); the stack may be small (ulimit -s)
};

}  // namespace upcrun
