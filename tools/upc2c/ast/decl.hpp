// SPDX-License-Identifier: BSD-3-Clause
// Declarations as they are written: specifiers, declarators, structures. What they declare is a Symbol
// (symbol.hpp).
#pragma once
#include "tools/upc2c/ast/stmt.hpp"

namespace upc2c {

// A layout qualifier behind `shared`.
struct LayoutSpec {
  enum class Form : std::uint8_t { kNone, kEmpty, kStar, kSize } form = Form::kNone;
  Expr* size = nullptr;  // of kSize
  TokenRange tokens;     // `shared` with its layout
};

// Qualifiers that stand together, in any order.
struct QualifierList {
  std::uint16_t quals = 0;        // Qual bits, without kExplicitLayout
  std::span<LayoutSpec> layouts;  // one for each `shared`
  TokenRange tokens;              // from the first to the last one; other specifiers may stand between them
};

enum class AttributeKind : std::uint8_t {
  kPacked,
  kAligned,
  kMode,
  kVectorSize,
  kTransparentUnion,
  kWeak,
  kCleanup,
  kSection,
  kStorageOrder,  // scalar_storage_order
  kOther
};

// One known attribute. The others are skipped.
struct Attribute : NodeOf<NodeKind::kAttribute, Node> {
  AttributeKind attribute = AttributeKind::kOther;
  TokenIndex word = 0;  // the argument's token of kMode, kSection, kStorageOrder and kCleanup
  Expr* argument() const { return child_count == 0 ? nullptr : static_cast<Expr*>(child(0)); }
};

// Keywords of a type that is written with several.
struct TypeWords {
  Tok base = Tok::kEnd;  // kVoid, kChar, kInt, kFloat, kDouble, kBool, kInt128, kFloat32 ...
  std::uint8_t longs = 0, shorts = 0, signeds = 0, unsigneds = 0, complexes = 0;

  bool any() const { return base != Tok::kEnd || longs + shorts + signeds + unsigneds + complexes > 0; }
};

// Declaration specifiers: `static shared [4] const struct s`. Children in the order of the text: layout
// expressions, structures, typeof, _Alignas, attributes.
struct Specifiers : NodeOf<NodeKind::kSpecifiers, Node> {
  Tok storage = Tok::kEnd;  // kTypedef, kExtern, kStatic, kAuto, kRegister
  bool thread_local_storage = false, is_inline = false, is_noreturn = false, auto_type = false;
  QualifierList qualifiers;
  TypeWords words;
  NameId typedef_name = 0;
  TokenIndex type_token = 0;  // of a word or the typedef name, for messages
  Node* spec = nullptr;       // kRecordSpec, kEnumSpec, kTypeofSpec or kAtomicSpec
  std::span<Attribute*> attributes;
  QualType type;  // by the checker, with the qualifiers

  bool has_type() const { return words.any() || typedef_name != 0 || spec != nullptr || auto_type; }
};

struct Declarator;
struct Parameter;

// A part of a declarator: `* quals`, `[bound]`, `(parameters)`.
struct DeclaratorChunk {
  enum class Kind : std::uint8_t { kPointer, kArray, kFunction } kind = Kind::kPointer;
  TokenRange tokens;
  QualifierList qualifiers;          // of a pointer, or in the brackets of a parameter
  Expr* bound = nullptr;             // of an array
  bool star_bound = false;           // [*]
  std::span<Parameter*> parameters;  // of a function
  std::span<NameId> names;           // of a K&R definition
  bool variadic = false, prototyped = false;
  QualType type;  // by the checker: what the base type with the chunks up to this one is
};

// A declarator, also an abstract one. The chunks are in the order in which they apply to the base type: for
// *a[3] the pointer comes first, for (*f)(int) the function. Children: bounds, parameters, layout
// expressions, attributes, bit width.
struct Declarator : NodeOf<NodeKind::kDeclarator, Node> {
  NameId name = 0;  // 0: abstract
  TokenIndex name_token = 0;
  std::span<DeclaratorChunk> chunks;
  std::span<Attribute*> attributes;
  Expr* bit_width = nullptr;
  QualType type;             // by the checker
  Symbol* symbol = nullptr;  // by the checker

