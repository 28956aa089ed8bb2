// SPDX-License-Identifier: BSD-3-Clause
// The numbers that translators write into C for the flags and operators of collectives. They differ by the
// translator's release, which a comment in the file names. upcc hands the encoding to the compiler
// (UPCRI_ENCODING), and the headers convert at each call, so files of all releases link together.
#pragma once
#include <string>
#include <vector>

#include "tools/upcc/scan/lexer.hpp"

namespace upcc {

struct Encoding {
  const char* name;      // of --encoding
  int number;            // UPCRI_ENCODING
  const char* releases;  // of translators that write it
};

// Newest first.
const std::vector<Encoding>& encodings();
// An unknown name is fatal.
const Encoding& encoding_named(const std::string& name);

struct EncodingChoice {
  const Encoding* encoding;
  std::string why;
};

// `wanted`: the encoding of --encoding, or null. Fatal for a file that uses operators of an unknown encoding.
EncodingChoice choose_encoding(const std::string& path, std::string_view text,
                               const std::vector<Token>& tokens, const Encoding* wanted);

}  // namespace upcc
