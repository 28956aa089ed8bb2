// SPDX-License-Identifier: BSD-3-Clause
// How agents connect to upcrun: authentication on both sides, and connections of other programs.
#include "tools/upcrun/protocol/listener.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/upcrun/protocol_support.hpp"
#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/rendezvous.hpp"

namespace upcrun {
namespace {

// Records the agents that the listener accepts and the connections that it rejects.
struct TestListener {
  const Credentials credentials = Credentials::make();
  Listener listener;
  std::vector<Hello> agents;
  std::vector<Link> links;
  std::vector<std::string> rejected;

  explicit TestListener(std::size_t most) : listener(credentials, true, most) {
    listener.on_agent = [this](const Hello& hello, Link link) {
      agents.push_back(hello);
      links.push_back(std::move(link));
    };
    listener.on_rejected = [this](const std::string& what) { rejected.push_back(what); };
  }
  // Handles events until none has come for 50 ms.
  void run() {
    for (;;) {
      std::vector<pollfd> fds;
      listener.collect(fds);
      if (::poll(fds.data(), fds.size(), 50) <= 0) return;
      listener.handle(fds.data(), fds.size());
    }
  }
  Link connect() {
    UniqueFd fd(::socket(AF_INET, SOCK_STREAM, 0));
    const auto address = to_socket_address("127.0.0.1", listener.port());
    EXPECT_EQ(0, ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address->storage), address->length));
    return Link(std::move(fd), 1000);
  }
  // Connects and sends the token prefix, as an agent does.
  Link connect_as_agent() {
    Link link = connect();
    link.send(MessageType::kAuthBegin, kLinkVersion, credentials.token_prefix());
    return link;
  }
};