  const DeclaratorChunk* function_chunk() const {  // of a declarator of a function
    return !chunks.empty() && chunks.back().kind == DeclaratorChunk::Kind::kFunction ? &chunks.back()
                                                                                     : nullptr;
  }
};

// Children: specifiers, declarator.
struct TypeName : NodeOf<NodeKind::kTypeName, Node> {
  Specifiers* specifiers() const { return static_cast<Specifiers*>(child(0)); }
  Declarator* declarator() const { return static_cast<Declarator*>(child(1)); }
  QualType type() const { return declarator()->type; }
};
struct Parameter : NodeOf<NodeKind::kParameter, Node> {
  Specifiers* specifiers() const { return static_cast<Specifiers*>(child(0)); }
  Declarator* declarator() const { return static_cast<Declarator*>(child(1)); }
};

// Children: declarator, initialiser (or null).
struct InitDeclarator : NodeOf<NodeKind::kInitDeclarator, Node> {
  Declarator* declarator() const { return static_cast<Declarator*>(child(0)); }
  Expr* initializer() const { return static_cast<Expr*>(child(1)); }
};
// Children: specifiers, then kInitDeclarator.
struct Declaration : NodeOf<NodeKind::kDeclaration, Node> {
  Specifiers* specifiers() const { return static_cast<Specifiers*>(child(0)); }
  std::span<Node* const> declarators() const { return children().subspan(1); }
};
// Children: specifiers, declarator, declarations of K&R parameters, body.
struct Function : NodeOf<NodeKind::kFunction, Node> {
  bool skipped = false;  // the body of a function of a system header: there is no node for it
  Specifiers* specifiers() const { return static_cast<Specifiers*>(child(0)); }
  Declarator* declarator() const { return static_cast<Declarator*>(child(1)); }
  std::span<Node* const> parameter_declarations() const { return children().subspan(2, child_count - 3); }
  Compound* body() const { return static_cast<Compound*>(child(child_count - 1)); }
};

// struct and union. Children: attributes, and if defined kFieldDeclaration and kStaticAssert.
struct RecordSpec : NodeOf<NodeKind::kRecordSpec, Node> {
  bool is_union = false, defined = false;
  NameId tag = 0;
  TokenIndex tag_token = 0;
  std::uint32_t pack = 0;  // of #pragma pack
  TokenRange body;         // from { to }
  std::span<Attribute*> attributes;
  QualType type;  // by the checker
};
// Children: specifiers, then declarators. Without declarators: an anonymous member.
struct FieldDeclaration : NodeOf<NodeKind::kFieldDeclaration, Node> {
  Specifiers* specifiers() const { return static_cast<Specifiers*>(child(0)); }
  std::span<Node* const> declarators() const { return children().subspan(1); }
};
// Children: kEnumerator.
struct EnumSpec : NodeOf<NodeKind::kEnumSpec, Node> {
  bool defined = false;
  NameId tag = 0;
  TokenIndex tag_token = 0;
  std::span<Attribute*> attributes;
  QualType type;  // by the checker
};
struct Enumerator : NodeOf<NodeKind::kEnumerator, Node> {
  NameId name = 0;
  Symbol* symbol = nullptr;  // by the checker
  Expr* value() const { return child_count == 0 ? nullptr : static_cast<Expr*>(child(0)); }
};
// typeof (expression or type-name); _Atomic (type-name); _Alignas (expression or type-name).
struct TypeofSpec : NodeOf<NodeKind::kTypeofSpec, Node> {
  Node* operand() const { return child(0); }
};
struct AtomicSpec : NodeOf<NodeKind::kAtomicSpec, Node> {
  TypeName* type_name() const { return static_cast<TypeName*>(child(0)); }
};
struct AlignasSpec : NodeOf<NodeKind::kAlignasSpec, Node> {
  Node* operand() const { return child(0); }
};

struct StaticAssert : NodeOf<NodeKind::kStaticAssert, Node> {
  Expr* condition() const { return static_cast<Expr*>(child(0)); }
};
struct FileAsm : NodeOf<NodeKind::kFileAsm, Node> {};
struct EmptyDeclaration : NodeOf<NodeKind::kEmptyDeclaration, Node> {};
struct ErrorDeclaration : NodeOf<NodeKind::kErrorDeclaration, Node> {};
// #pragma upc strict or relaxed between declarations; covers no token.
struct ModePragma : NodeOf<NodeKind::kModePragma, Node> {
  AccessMode mode = AccessMode::kNone;
};
struct TranslationUnit : NodeOf<NodeKind::kTranslationUnit, Node> {
  std::span<Node* const> items() const { return children(); }
};

}  // namespace upc2c
