// SPDX-License-Identifier: BSD-3-Clause
// Reads a file as objects (elf.hpp): the members of an archive, regular or thin, or the file itself.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tools/upcc/base/process.hpp"
#include "tools/upcc/object/elf.hpp"

namespace upcc {
namespace {

using std::string_view;

constexpr string_view kArchive = "!<arch>\n", kThinArchive = "!<thin>\n";

std::string read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    fatal(path + ": this is a folder; name an object, an archive or a library");
  std::ifstream file(path, std::ios::binary);
  if (!file) fatal(path + ": cannot read this file; does it exist, and may you read it?");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The header of a member has 60 bytes; its fields have fixed widths and are padded with blanks.
struct Member {
  std::string name;
  std::size_t size;
};
constexpr std::size_t kHeader = 60, kName = 16, kSizeAt = 48, kSizeLength = 10;

std::string trimmed(string_view field) {
  const std::size_t end = field.find_last_not_of(' ');
  return end == string_view::npos ? std::string() : std::string(field.substr(0, end + 1));
}

Member member_at(string_view archive, std::size_t at, string_view long_names) {
  Member member;
  member.name = trimmed(archive.substr(at, kName));
  member.size = std::strtoull(std::string(archive.substr(at + kSizeAt, kSizeLength)).c_str(), nullptr, 10);
  if (member.name.size() > 1 && member.name[0] == '/' &&
      std::isdigit(static_cast<unsigned char>(member.name[1]))) {
    const std::size_t begin = std::strtoull(member.name.c_str() + 1, nullptr, 10);
    const string_view rest = begin < long_names.size() ? long_names.substr(begin) : string_view();
    member.name = rest.substr(0, rest.find('\n'));
  }
  const bool special = member.name == "/" || member.name == "//" || member.name == "/SYM64/";
  if (!special && member.name.size() > 1 && member.name.back() == '/') member.name.pop_back();
  return member;
}

std::vector<Object> members_of(string_view archive, const std::string& path, bool thin) {
  std::vector<Object> objects;
  string_view long_names;
  for (std::size_t at = kArchive.size(); at + kHeader <= archive.size();) {
    const Member member = member_at(archive, at, long_names);
    const string_view body = archive.substr(at + kHeader, member.size);
    const bool special = member.name == "/" || member.name == "//" || member.name == "/SYM64/";
    if (member.name == "//") long_names = body;
    const std::string display_name =
        path + "(" + std::filesystem::path(member.name).filename().string() + ")";
    if (!special && thin) {
      const std::filesystem::path file = std::filesystem::path(path).parent_path() / member.name;
      objects.push_back(parse_object(read_file(file.string()), display_name));
    } else if (!special) {
      objects.push_back(parse_object(body, display_name));
    }
    if (!special) objects.back().member = true;
    at += kHeader + (special || !thin ? (member.size + 1) / 2 * 2 : 0);
  }
  return objects;
}

}  // namespace

Object read_object(const std::string& path) { return parse_object(read_file(path), path); }

std::vector<Object> read_objects(const std::string& path) {
  const std::string bytes = read_file(path);
  const string_view start = string_view(bytes).substr(0, kArchive.size());
  if (start == kArchive || start == kThinArchive) return members_of(bytes, path, start == kThinArchive);
  std::vector<Object> one;
  one.push_back(parse_object(bytes, path));
  return one;
}

}  // namespace upcc
