// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/send_path.hpp"

#include <cstring>
#include <string>

namespace upcr::ibv {

void SendPath::refused(Link& link, int error) {
  if (link.broken) return;
  link.broken = true;
  connections_->report_broken(link.rank, std::string(link.queues->device().name()) +
                                             " accepts no work for the connection to " +
                                             connections_->name_of(link.rank) + ": " + std::strerror(error));
}

}  // namespace upcr::ibv