TEST(Listener, AcceptsAgentsWithTheSecret) {
  TestListener server(4);
  Link link = server.connect_as_agent();
  server.run();
  Message greeting{};
  ASSERT_TRUE(wait_for_message(link, 10'000, &greeting));
  EXPECT_EQ(server.credentials.job_token, greeting.payload);
  link.send(MessageType::kHello, kLinkVersion,
            Hello{kLinkVersion, server.credentials.secret, 2, 4, 5, "here"}.format());
  server.run();
  ASSERT_EQ(1u, server.agents.size());
  EXPECT_EQ(2, server.agents[0].rank);
  EXPECT_TRUE(server.rejected.empty());
  EXPECT_EQ(0u, server.listener.pending());
  link.send(MessageType::kStarted, 77);
  ASSERT_TRUE(wait_for_message(server.links[0], 10'000, &greeting));
  EXPECT_EQ(77, greeting.value);
}

TEST(Listener, RejectsAllOthers) {
  TestListener server(4);
  std::string almost = server.credentials.secret;
  almost.back() = almost.back() == '0' ? '1' : '0';
  const Frame endless{MessageType::kHello, 1, 1u << 31, 0};
  for (const std::string& words :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(100, '\0'),
        std::string(reinterpret_cast<const char*>(&endless), sizeof endless),
        frame(MessageType::kHello, 1, "nonsense"),
        frame(MessageType::kStarted, 1, Hello{1, server.credentials.secret, 0, 1, 1, "h"}.format()),
        frame(MessageType::kHello, 1, Hello{1, almost, 0, 1, 1, "h"}.format()),
        frame(MessageType::kHello, 1, Hello{1, "", 0, 1, 1, "h"}.format())}) {
    for (const bool well : {false, true}) {
      Link link = well ? server.connect_as_agent() : server.connect();
      ASSERT_EQ(static_cast<ssize_t>(words.size()), ::send(link.fd(), words.data(), words.size(), 0));
      const std::size_t before = server.rejected.size();
      server.run();
      EXPECT_EQ(before + 1, server.rejected.size()) << words;
    }
  }
  EXPECT_TRUE(server.agents.empty());
  EXPECT_EQ(0u, server.listener.pending());
}

TEST(Listener, KeepsFewPendingConnectionsForAShortTime) {
  TestListener server(4);
  std::vector<Link> idle;
  for (int i = 0; i < 10; ++i) {
    idle.push_back(server.connect());
    server.run();
  }
  EXPECT_EQ(4u, server.listener.pending());
  EXPECT_EQ(6u, server.rejected.size());
  EXPECT_GT(server.listener.next_deadline(), now_ms());
  EXPECT_LE(server.listener.next_deadline(), now_ms() + Listener::kAuthBeginTimeout);
  server.listener.check_deadlines();  // no time limit is over yet
  EXPECT_EQ(4u, server.listener.pending());
  // An agent is accepted nevertheless: other connections only displace each other.
  Link link = server.connect_as_agent();
  server.run();
  for (int i = 0; i < 10; ++i) {
    idle.push_back(server.connect());
    server.run();
  }
  EXPECT_EQ(4u, server.listener.pending());
  EXPECT_EQ(17u, server.rejected.size());
  link.send(MessageType::kHello, 1, Hello{1, server.credentials.secret, 0, 1, 1, "h"}.format());
  server.run();
  EXPECT_EQ(1u, server.agents.size());
}

TEST(Rendezvous, DoesNotSendTheSecretToAnotherProgram) {
  UniqueFd other(::socket(AF_INET, SOCK_STREAM, 0));
  SocketAddress address = *to_socket_address("127.0.0.1", 0);
  ASSERT_EQ(0, ::bind(other.get(), reinterpret_cast<sockaddr*>(&address.storage), address.length));
  ASSERT_EQ(0, ::listen(other.get(), 8));
  ASSERT_EQ(0, ::getsockname(other.get(), reinterpret_cast<sockaddr*>(&address.storage), &address.length));
  const unsigned port = ntohs(reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port);
  const pid_t child = ::fork();
  if (child == 0) {  // replies as another program would, and checks what it receives
    ::alarm(60);
    std::string received;
    for (int i = 0; i < 3 && received.find('b') == received.npos;
         ++i) {  // an agent that sent the secret would not connect again
      const int fd = ::accept(other.get(), nullptr, nullptr);
      const std::string words = frame(MessageType::kAuthReply, 1, "ffffffffffffffff");
      (void)!::write(fd, words.data(), words.size());
      char byte;
      while (::read(fd, &byte, 1) > 0) received += byte;
      ::close(fd);
    }
    _exit(!received.empty() && received.find('b') == received.npos ? 0 : 1);
  }
  const Rendezvous where{{"aaaaaaaaaaaaaaaa", std::string(32, 'b')}, port, {"127.0.0.1"}};
  const std::string why = failure_of([&] {
    return connect_to_upcrun(where, {1, std::string(32, 'b'), 0, 1, 1, "h"}).fd();
  });
  EXPECT_NE(std::string::npos, why.find("another program answers")) << why;
  int status = -1;
  ASSERT_EQ(child, ::waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

TEST(Rendezvous, TriesAgainAfterARejectionAmongMany) {
  TestListener server(4);
  const Rendezvous where{server.credentials, server.listener.port(), {"127.0.0.1"}};
  const pid_t child = ::fork();
  if (child == 0) {
    Link link = connect_to_upcrun(where, {kLinkVersion, where.credentials.secret, 3, 4, 1, "h"});
    Message launch_spec{};
    ::_exit(wait_for_message(link, 60'000, &launch_spec) && launch_spec.type == MessageType::kLaunchSpec ? 0
                                                                                                         : 1);
  }
  // The first connections are closed before they are read.
  pollfd wait{-1, POLLIN, 0};
  std::vector<pollfd> fds;
  server.listener.collect(fds);
  wait.fd = fds[0].fd;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(1, ::poll(&wait, 1, 60'000));
    ::close(::accept(wait.fd, nullptr, nullptr));
  }
  for (int i = 0; i < 1000 && server.agents.empty(); ++i) server.run();
  ASSERT_EQ(1u, server.agents.size());
  server.links[0].send(MessageType::kLaunchSpec);
  int status = -1;
  ASSERT_EQ(child, ::waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

}  // namespace
}  // namespace upcrun
