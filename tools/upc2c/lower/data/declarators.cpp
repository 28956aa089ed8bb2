// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/declarators.hpp"

#include <algorithm>

#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {
namespace {

TokenIndex end_of_parentheses(const TokenStream& stream, TokenIndex at, TokenIndex end) {
  unsigned depth = 0;
  for (; at < end; at++) {
    const Tok kind = stream.token(at).kind;
    if (kind == Tok::kLParen || kind == Tok::kLBracket) depth++;
    if ((kind == Tok::kRParen || kind == Tok::kRBracket) && --depth == 0) return at + 1;
  }
  return end;
}

bool is_within(const Node& node, TokenRange range) {
  return node.tokens.begin >= range.begin && node.tokens.end <= range.end;
}

// The array that a parameter is declared as, or an empty type.
QualType declared_array(const Specifiers& specifiers, const Declarator& declarator) {
  const QualType type = declarator.chunks.empty() ? specifiers.type : declarator.chunks.back().type;
  return type.is_array() ? type : QualType{};
}

bool is_parameter(const Declarator& declarator) {
  return declarator.type.is_pointer() ||
         (declarator.symbol != nullptr && declarator.symbol->kind == SymbolKind::kParameter);
}

void append(std::string& out, std::string_view word) {
  if (word.empty()) return;
  if (!out.empty()) out += ' ';
  out += word;
}

}  // namespace

std::vector<Declarators::SpecifierPiece> Declarators::pieces(const Specifiers& specifiers) const {
  std::vector<SpecifierPiece> out;
  const TokenStream& stream = lower_.stream;
  const auto child_at = [&](TokenIndex at) -> const Node* {
    for (const Node* child : specifiers.children())
      if (child != nullptr && child->tokens.begin == at && !child->tokens.empty()) return child;
    return nullptr;
  };
  for (TokenIndex at = specifiers.tokens.begin; at < specifiers.tokens.end;) {
    const TokenIndex begin = at;
    const Token& token = stream.token(at);
    const Node* node = nullptr;
    Piece piece = Piece::kType;
    TokenIndex end = at + 1;
    switch (token.kind) {
      case Tok::kTypedef:
      case Tok::kExtern:
      case Tok::kStatic:
      case Tok::kAuto:
      case Tok::kRegister:
      case Tok::kThreadLocal:
      case Tok::kInline:
      case Tok::kNoreturn:
      case Tok::kExtension:
        piece = Piece::kStorage;
        break;
      case Tok::kAttribute:
      case Tok::kLBracket:
        piece = Piece::kAttribute;
        end = end_of_parentheses(stream, at, specifiers.tokens.end);
        break;
      case Tok::kAlignas:
        piece = Piece::kAlignment;
        node = child_at(at);
        break;
      case Tok::kConst:
      case Tok::kVolatile:
      case Tok::kRestrict:
        piece = Piece::kQualifier;
        break;
      case Tok::kAtomic:
        node = child_at(at);
        piece = node != nullptr ? Piece::kType : Piece::kQualifier;
        break;
      case Tok::kShared:
      case Tok::kStrict:
      case Tok::kRelaxed:
        piece = Piece::kUpc;
        for (const LayoutSpec& layout : specifiers.qualifiers.layouts)
          if (layout.tokens.begin == at) end = layout.tokens.end;
        break;
      default:
        node = child_at(at);
        break;
    }
    if (node != nullptr) end = node->tokens.end;
    at = std::max(end, at + 1);
    out.push_back({piece, {begin, at}, node});
  }
  return out;
}

std::size_t Declarators::replaced(const Specifiers& specifiers, const Declarator& declarator) const {
  if (is_parameter(declarator) && declared_array(specifiers, declarator).is_shared())
    return declarator.chunks.size();
  for (std::size_t i = declarator.chunks.size(); i > 0; i--)
    if (declarator.chunks[i - 1].type.is_pointer_to_shared() &&
        declarator.chunks[i - 1].kind == DeclaratorChunk::Kind::kPointer)
      return i;
  return 0;
}

