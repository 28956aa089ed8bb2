// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/fabric/channels.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace emulated {
namespace {

std::string path_of(Fabric& fabric, std::uint32_t channel) {
  return fabric.directory() + "/channel." + std::to_string(channel);
}

}  // namespace

std::uint32_t open_channel(Fabric& fabric, int* fd) {
  Channel* channel = fabric.shared().channels.take(fabric.process());
  if (channel == nullptr) {
    errno = ENOMEM;
    return 0;
  }
  const std::string path = path_of(fabric, channel->id);
  ::unlink(path.c_str());  // of a process that died
  // For writing too, so that it never ends.
  if (::mkfifo(path.c_str(), 0600) != 0 || (*fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC)) < 0) {
    channel->used = false;
    return 0;
  }
  return channel->id;
}

void close_channel(Fabric& fabric, std::uint32_t channel, int fd) {
  ::close(fd);
  ::unlink(path_of(fabric, channel).c_str());
  if (Channel* c = fabric.shared().channels.find(channel); c != nullptr) c->used = false;
}

void tell(Fabric& fabric, std::uint32_t channel, const Event& event) {
  if (fabric.shared().channels.find(channel) == nullptr) return;
  const int fd = ::open(path_of(fabric, channel).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;  // its process has died
  if (::write(fd, &event, sizeof event) != sizeof event)
    std::fprintf(stderr, "emulated verbs: an event was lost: too many are waiting to be read\n");
  ::close(fd);
}

void tell_context(Fabric& fabric, std::uint32_t context, ibv_event_type type, std::uint32_t element) {
  if (const Context* c = fabric.shared().contexts.find(context); c != nullptr)
    tell(fabric, c->channel, {static_cast<std::uint32_t>(type), element});
}

bool next_event(int fd, Event* event) {
  return ::read(fd, event, sizeof *event) == static_cast<ssize_t>(sizeof *event);
}

}  // namespace emulated
