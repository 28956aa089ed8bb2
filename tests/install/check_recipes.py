#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_recipes.py SOURCE PREFIX VERSION: the recipes of packages agree with the tree.

- share/rpm/upcr.spec has the project's version, and each file of the installation PREFIX is in one of its packages.
- Options of CMake that recipes and workflows (.github) give exist, and so do the files of the tree that they name.
- share/spack/package.py runs with the modules of Spack before 1.0 and since, and gives options with values that CMake
  has; the workflows are YAML (where there is a module for that)."""
import fnmatch
import pathlib
import re
import sys
import types

SPEC, SPACK, CONTAINER = "share/rpm/upcr.spec", "share/spack/package.py", "share/container/Containerfile"
FOLDERS = {"_bindir": "bin", "_libexecdir": "libexec", "_includedir": "include", "_mandir": "share/man", "_datadir": "share",
           "_docdir": "share/doc"}
failures = []


def spec_files(spec, libdir):
    """package -> (patterns, excluded patterns), relative to the prefix."""
    packages = {}
    for part in re.split(r"(?m)^%files", spec)[1:]:
        name, *lines = part.splitlines()
        entry = packages.setdefault(name.strip() or "main", ([], []))
        for line in lines:
            words = line.split()
            if not words or words[0] in ("%license", "%dir"):
                continue
            path = re.sub(r"%\{(\w+)\}", lambda m: {**FOLDERS, "_libdir": libdir}[m[1]], words[-1])
            entry[words[0] == "%exclude"].append(path)
    return packages


def check_spec(source, prefix, version):
    spec = (source / SPEC).read_text()
    if f"\nVersion:        {version}\n" not in spec:
        failures.append(f"{SPEC}: the version is not {version}")
    libdir = str(next(prefix.glob("lib*/**/libupcr.so")).parent.relative_to(prefix))
    packages = spec_files(spec, libdir)
    for path in sorted(prefix.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        name = str(path.relative_to(prefix))
        owners = [package for package, (patterns, excluded) in packages.items()
                  if any(matches(name, p) for p in patterns) and not any(matches(name, p) for p in excluded)]
        if len(owners) != 1:
            failures.append(f"{SPEC}: {name} is in {owners or 'no package'}")


def matches(name, pattern):
    """As rpm: a folder stands for all below it, and * for no slash."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(fnmatch.fnmatchcase(p, w) for p, w in zip(parts, wanted))


def check_names(source):
    options = set(re.findall(r"(?:option|set)\((UPCR_\w+)", (source / "tools/cmake/UpcrOptions.cmake").read_text()))
    for path in [source / SPEC, source / SPACK, source / CONTAINER, *sorted(source.glob(".github/workflows/*.yml"))]:
        text = path.read_text()
        for option in sorted(set(re.findall(r"(?:-D|\")(UPCR_\w+)", text))):
            if option not in options:
                failures.append(f"{path.name}: there is no option {option}")
        for name in sorted(set(re.findall(r"(?<![\w/.])(?:tools|share|docs)/[\w./-]+\w", text))):
            if not (source / name).exists():
                failures.append(f"{path.name}: there is no {name}")


class SpackBase:
    """Stands for CMakePackage: remembers what cmake_args() defines."""
    defaults = {}

    def define(self, name, value):
        return name, value

    def define_from_variant(self, name, variant):
        return name, self.defaults[variant]


def run_spack(source, since_1_0):
    """The options of the recipe, with their values by default, and its variants, in stand-ins for Spack's modules."""
    variants = {}

    def variant(name, default, description, values=(True, False), multi=False):
        variants[name] = (default, values)

    def ignored(*_, **__):
        pass

    base = types.ModuleType("spack.package")
    base.variant = variant
    base.conflicts = base.depends_on = base.license = base.version = ignored
    cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake") if since_1_0 else base
    cmake.CMakePackage, cmake.generator = SpackBase, ignored
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": base})
    for name in "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems":
        sys.modules[name] = types.ModuleType(name) if since_1_0 else None
    sys.modules["spack_repo.builtin.build_systems.cmake"] = cmake if since_1_0 else None
    names = {}
    exec(compile((source / SPACK).read_text(), SPACK, "exec"), names)
    SpackBase.defaults = {name: default for name, (default, _) in variants.items()}
    return dict(names["Upcr"]().cmake_args()), variants


def check_spack(source):
    options = (source / "tools/cmake/UpcrOptions.cmake").read_text()
    for since_1_0 in False, True:
        given, variants = run_spack(source, since_1_0)
        layouts = re.search(r"UPCR_POINTER_LAYOUT PROPERTY STRINGS ([\w ]+)", options)[1].split()
        if list(variants["pointers"][1]) != layouts or given["UPCR_POINTER_LAYOUT"] not in layouts:
            failures.append(f"{SPACK}: the pointers {variants['pointers']} are not CMake's {layouts}")
        for name, value in given.items():
            default = re.search(rf"option\({name} \"[^\"]*\" (ON|OFF)\)", options)
            if default and value != (default[1] == "ON"):
                failures.append(f"{SPACK}: {name} is {value} by default, but {default[1]} in CMake")


def check_syntax(source):
    try:
        import yaml
    except ImportError:
        return
    for path in source.glob(".github/workflows/*.yml"):
        if not yaml.safe_load(path.read_text())["jobs"]:
            failures.append(f"{path.name} has no jobs")


def main():
    source, prefix, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    check_spec(source, prefix, version)
    check_names(source)
    check_spack(source)
    check_syntax(source)
    for failure in failures:
        print("FAILED:", failure)
    if not failures:
        print("ok: recipes")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
