# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154  # variables of tools/rdma-vm
# Part of tools/rdma-vm: fills the cache, one process at a time. Files in it are added but never changed, so guests may
# start from it at any time. A file or folder appears under its final name only when it is complete.
#   $cache/kernel-KEY/  vmlinux, version, modules/*.ko, modules/order; siw.ko once it was needed. KEY: hash of the inputs.
#   $cache/initramfs-KEY   with or without siw
#
# Sets $kernel (the folder) and $initramfs.

# The modules that the guest loads, with their dependencies, in the order of loading.
modules="virtio_pci virtio_console 9pnet_virtio 9p overlay dummy veth virtio_net sch_netem
         crc32_generic crc32_pclmul crc32c_generic libcrc32c ib_uverbs rdma_ucm ib_umad rdma_rxe"

need() { # need PROGRAM...: skips when one is missing
    local program missing=()
    for program; do command -v "$program" >/dev/null || missing+=("$program"); done
    [ ${#missing[@]} = 0 ] || skip "not installed: ${missing[*]} (tools/setup --test installs what is needed)"
}

key_of() { sha256sum | cut -c1-12; }

prepare_cache() {
    need qemu-system-x86_64 busybox modprobe depmod cpio xz rdma flock setpriv dpkg-deb apt-get
    [ -z "$net" ] || need python3
    [ "$loss" = 0 ] || need tc
    kernel=$cache/kernel-$(echo "${RDMA_VM_KERNEL_PKG:-}$modules" | key_of)
    local with=rxe
    case $device in siw | both) with=siw ;; esac
    initramfs=$cache/initramfs-$(cat "$parts/init" <(echo "$kernel $with") | key_of)

    local lock
    exec {lock}>"$cache/lock"
    flock "$lock"
    rm -rf "$cache"/work.* # of a process that was killed
    work=$(mktemp -d "$cache/work.XXXXXX") || die "cannot write to $cache"
    trap 'rm -rf "$work"' EXIT
    [ -e "$kernel" ] || prepare_kernel
    [ $with = rxe ] || [ -e "$kernel/siw.ko" ] || prepare_siw
    [ -e "$initramfs" ] || prepare_initramfs $with
    touch "$kernel" "$initramfs" # in use; unused ones are removed after 60 days
    find "$cache" -maxdepth 1 \( -name 'kernel-*' -o -name 'initramfs-*' \) -mtime +60 -exec rm -rf {} +
    rm -rf "$work"
    trap - EXIT
    exec {lock}>&-
}

# apt without privileges, with the machine's lists of packages, or with those of update_lists.
apt=(-q -o APT::Sandbox::User=root -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)

# Fetches lists of packages of our own, where the machine's are missing, or so old that the mirror no longer has these
# packages.
update_lists() {
    [ ! -d "$work/lists" ] || return # they were fetched a moment ago
    echo "rdma-vm: the lists of packages are missing or old: fetching new ones" >&2
    mkdir -p "$work/lists/partial" "$work/archives/partial"
    apt+=(-o Dir::State::Lists="$work/lists" -o Dir::Cache="$work" -o Acquire::Languages=none)
    apt-get "${apt[@]}" update >"$work/log" 2>&1
}

# kernel_package: the package that linux-image-amd64 depends on at present.
kernel_package() {
    apt-cache "${apt[@]}" depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image-[0-9]/ {print $2; exit}'
}

download() { # download DIR PACKAGE...: the .deb files, without installing them
    local dir=$1
    shift
    (cd "$dir" && apt-get "${apt[@]}" download "$@" >"$work/log" 2>&1)
}

apt_error() { # the first error message of apt
    echo "$(grep -E '^[EW]:' "$work/log" | head -1) (is the mirror reachable? otherwise, as root: apt-get update)"
}

prepare_kernel() {
    local package version image offset module file root=$work/root
    package=${RDMA_VM_KERNEL_PKG:-$(kernel_package)}
    [ -z "$package" ] || echo "rdma-vm: fetching $package" >&2
    if [ -z "$package" ] || ! download "$work" "$package"; then
        update_lists
        package=${RDMA_VM_KERNEL_PKG:-$(kernel_package)}
        [ -n "$package" ] || skip "apt knows no linux-image-amd64: $(apt_error)"
        echo "rdma-vm: fetching $package" >&2
        download "$work" "$package" || skip "apt-get download $package failed: $(apt_error)"
    fi
    version=${package#linux-image-}
    version=${version%-unsigned}
    mkdir -p "$root" "$work/kernel/modules"
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -x -C "$root" --wildcards './boot/*' './lib/modules/*' ||
        die "cannot unpack $package"
    depmod -b "$root" "$version" || die "depmod failed"

    # The kernel's image unpacked once here instead of at each start under emulation; QEMU starts it by its PVH note.
    image=$root/boot/vmlinuz-$version
    offset=$(LC_ALL=C grep -aboP -m1 '\xFD7zXZ\x00' "$image" | head -1 | cut -d: -f1)
    [ -z "$offset" ] || tail -c +$((offset + 1)) "$image" | xz -dcq --single-stream 2>/dev/null >"$work/kernel/vmlinux"
    [ "$(head -c4 "$work/kernel/vmlinux" 2>/dev/null | tail -c3)" = ELF ] || cp "$image" "$work/kernel/vmlinux"

    # Only the modules that are loaded, in the order of loading: all of them are 400 MB.
    for module in $modules; do
        modprobe -d "$root" -S "$version" --show-depends "$module" || die "$package has no module $module"
    done | awk '$1 == "insmod" && !seen[$2]++ {print $2}' >"$work/list"
    while read -r file; do
        cp "$file" "$work/kernel/modules/"
        basename "$file"
    done <"$work/list" >"$work/kernel/modules/order"
    echo "$version" >"$work/kernel/version"
    mv "$work/kernel" "$kernel"
}

# Debian's kernel has no siw module: it is built from the kernel's source against the kernel's headers.
prepare_siw() {
    need make gcc-12 strip
    local version series package packages headers=$work/headers
    version=$(cat "$kernel/version")
    series=$(echo "$version" | cut -d. -f1,2)
    mkdir -p "$work/debs" "$headers"
    packages=("linux-headers-$version" "linux-headers-${version%-amd64}-common" "linux-kbuild-$series"
        "linux-source-$series")
    echo "rdma-vm: fetching ${packages[*]}" >&2
    download "$work/debs" "${packages[@]}" || { update_lists && download "$work/debs" "${packages[@]}"; } ||
        skip "apt-get download ${packages[*]} failed: $(apt_error)." \
            "If the mirror has a newer kernel only, remove $kernel: it is fetched again."
    echo "rdma-vm: building siw for $version" >&2
    for package in "$work"/debs/linux-{headers,kbuild}*; do dpkg -x "$package" "$headers" || die "cannot unpack"; done
    dpkg-deb --fsys-tarfile "$work"/debs/linux-source*.deb | tar -xO "./usr/src/linux-source-$series.tar.xz" |
        xz -dc -T0 | tar -x -C "$work" --strip-components=4 --wildcards \
        "linux-source-$series/drivers/infiniband/sw/siw/*" || die "cannot unpack siw's source"
    headers=$headers/usr/src/linux-headers-$version
    sed -i "s|/usr/src/|$work/headers/usr/src/|" "$headers/Makefile"
    make -s -j2 -C "$headers" M="$work/siw" CONFIG_RDMA_SIW=m modules >"$work/log" 2>&1 ||
        { cat "$work/log" >&2; die "siw cannot be built"; }
    strip -g "$work/siw/siw.ko" -o "$work/siw.ko" && mv "$work/siw.ko" "$kernel/siw.ko"
}

prepare_initramfs() { # prepare_initramfs rxe|siw
    local root=$work/initramfs
    mkdir -p "$root"/{bin,modules,proc,sys,dev,lower,upper,control}
    cp "$(command -v busybox)" "$root/bin/busybox"
    cp "$parts/init" "$root/init"
    cp "$kernel"/modules/* "$root/modules/"
    [ "$1" = rxe ] || { cp "$kernel/siw.ko" "$root/modules/" && echo siw.ko >>"$root/modules/order"; }
    chmod 755 "$root/init"
    (cd "$root" && find . | cpio -o -H newc --quiet -R 0:0) >"$work/out" || die "cannot make the initramfs"
    mv "$work/out" "$initramfs"
}
