// SPDX-License-Identifier: BSD-3-Clause
// Answers upcr_info --job (report_address.hpp): any process of the same user, or of root, gets a report.
// Never blocks. Single-threaded.
#pragma once
#include <poll.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/upcrun/base/unique_fd.hpp"

namespace upcrun {

class ReportSocket {
 public:
  using Done = std::function<void(const std::string& report)>;
  // Listens at the address of `upcrun`. `request` makes a report, and calls its argument then. A system
  // without such sockets has no reports.
  ReportSocket(pid_t upcrun, std::function<void(Done)> request);

  // Appends the descriptors to poll; handle() takes the same entries after poll().
  void collect(std::vector<pollfd>& fds) const;
  void handle(const pollfd* fds, std::size_t count);

 private:
  static constexpr std::size_t kMaxClients = 16;
  struct Client {
    UniqueFd socket;
    bool ready = false;  // the text is complete
    std::string text;
    std::size_t written = 0;
  };
  void accept_one();
  static void write(Client& client);

  UniqueFd listener_;
  const std::function<void(Done)> request_;
  std::vector<std::shared_ptr<Client>> clients_;
};

}  // namespace upcrun
