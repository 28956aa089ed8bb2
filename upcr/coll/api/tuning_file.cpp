// SPDX-License-Identifier: BSD-3-Clause
// Tuning files: a name and a value in each line. See tuning_file.hpp, and coll.h for the format.
#include "upcr/coll/api/tuning_file.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/coll/move/tree.hpp"

namespace upcr::coll {
namespace {

bool set_number(Tuning& t, const char* word, const char* value) {
  char* end;
  errno = 0;
  const std::uint64_t number = std::strtoull(value, &end, 10);
  if (*end != 0 || errno != 0) return false;
  if (std::strcmp(word, "radix") == 0 && number >= 2 && number <= 1024)
    t.radix = static_cast<std::uint32_t>(number);
  else if (std::strcmp(word, "flat_threads") == 0 && number >= 1 && number <= UINT32_MAX)
    t.flat_threads = static_cast<std::uint32_t>(number);
  else if (std::strcmp(word, "small") == 0)
    t.small = number;
  else
    return false;
  return true;
}

bool set_algorithm(Tuning& t, const char* word, const char* value) {
  for (std::uint32_t c = 0; c < kCollectives; ++c)
    for (std::uint32_t a = 0; a < static_cast<std::uint32_t>(Algorithm::kCount); ++a)
      if (std::strcmp(word, name_of(Collective{c})) == 0 && std::strcmp(value, name_of(Algorithm{a})) == 0 &&
          can_use(Collective{c}, Algorithm{a})) {
        t.algorithm[c] = Algorithm{a};
        return true;
      }
  return false;
}

void read_file(const char* file, Tuning& t) {
  std::FILE* const in = std::fopen(file, "r");
  if (in == nullptr)
    return warn("bupc_load_coll_tuning_file: cannot read %s: %s; the algorithms are unchanged", file,
                std::strerror(errno));
  char line[256], word[64], value[64];
  for (int number = 1; std::fgets(line, sizeof line, in) != nullptr; ++number) {
    const int words = std::sscanf(line, " %63s %63s", word, value);
    if (words <= 0 || word[0] == '#') continue;
    if (words != 2 || (!set_algorithm(t, word, value) && !set_number(t, word, value))) {
      line[std::strcspn(line, "\n")] = 0;
      warn("bupc_load_coll_tuning_file: %s:%d: '%s' is not understood", file, number, line);
    }
  }
  std::fclose(in);
}

}  // namespace

void load_tuning(ThreadCtx& c, Team& team, const char* file) {
  Call call(c, team, "bupc_load_coll_tuning_file", kInNoSync | kOutNoSync);
  call.enter();
  Tuning t = team.tuning;
  const Tree shape{team.size, 2};
  if (team.me == 0) {
    if (file != nullptr && file[0] != 0) read_file(file, t);
  } else {
    call.recv(static_cast<TeamRank>(shape.parent(team.me)), 0, &t, sizeof t);
  }
  shape.children(team.me,
                 [&](std::uint64_t child) { call.post(static_cast<TeamRank>(child), 0, &t, sizeof t); });
  team.tuning = t;
  call.leave();
}

void store_tuning(ThreadCtx& c, Team& team, const char* file) {
  Call call(c, team, "bupc_store_coll_tuning_file", kInNoSync | kOutNoSync);
  call.enter();
  if (team.me == 0 && file != nullptr && file[0] != 0) {
    std::FILE* const out = std::fopen(file, "w");
    bool ok = out != nullptr;
    if (ok) {
      std::fprintf(out, "# algorithms of collectives; bupc_load_coll_tuning_file() reads this\n");
      for (std::uint32_t i = 0; i < kCollectives; ++i)
        std::fprintf(out, "%s %s\n", name_of(Collective{i}), name_of(team.tuning.algorithm[i]));
      std::fprintf(out, "radix %" PRIu32 "\nflat_threads %" PRIu32 "\nsmall %" PRIu64 "\n", team.tuning.radix,
                   team.tuning.flat_threads, team.tuning.small);
      ok = std::fclose(out) == 0;
    }
    if (!ok) warn("bupc_store_coll_tuning_file: cannot write %s: %s", file, std::strerror(errno));
  }
  call.leave();
}

}  // namespace upcr::coll
