// SPDX-License-Identifier: BSD-3-Clause
// upcrun's protocol with its agents, in one process: frames, hellos, launch specifications, lists of hosts,
// authentication.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/program.hpp"
#include "tools/upcrun/launch/mpirun.hpp"
#include "tools/upcrun/plan/hosts.hpp"
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/protocol/link.hpp"
#include "tools/upcrun/protocol/listener.hpp"
#include "tools/upcrun/protocol/rendezvous.hpp"

namespace upcrun {
namespace {

struct Pair {
  UniqueFd a, b;
  Pair() {
    int fds[2];
    EXPECT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    a.reset(fds[0]);
    b.reset(fds[1]);
  }
};

std::string frame(MessageType type, int value, std::string_view payload) {
  const Frame head{type, value, static_cast<std::uint32_t>(payload.size()), 0};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head).append(payload);
}

std::string failure_of(const auto& call) {
  try {
    (void)call();
  } catch (const Failure& failure) {
    return failure.message;
  }
  return "no failure";
}

TEST(Link, FramesInArbitraryPieces) {
  std::mt19937 random(7);
  std::string stream;
  std::vector<std::string> sent;
  for (int i = 0; i < 200; ++i) {
    sent.push_back(std::string(random() % 3 == 0 ? 0 : random() % 5000, static_cast<char>('a' + i % 26)));
    stream += frame(MessageType::kOutput, i, sent.back());
  }
  Pair pair;
  Link link(std::move(pair.a), 5000);
  int got = 0;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t piece = std::min<std::size_t>(stream.size() - at, 1 + random() % 40000);
    ASSERT_EQ(static_cast<ssize_t>(piece), ::write(pair.b.get(), stream.data() + at, piece));
    at += piece;
    ASSERT_TRUE(link.fill());
    while (const auto message = link.next()) {
      EXPECT_EQ(MessageType::kOutput, message->type);
      EXPECT_EQ(got, message->value);
      EXPECT_EQ(sent[static_cast<std::size_t>(got)], message->payload);
      ++got;
    }
  }
  EXPECT_EQ(200, got);
  pair.b.reset();
  EXPECT_FALSE(link.fill());
  EXPECT_FALSE(link.broken());
}

TEST(Link, WholeFramesBeforeTheEndAreNotLost) {
  Pair pair;
  Link link(std::move(pair.a), 100);
  const std::string last =
      frame(MessageType::kExited, 9, {}) + frame(MessageType::kOutput, 1, "half").substr(0, 18);
  ASSERT_EQ(static_cast<ssize_t>(last.size()), ::write(pair.b.get(), last.data(), last.size()));
  pair.b.reset();
  while (link.fill()) {
  }
  const auto message = link.next();
  ASSERT_TRUE(message);
  EXPECT_EQ(9, message->value);
  EXPECT_FALSE(link.next());
}

TEST(Link, AFrameAboveTheLimitBreaksTheLink) {
  for (const std::uint32_t bytes : {101u, 0x7fffffffu, 0xffffffffu}) {
    Pair pair;
    Link link(std::move(pair.a), 100);
    const Frame head{MessageType::kHello, 0, bytes, 0};
    ASSERT_EQ(static_cast<ssize_t>(sizeof head), ::write(pair.b.get(), &head, sizeof head));
    EXPECT_TRUE(link.fill());
    EXPECT_FALSE(link.next());
    EXPECT_TRUE(link.broken());
    EXPECT_FALSE(link.fill());
  }
}

TEST(Link, QueuesWhatCannotBeSent) {
  Pair pair;
  Link sender(std::move(pair.a), 100);
  Link receiver(std::move(pair.b), 1 << 20);
  const std::string much(1 << 20, 'x');
  for (int i = 0; i < 8; ++i)
    sender.send(MessageType::kInput, i, much.substr(0, 5), std::string_view(much).substr(5));
  EXPECT_GT(sender.unsent(), much.size());
  int got = 0;
  for (int rounds = 0; got < 8 && rounds < 100000; ++rounds) {
    sender.flush();
    ASSERT_TRUE(receiver.fill());
    while (const auto message = receiver.next()) {
      EXPECT_EQ(got++, message->value);
      EXPECT_EQ(much, message->payload);
    }
  }
  EXPECT_EQ(8, got);
  EXPECT_EQ(0u, sender.unsent());
}

TEST(Hello, RoundTrip) {
  const Rendezvous where{Credentials::make(), 4711, {"10.0.0.1", "fd00::7"}};
  EXPECT_EQ(32u, where.credentials.secret.size());
  EXPECT_NE(where.credentials.secret, Credentials::make().secret);
  const auto parsed = Rendezvous::parse(where.format());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(where.format(), parsed->format());
  EXPECT_EQ(4711u, parsed->port);
  EXPECT_EQ((std::vector<std::string>{"10.0.0.1", "fd00::7"}), parsed->addresses);

  const auto hello = Hello::parse(Hello{1, "abc", 3, 8, 99, "n1.cluster"}.format());
  ASSERT_TRUE(hello);
  EXPECT_EQ(3, hello->rank);
  EXPECT_EQ(8, hello->size);
  EXPECT_EQ("n1.cluster", hello->host);
}