bool Declarators::differs(const Specifiers& specifiers, const Declarator& declarator) const {
  return specifiers.type.is_shared() || replaced(specifiers, declarator) > 0;
}

Declarators::Text Declarators::text(const Specifiers& specifiers, const Declarator& declarator,
                                    std::string_view name) {
  const std::size_t count = replaced(specifiers, declarator);
  std::vector<TokenRange> without;
  for (std::size_t i = 0; i < count; i++) without.push_back(declarator.chunks[i].tokens);
  Text out;
  out.declarator = tokens(declarator, declarator.tokens, without, declarator.name_token, name);
  // What is left of a parameter without a name, (*)[4], would be the parameters of a function.
  if (declarator.name == 0 && name.empty() && out.declarator.find_first_not_of("() ") == std::string::npos &&
      count == declarator.chunks.size())
    out.declarator.clear();
  const QualType array = declared_array(specifiers, declarator);
  if (is_parameter(declarator) && array.is_shared()) {
    out.base = lower_.type_texts.pointer_to_shared(array->inner);
  } else if (count > 0) {
    // As an integer or a structure it cannot be restrict.
    QualType pointer = declarator.chunks[count - 1].type;
    pointer.quals &= static_cast<std::uint16_t>(~kRestrict);
    out.base = lower_.type_texts.spell(pointer);
  } else {
    out.base = base_type(specifiers);
  }
  return out;
}

std::string Declarators::single(const Specifiers& specifiers, const Declarator& declarator,
                                std::string_view name) {
  if (differs(specifiers, declarator)) {
    const std::string definition = define(specifiers);
    if (!definition.empty()) lower_.declarations.hoist(definition);
  }
  const Text made = text(specifiers, declarator, name);
  std::string out = storage(specifiers, false);
  append(out, made.base);
  append(out, made.declarator);
  return out;
}

std::string Declarators::storage(const Specifiers& specifiers, bool proxy) {
  std::string out;
  const bool differs = proxy || specifiers.type.is_shared();
  for (const SpecifierPiece& piece : pieces(specifiers)) {
    switch (piece.piece) {
      case Piece::kStorage:
        append(out, lower_.stream.text(piece.tokens.begin));
        break;
      case Piece::kAttribute:
        if (!differs || !describes_type(specifiers, piece.tokens, proxy))
          append(out, tokens(specifiers, piece.tokens, {}, 0, {}));
        break;
      case Piece::kAlignment:
        if (!proxy) append(out, lower_.splice.text(piece.node));
        break;
      default:
        break;
    }
  }
  return out;
}

std::string Declarators::base_type(const Specifiers& specifiers) {
  std::string out;
  for (const SpecifierPiece& piece : pieces(specifiers)) {
    if (piece.piece == Piece::kQualifier) {
      if (lower_.stream.token(piece.tokens.begin).is(Tok::kRestrict) &&
          specifiers.type.is_pointer_to_shared())
        continue;
      append(out, lower_.stream.text(piece.tokens.begin));
    } else if (piece.piece == Piece::kType) {
      append(out,
             piece.node != nullptr ? spec(piece.node) : std::string(lower_.stream.text(piece.tokens.begin)));
    }
  }
  return out;
}

std::string Declarators::trailing(const Declarator& declarator, bool proxy) {
  TokenIndex at = declarator.tokens.begin;
  if (declarator.name != 0) at = std::max(at, declarator.name_token + 1);
  for (const DeclaratorChunk& chunk : declarator.chunks) at = std::max(at, chunk.tokens.end);
  std::string out;
  while (at < declarator.tokens.end) {
    const TokenIndex begin = at;
    const Tok kind = lower_.stream.token(at).kind;
    at = kind == Tok::kAttribute || kind == Tok::kAsm || kind == Tok::kLBracket
             ? end_of_parentheses(lower_.stream, at, declarator.tokens.end)
             : at + 1;
    if (at == begin + 1) continue;  // a parenthesis of the declarator
    if (!describes_type(declarator, {begin, at}, proxy))
      append(out, tokens(declarator, {begin, at}, {}, 0, {}));
  }
  return out;
}

