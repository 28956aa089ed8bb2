// SPDX-License-Identifier: BSD-3-Clause
// See install.hpp.
#include "tools/upcc/base/install.hpp"

#include <filesystem>
#include <fstream>

#include "tools/upcc/base/compilers.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

Install find_install() {
  std::error_code error;
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error)
    fatal("cannot find upcc's own folder, which leads to its headers: /proc/self/exe: " + error.message());
  Install found;
  found.sanitize = UPCC_SANITIZE;
  if (std::ifstream tree(bin / "upcc.build-tree"); tree) {  // three lines, written by CMake
    std::string source_include, build_include;
    std::getline(tree, source_include);
    std::getline(tree, build_include);
    std::getline(tree, found.lib_dir);
    found.include_dirs = {source_include, build_include};
  } else {
    found.include_dirs = {(bin / UPCC_TO_INCLUDE).lexically_normal().string()};
    found.lib_dir = (bin / UPCC_TO_LIB).lexically_normal().string();
  }
  if (!fs::exists(fs::path(found.include_dirs[0]) / "upcr.h"))
    fatal("there is no upcr.h in " + found.include_dirs[0] +
          ", where upcc's own installation should have it; move " + "bin, lib and include together");
  return found;
}

}  // namespace

const Install& install() {
  static const Install found = find_install();
  return found;
}

std::string Install::library(bool debug) const {
  std::string path = lib_dir + (debug ? "/libupcr_debug.so" : "/libupcr.so");
  if (command_mode.run && !fs::exists(path))
    fatal("there is no " + path + ", which is needed for the link; build or install upcr completely");
  return path;
}

Arguments Install::static_library(bool debug, bool fully) const {
  const std::string path = lib_dir + (debug ? "/libupcr_debug.a" : "/libupcr.a");
  if (command_mode.run && !fs::exists(path))
    fatal("there is no " + path + ": this upcr was built without -DUPCR_STATIC=ON");
  const std::string networks = UPCC_STATIC_NETWORKS;
  if (fully && !networks.empty())
    fatal("-static: libupcr.a has " + networks +
          " linked in, which need shared libraries; -static-libupcr links " +
          "upcr alone statically, or build upcr with -DUPCR_STATIC_CONDUITS=smp");
  Arguments arguments = {path};
  const Arguments more = split_command(UPCC_STATIC_LINK);
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Arguments Install::compile_options() const {
  Arguments arguments;
  for (const std::string& dir : include_dirs) arguments.insert(arguments.end(), {"-I", dir});
  if (!sanitize.empty()) arguments.push_back("-fsanitize=" + sanitize);
  return arguments;
}

}  // namespace upcc
