// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/words.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "conduits/core/base/config/edit_distance.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/plan/berkeley.hpp"

namespace upcrun {
namespace {

constexpr int kWrongUse = 2;

bool all_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

class Reader {
 public:
  Reader(const std::vector<std::string>& words, const KnownOptions& known) : words_(words), known_(known) {}

  CommandWords read() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_];
      result_.separator = word == "--";
      if (result_.separator) ++at_;
      if (result_.separator || word.size() < 2 || word[0] != '-') break;
      ++at_;
      read_option(word);
    }
    result_.program.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    return std::move(result_);
  }

 private:
  void read_option(const std::string& word) {
    const std::size_t dashes = word[1] == '-' ? 2 : 1, equals = word.find('=');
    const std::string name = word.substr(dashes, equals == word.npos ? word.npos : equals - dashes);
    std::optional<std::string> value;
    if (equals != word.npos) value = word.substr(equals + 1);
    if (dashes == 2 && known_.values("--" + name) >= 0) return pass_on("--" + name, value);
    if (const LegacyOption* const legacy = find_legacy_option(name, known_.gasnet))
      return apply(*legacy, word.substr(0, equals), value);
    if (dashes == 1 && name.size() == 1 && known_.values("-" + name) >= 0) return pass_on("-" + name, value);
    if (dashes == 1 && name.size() > 1 && known_.values("--" + name) >= 0) return pass_on("--" + name, value);
    if (dashes == 1 && read_joined_value(word)) return;
    unknown(word.substr(0, equals), name);
  }

  // -n4, -p2, -Ha,b: a letter and its value in one word.
  bool read_joined_value(const std::string& word) {
    const std::string letter = word.substr(1, 1), value = word.substr(2);
    if (letter == "H") return pass_on("-H", value), true;
    if (!all_digits(value)) return false;
    if (known_.values("-" + letter) > 0) return pass_on("-" + letter, value), true;
    const LegacyOption* const legacy = find_legacy_option(letter, known_.gasnet);
    if (legacy == nullptr || legacy->argument != LegacyArgument::kRequired) return false;
    apply(*legacy, "-" + letter, value);
    return true;
  }

  std::string next_value(const std::string& option) {
    if (at_ == words_.size())
      throw Failure{kWrongUse,
                    option + ": its value is missing; `" + known_.command + " --help` lists the options"};
    return words_[at_++];
  }

  // An option of CLI11's, with its value from the same word or the next one.
  void pass_on(const std::string& option, std::optional<std::string> value) {
    const std::vector<std::string>& flags = known_.flags_with_value;
    if (value && std::find(flags.begin(), flags.end(), option) != flags.end())
      return result_.options.push_back(option + "=" + *value);
    result_.options.push_back(option);
    if (known_.values(option) > 0)
      result_.options.push_back(value ? *value : next_value(option));
    else if (value)
      throw Failure{kWrongUse, option + " has no value, but '" + *value + "' is given"};
  }

  void apply(const LegacyOption& legacy, const std::string& word, std::optional<std::string> value) {
    if (legacy.argument == LegacyArgument::kRequired && !value) value = next_value(word);
    if (legacy.argument == LegacyArgument::kNone && value)
      throw Failure{kWrongUse, word + " has no value, but '" + *value + "' is given"};
    const std::string text(legacy.text);
    switch (legacy.action) {
      case LegacyAction::kOption: {
        const std::size_t equals = text.find('=');  // "--bind=core"
        if (equals != text.npos) value = text.substr(equals + 1);
        return pass_on(text.substr(0, equals), value);
      }
      case LegacyAction::kVariable: {
        const std::string name = text.substr(0, text.find('='));
        result_.variables.emplace_back(name, text.substr(name.size() + 1));
        if (value) result_.variables.emplace_back(name + "_THREAD", *value);
        return;
      }
      case LegacyAction::kNothing:
        return;
      case LegacyAction::kWarn:
        result_.warnings.push_back(word + " has no effect: " + text);
        return;
      case LegacyAction::kRefuse:
        throw Failure{kWrongUse, word + ": " + text};
      case LegacyAction::kNetwork:
        if (const std::string why = absent_network(*value); !why.empty())
          throw Failure{kWrongUse, word + " " + *value + ": " + why};
        return pass_on("--conduit", value);
    }
  }

  [[noreturn]] void unknown(const std::string& word, const std::string& name) const {
    upcr::MostSimilar<std::string> similar(name, std::max<std::size_t>(2, name.size() / 4));
    const auto consider = [&](std::string_view candidate, std::string_view dashes) {
      if (candidate.size() >= 2) similar.consider(candidate, std::string(dashes).append(candidate));
    };
    if (name.size() > 2) {
      for (const std::string& candidate : known_.names) consider(candidate, "--");
      const auto consider_all = [&](std::span<const LegacyOption> options) {
        for (const LegacyOption& legacy : options) consider(legacy.name, "-");
      };
      consider_all(legacy_options());
      if (known_.gasnet) consider_all(gasnetrun_options());
    }
    const std::string& best = similar.found();
    throw Failure{kWrongUse, "there is no option " + word + "; " +
                                 (best.empty() ? "" : "did you mean " + best + "? ") + "`" + known_.command +
                                 " --help` lists the options"};
  }

  const std::vector<std::string>& words_;
  const KnownOptions& known_;
  std::size_t at_ = 0;
  CommandWords result_;
};

}  // namespace

CommandWords read_words(const std::vector<std::string>& words, const KnownOptions& known) {
  return Reader(words, known).read();
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    if (blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote != '\'' && c == '\\' && i + 1 < text.size())
      words.back() += text[++i];
    else if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else
      words.back() += c;
  }
  return words;
}

}  // namespace upcrun
