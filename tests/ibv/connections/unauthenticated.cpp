// SPDX-License-Identifier: BSD-3-Clause
// A process that is not of the job requests connections with one of the job's processes, without its secret.
//   ibv_unauthenticated ADDRESS PORT
// Prints "rejected: WHAT" for each, and ends with status 1 when one was not.
#include <arpa/inet.h>
#include <rdma/rdma_cma.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "conduits/net/ibv/connector/handshake.hpp"

namespace upcr::ibv {
namespace {

sockaddr_in address{};

rdma_cm_event_type next_event(rdma_event_channel* channel) {
  rdma_cm_event* event = nullptr;
  if (::rdma_get_cm_event(channel, &event) != 0) return RDMA_CM_EVENT_ADDR_ERROR;
  const rdma_cm_event_type type = event->event;
  ::rdma_ack_cm_event(event);
  return type;
}

// The event that ends the request; any other one on the way ends the program.
rdma_cm_event_type request(const void* data, std::size_t bytes) {
  const auto require = [](bool ok, const char* what) {
    if (!ok) std::perror(what), std::exit(1);
  };
  rdma_event_channel* channel = ::rdma_create_event_channel();
  require(channel != nullptr, "rdma_create_event_channel");
  rdma_cm_id* id = nullptr;
  require(::rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP) == 0, "rdma_create_id");
  require(::rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr*>(&address), 5000) == 0,
          "rdma_resolve_addr");
  require(next_event(channel) == RDMA_CM_EVENT_ADDR_RESOLVED, "the address");
  require(::rdma_resolve_route(id, 5000) == 0, "rdma_resolve_route");
  require(next_event(channel) == RDMA_CM_EVENT_ROUTE_RESOLVED, "the route");
  ibv_qp_init_attr attributes{};
  attributes.qp_type = IBV_QPT_RC;
  attributes.cap = {1, 1, 1, 1, 0};
  require(::rdma_create_qp(id, nullptr, &attributes) == 0, "rdma_create_qp");
  rdma_conn_param p{};
  p.private_data = data;
  p.private_data_len = static_cast<std::uint8_t>(bytes);
  p.responder_resources = p.initiator_depth = 1;
  p.retry_count = p.rnr_retry_count = 7;
  require(::rdma_connect(id, &p) == 0, "rdma_connect");
  const rdma_cm_event_type reply = next_event(channel);
  ::rdma_destroy_qp(id);
  ::rdma_destroy_id(id);
  ::rdma_destroy_event_channel(channel);
  return reply;
}

bool is_rejected(const char* what, const void* data, std::size_t bytes) {
  const rdma_cm_event_type reply = request(data, bytes);
  const bool rejected = reply == RDMA_CM_EVENT_REJECTED;
  std::printf("%s: %s (%s)\n", rejected ? "rejected" : "NOT REJECTED", what, ::rdma_event_str(reply));
  return rejected;
}

// iWARP listens on TCP: sends bytes that are not even its protocol.
void connect_by_tcp() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    static constexpr char kGarbage[] = "GET / HTTP/1.0\r\n\r\n";
    (void)!::write(fd, kGarbage, sizeof kGarbage);
    std::printf("sent garbage by TCP\n");
  }
  ::close(fd);
}

int run(int argc, char** argv) {
  if (argc != 3 || ::inet_pton(AF_INET, argv[1], &address.sin_addr) != 1) return 2;
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(argv[2])));
  ::alarm(120);  // in case no reply comes
  Hello hello;
  hello.secret = 42;
  hello.rank = 1;
  const std::vector<unsigned char> garbage(56, 0xa5);
  bool all = is_rejected("no private data", nullptr, 0);
  all = is_rejected("garbage", garbage.data(), garbage.size()) && all;
  all = is_rejected("too short", &hello, 8) && all;
  all = is_rejected("a wrong secret", &hello, sizeof hello) && all;
  connect_by_tcp();
  return all ? 0 : 1;
}

}  // namespace
}  // namespace upcr::ibv

int main(int argc, char** argv) { return upcr::ibv::run(argc, argv); }