// Attributes of a type have no place at a pointer to it, or at a proxy.
bool Declarators::describes_type(const Node& owner, TokenRange attribute, bool proxy) const {
  for (const Node* child : owner.children()) {
    const auto* known = cast_if<Attribute>(child);
    if (known == nullptr || !is_within(*known, attribute)) continue;
    switch (known->attribute) {
      case AttributeKind::kMode:
      case AttributeKind::kVectorSize:
      case AttributeKind::kPacked:
      case AttributeKind::kTransparentUnion:
        return true;
      case AttributeKind::kAligned:
        return proxy;
      default:
        break;
    }
  }
  return false;
}

std::string Declarators::define(const Specifiers& specifiers) {
  const Node* node = specifiers.spec;
  const auto* record = cast_if<RecordSpec>(node);
  const auto* enumeration = cast_if<EnumSpec>(node);
  if ((record == nullptr || !record->defined) && (enumeration == nullptr || !enumeration->defined)) return {};
  std::string out = spec(node) + "; ";
  defined_.push_back(node);
  return out;
}

std::string Declarators::spec(const Node* node) {
  if (const auto* record = cast_if<RecordSpec>(node)) {
    const std::string keyword = record->is_union ? "union " : "struct ";
    if (std::find(defined_.begin(), defined_.end(), node) != defined_.end())
      return lower_.type_texts.spell(record->type);
    const auto& made = *record->type->record;
    if (lower_.moved_statics.is_moved(made)) return keyword + std::string(made.tag);
    if (lower_.moved_statics.is_renamed(made) && record->tag != 0)
      return tokens(*node, node->tokens, {}, record->tag_token, made.tag);
    if (!lower_.concerns(*node)) return lower_.splice.raw(node);
    if (record->tag != 0 || made.tag.empty() || !record->defined) return lower_.splice.spliced(node);
    return tokens(*node, {node->tokens.begin, record->body.begin}, {}, 0, {}) + " " + std::string(made.tag) +
           " " + tokens(*node, {record->body.begin, node->tokens.end}, {}, 0, {});
  }
  if (const auto* enumeration = cast_if<EnumSpec>(node);
      enumeration != nullptr && std::find(defined_.begin(), defined_.end(), node) != defined_.end())
    return lower_.type_texts.spell(enumeration->type);
  if (const auto* of = cast_if<TypeofSpec>(node); of != nullptr && lower_.concerns(*of)) {
    const auto* name = cast_if<TypeName>(of->operand());
    const QualType type = name != nullptr ? name->type() : as<Expr>(of->operand())->type;
    if (!type.is_unknown()) return "__typeof__(" + lower_.type_texts.spell(type) + ")";
  }
  return lower_.concerns(*node) ? lower_.splice.spliced(node) : lower_.splice.raw(node);
}

std::string Declarators::tokens(const Node& node, TokenRange range, const std::vector<TokenRange>& without,
                                TokenIndex name_token, std::string_view name) {
  std::string out;
  const auto children = node.children();
  std::size_t next = 0;  // they are in the order of the text
  const auto next_child = [&](TokenIndex at) -> const Node* {
    while (next < children.size() &&
           (children[next] == nullptr || children[next]->tokens.empty() || children[next]->tokens.begin < at))
      next++;
    if (next == children.size() || children[next]->tokens.begin != at) return nullptr;
    return is_within(*children[next], range) ? children[next] : nullptr;
  };
  for (TokenIndex at = range.begin; at < range.end;) {
    const auto skipped = std::find_if(without.begin(), without.end(),
                                      [&](const TokenRange& r) { return at >= r.begin && at < r.end; });
    if (skipped != without.end()) {
      at = skipped->end;
      continue;
    }
    if (at != range.begin) out += lower_.splice.gap(at);
    if (const Node* child = next_child(at)) {
      out += lower_.splice.text(child);
      at = child->tokens.end;
      continue;
    }
    if (at == name_token && !name.empty())
      out += name;
    else
      out += lower_.splice.raw({at, at + 1});
    at++;
  }
  return out;
}

}  // namespace upc2c