TEST(Hello, WrongTexts) {
  const std::string g(16, 'a'), s(32, 'b');
  for (const std::string& text :
       {std::string(), std::string("x"), "2;" + g + ";" + s + ";1;a", "1;" + g + ";" + s + ";0;a",
        "1;" + g + ";" + s + ";65536;a", "1;" + g + ";" + s + ";1", "1;" + g + ";" + s + ";1;",
        "1;" + s + ";" + g + ";1;a", "1;" + g + ";" + std::string(32, 'X') + ";1;a"})
    EXPECT_FALSE(Rendezvous::parse(text)) << text;
  for (const std::string& text :
       {std::string("upcr;1;s;0;1;2"), std::string("upcr;1;s;0;1;2;h;x"), std::string("other;1;s;0;1;2;h"),
        std::string("upcr;1;s;x;1;2;h"), "upcr;1;s;0;1;2;" + std::string(600, 'h')})
    EXPECT_FALSE(Hello::parse(text)) << text;
}

TEST(Hello, Secrets) {
  EXPECT_TRUE(same_secret("abcd", "abcd"));
  for (const char* other : {"abce", "bbcd", "abc", "abcde", ""}) EXPECT_FALSE(same_secret("abcd", other));
}

TEST(LaunchSpec, RoundTrip) {
  LaunchSpec launch_spec;
  launch_spec.options.threads = 7;
  launch_spec.options.pthreads = 2;
  launch_spec.options.bind = Bind::kCore;
  launch_spec.options.conduit = "mpi";
  launch_spec.options.program = "./a b";
  launch_spec.options.argv0 = "";
  launch_spec.options.arguments = {"", "-n", "two\nlines", "'\""};
  launch_spec.processes = 4;
  launch_spec.job_id = "1-2";
  launch_spec.folder = "/x y";
  launch_spec.merged_output = true;
  launch_spec.environment = {"A=", "B= x=\n", "C=\x01\xff"};
  LaunchSpec got;
  ASSERT_TRUE(LaunchSpec::parse(launch_spec.format(), &got));
  EXPECT_EQ(launch_spec.format(), got.format());
  EXPECT_EQ(launch_spec.options.arguments, got.options.arguments);
  EXPECT_EQ(launch_spec.environment, got.environment);
  EXPECT_EQ(Bind::kCore, got.options.bind);
  EXPECT_TRUE(got.merged_output);

  const std::string text = launch_spec.format();
  EXPECT_FALSE(LaunchSpec::parse(text.substr(0, text.size() - 1), &got));
  EXPECT_FALSE(LaunchSpec::parse("", &got));
  EXPECT_FALSE(LaunchSpec::parse(std::string("nx\0pp\0", 6), &got));
  EXPECT_FALSE(LaunchSpec::parse(text + std::string("Z1\0", 3), &got));
}

TEST(Hosts, Lists) {
  using Hosts = std::vector<Host>;
  EXPECT_EQ((Hosts{{"a", 0}}), parse_host_list("a"));
  EXPECT_EQ((Hosts{{"a", 0}, {"b.c", 2}}), parse_host_list("a,b.c:2"));
  EXPECT_EQ((Hosts{{"a", 4}, {"b", 0}}), parse_host_list("a:3,b,a"));
  EXPECT_EQ((Hosts{{"fd00::1", 0}, {"fd00::2", 5}, {"10.0.0.1", 1}}),
            parse_host_list("fd00::1,[fd00::2]:5,10.0.0.1:1"));
  for (const char* wrong :
       {"", ",", "a,", ",a", "a:", "a:0", "a:-1", "a:1x", "-a", "a b", "a;b", "a$b", "[fd00::1", "[a]2"})
    EXPECT_NE("no failure", failure_of([&] { return parse_host_list(wrong); })) << wrong;
}

TEST(Hosts, Dealing) {
  using Hosts = std::vector<Host>;
  EXPECT_EQ((Hosts{{"a", 3}, {"b", 2}}), deal({{"a", 0}, {"b", 0}}, 5));
  EXPECT_EQ((Hosts{{"a", 1}, {"b", 1}}), deal({{"a", 0}, {"b", 0}, {"c", 0}}, 2));
  EXPECT_EQ((Hosts{{"a", 1}, {"b", 4}}), deal({{"a", 1}, {"b", 9}, {"c", 1}}, 5));
  EXPECT_EQ((Hosts{{"a", 1}, {"b", 2}}), deal({{"a", 0}, {"b", 2}}, 3));
  EXPECT_NE(std::string::npos, failure_of([] { return deal({{"a", 0}, {"b", 2}}, 4); }).find("have 3 slots"));
}

TEST(Program, NeededLibraries) {
  const auto libraries = needed_libraries("/proc/self/exe");
  EXPECT_NE(libraries.end(), std::find(libraries.begin(), libraries.end(), "libc.so.6"));
  EXPECT_TRUE(needed_libraries("/etc/passwd").empty());
  EXPECT_TRUE(needed_libraries("/nowhere").empty());
}

TEST(Mpirun, Versions) {
  EXPECT_EQ(MpiLibrary::kOpenMpi, library_of_version("mpirun (Open MPI) 4.1.4\n"));
  EXPECT_EQ(MpiLibrary::kOpenMpi, library_of_version("mpirun.openmpi (OpenRTE) 4.1.4\n"));
  EXPECT_EQ(MpiLibrary::kMpich, library_of_version("HYDRA build details:\n    Version: 4.0.2\n"));
  EXPECT_EQ(MpiLibrary::kNone, library_of_version("true (GNU coreutils) 9.1\n"));
}

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
