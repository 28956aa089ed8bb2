// SPDX-License-Identifier: BSD-3-Clause
// The output of the processes: read from their pipes and written in whole lines. While the reader of upcrun's
// own output is slow, reading stops, and the full pipes slow the processes down. Nothing here ever blocks, so
// a stuck terminal cannot keep a job alive.
#pragma once
#include <poll.h>

#include <cstddef>
#include <string>
#include <vector>

namespace upcrun {

class Output {
 public:
  // Writes to stdout and stderr of this process, or to a file for each of `processes` processes in `folder`,
  // unless that is empty. `hold_lines`: several processes write, so only whole lines are written.
  Output(bool hold_lines, const std::string& folder, unsigned processes);

  // Whether both streams of a process go to one file. One pipe then carries both, which keeps their order.
  bool merged() const noexcept { return merged_ || !folder_.empty(); }
  // Adds the reading end of a pipe of process `rank`, which this object then owns. `error`: it carries
  // stderr.
  void add(unsigned rank, int fd, bool error, std::string label);
  // Adds a stream of a process with an agent, whose output comes through append_remote(). Returns its number.
  std::size_t add_remote(unsigned rank, bool error, std::string label);
  void append_remote(std::size_t stream, const char* data, std::size_t bytes);
  // Whether more output of this stream may be accepted, because the reader of upcrun's output is not behind.
  bool remote_has_room(std::size_t stream) const noexcept;
  // Writes a line of upcrun's own to stderr.
  void message(const std::string& line);

  // For the end of the job: reads what has been written so far, so that the reason for the end comes after
  // it. From now on reads even if the reader is behind, so that processes can write their last output.
  void start_draining();

  // Appends the descriptors to poll; handle() takes the same entries after poll().
  void collect(std::vector<pollfd>& fds) const;
  void handle(const pollfd* fds, std::size_t count);

  // Queues everything that is in the pipes, and incomplete last lines. Closes the pipes.
  void finish();
  // Whether nothing is left to write, or the output has no reader any more.
  bool drained() const noexcept;
  bool stdout_broken() const noexcept { return sinks_[0].broken; }
  // The errno with which writing stdout, or stderr, has failed; 0 for none, or a closed pipe.
  int stdout_error() const noexcept { return sinks_[0].error; }
  int stderr_error() const noexcept { return sinks_[1].error; }
  // "DIR/rank.3: No space left on device" for the first file of a process that cannot be written; or nothing.
  const std::string& file_error() const noexcept { return file_error_; }
  // Closes stdout after the last output, because some file systems report a full disk only then.
  void close();

 private:
  struct Sink {
    explicit Sink(int descriptor, std::string file = {});
    int fd;
    std::string path;      // of a file that one process writes alone; empty: stdout or stderr
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
    std::size_t sink;
    std::string label;
    std::string partial;  // of the line being assembled
  };

  bool read_stream(Stream& stream);
  void append(Stream& stream, const char* data, std::size_t bytes);
  void emit(Sink& sink, const std::string& label, const char* line, std::size_t bytes);
  void end(Stream& stream);
  void write(Sink& sink);
  void note_error(Sink& sink, int error);

  std::size_t sink_for(unsigned rank, bool error);

  const bool hold_lines_;
  const std::string folder_;
  const unsigned processes_;
  std::string file_error_;
  bool merged_ = false;
  std::size_t queue_limit_;           // in bytes; reading stops above it
  std::vector<Sink> sinks_;           // stdout, stderr, then the files
  std::vector<std::size_t> file_of_;  // the sink of a process; 0: it has no file yet
  std::vector<Stream> streams_;
  std::vector<Stream> remote_;  // without a descriptor
  std::vector<char> buffer_;    // for one read(); the stack may be small (ulimit -s)
};

}  // namespace upcrun
