// SPDX-License-Identifier: BSD-3-Clause
// Active-message engines over the in-memory conduit, whose handlers record what arrives and reply as a test
// wants: for tests of core/am.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "tests/support/simulated_ranks.hpp"

namespace upcr::test {

inline constexpr std::uint8_t kRequest = 3, kReply = 250;

// A message as its handler saw it.
struct Seen {
  Rank source;
  bool is_request;
  std::vector<std::uint32_t> args;
  std::string data;
  const void* where;
};

// A rank's handlers: they record the message and, for kRequest, send the reply that `make_reply` prepares.
struct Party {
  std::vector<Seen> seen;
  std::function<AmMessage(const Seen&)> make_reply;

  static void handle(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                     void* cookie) {
    auto& self = *static_cast<Party*>(cookie);
    EXPECT_TRUE(AmEngine::in_handler());
    self.seen.push_back({token.source,
                         token.is_request,
                         {args, args + nargs},
                         bytes != 0 ? std::string(static_cast<char*>(data), bytes) : std::string(),
                         data});
    if (token.is_request && self.make_reply) token.engine.reply(token, self.make_reply(self.seen.back()));
  }
};

inline std::vector<std::uint32_t> some_args(unsigned n, std::uint32_t first = 1000) {
  std::vector<std::uint32_t> args(n);
  std::iota(args.begin(), args.end(), first);
  return args;
}
inline std::string some_data(std::size_t n, unsigned seed = 1) {
  std::string s(n, '\0');
  std::minstd_rand random(seed);
  for (char& c : s) c = static_cast<char>(random());
  return s;
}

inline AmMessage message(AmCategory category, std::uint8_t handler, const std::vector<std::uint32_t>& args,
                         const std::string& data = {}, void* dest = nullptr) {
  AmMessage m;
  m.category = category;
  m.handler = handler;
  m.args = args;
  m.data = data.data();
  m.bytes = data.size();
  m.dest = reinterpret_cast<std::uint64_t>(dest);
  return m;
}

class Engines : public SimulatedRanks {
 public:
  explicit Engines(Rank size, const MemoryNet::Options& options = {}, const AmEngine::Config& config = {})
      : SimulatedRanks(size, options, config), parties(size) {
    for (Rank r = 0; r < size; ++r) {
      engine(r).set_handler(kRequest, &Party::handle, &parties[r]);
      engine(r).set_handler(kReply, &Party::handle, &parties[r]);
    }
  }
  std::vector<Party> parties;
};

}  // namespace upcr::test
