// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/pragma_state.hpp"

namespace upc2c {

AccessMode PragmaState::take(TokenIndex at) { return advance(at + 1, true); }

AccessMode PragmaState::advance(TokenIndex end, bool last_may_stand) {
  AccessMode mode = AccessMode::kNone;
  const std::vector<Pragma>& all = stream_.pragmas();
  for (; next_ < all.size() && all[next_].before < end; next_++) {
    const Pragma& pragma = all[next_];
    if (pragma.kind == PragmaKind::kUpcUnknown)
      diagnostics_.report(Diag::kPrgWord, Mark::directive(pragma.before, pragma.offset),
                          "this pragma is ignored: '#pragma upc' takes strict, relaxed, c_code or upc_code");
    if (pragma.kind != PragmaKind::kStrict && pragma.kind != PragmaKind::kRelaxed) continue;
    if (pragma.before + 1 == end && last_may_stand) {
      mode = pragma.kind == PragmaKind::kStrict ? AccessMode::kStrict : AccessMode::kRelaxed;
    } else {
      diagnostics_.report(
          Diag::kPrgPlace, Mark::directive(pragma.before, pragma.offset),
          "this pragma is ignored: '#pragma upc %' stands between declarations of a file or first in a block",
          {pragma.kind == PragmaKind::kStrict ? "strict" : "relaxed"});
    }
  }
  return mode;
}

std::uint32_t PragmaState::pack(TokenIndex at) {
  const std::vector<Pragma>& all = stream_.pragmas();
  for (; next_pack_ < all.size() && all[next_pack_].before <= at; next_pack_++)
    if (all[next_pack_].kind == PragmaKind::kPack) apply_pack(stream_.text(all[next_pack_]));
  return pack_;
}

// pack(), pack(n), pack(push), pack(push, n), pack(pop); identifiers are ignored.
void PragmaState::apply_pack(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return;
  text.remove_prefix(open);
  const bool push = text.find("push") != std::string_view::npos,
             pop = text.find("pop") != std::string_view::npos;
  const std::size_t digit = text.find_first_of("0123456789");
  std::uint32_t number = 0;
  for (std::size_t i = digit; i < text.size() && text[i] >= '0' && text[i] <= '9' && number < 1000; i++)
    number = number * 10 + static_cast<std::uint32_t>(text[i] - '0');
  if (push) pack_stack_.push_back(pack_);
  if (pop && !pack_stack_.empty()) {
    pack_ = pack_stack_.back();
    pack_stack_.pop_back();
  }
  if (digit != std::string_view::npos)
    pack_ = number;
  else if (!push && !pop)
    pack_ = 0;
}

}  // namespace upc2c
