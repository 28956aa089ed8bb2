# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154  # variables of tools/rdma-vm
# Part of tools/rdma-vm: QEMU's command line.

# qemu_command DIR ENGINE: sets the array `qemu` for the guest whose folder is DIR.
qemu_command() {
    local dir=$1 engine=$2 i=0 folder cpu=max arguments
    if [ "$engine" = tcg ]; then
        engine=tcg,thread=multi,tb-size=512 cpu=max,la57=off # four levels of page tables: shorter walks
    fi

    # Skips short waits of the kernel, which are for hardware that is not there.
    arguments="quiet console=ttyS0 panic=-1 reboot=t nokaslr mitigations=off audit=0 apparmor=0 tsc=reliable"
    arguments+=" no_timer_check random.trust_cpu=on rcupdate.rcu_expedited=1"
    [ "${engine%%,*}" != tcg ] || arguments+=$(tsc_rate)
    # The software devices move data with the kernel's memcpy. `rep movs` may be taken apart anywhere; without it the
    # kernel copies aligned words of 4 and 8 bytes whole, as a device's DMA does.
    [ "$memcpy" = string ] || arguments+=" clearcpuid=rep_good,erms,fsrm"

    qemu=(qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot
        -M "pc,usb=off,vmport=off,hpet=off" -accel "$engine" -cpu "$cpu" -smp "$smp" -m "$((mem / numa * numa))"
        -kernel "$kernel/vmlinux" -initrd "$initramfs" -append "$arguments $append"
        -chardev "file,id=console,path=$dir/console" -serial chardev:console
        # The host's files, read only; the folder that guest and host share; the pipe for orders.
        -fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"
        -device virtio-9p-pci,fsdev=root,mount_tag=root
        -fsdev "local,id=control,path=$dir/control,security_model=none"
        -device virtio-9p-pci,fsdev=control,mount_tag=control
        -device virtio-serial-pci -chardev "pipe,id=requests,path=$dir/requests"
        -device virtserialport,chardev=requests,name=rdma-vm.requests)
    for ((i = 0; numa > 1 && i < numa; ++i)); do
        qemu+=(-object "memory-backend-ram,id=node$i,size=$((mem / numa))M"
            -numa "node,nodeid=$i,memdev=node$i,cpus=$((i * smp / numa))-$(((i + 1) * smp / numa - 1))")
    done
    i=0
    for folder in ${rw[@]+"${rw[@]}"}; do
        qemu+=(-fsdev "local,id=rw$i,path=$folder,security_model=none,multidevs=remap"
            -device "virtio-9p-pci,fsdev=rw$i,mount_tag=rw$i")
        i=$((i + 1))
    done
    [ -n "$net" ] || return 0
    for ((i = 0; i < links; ++i)); do
        qemu+=(-netdev "stream,id=wire$i,server=off,addr.type=unix,addr.path=$i" # of the folder in which QEMU starts
            -device "virtio-net-pci,netdev=wire$i,romfile=,mac=52:54:00:77:$(printf %02x:%02x "$i" "${net##*,}")")
    done
}

# tsc_rate: QEMU passes the host's time stamp counter through. A kernel that is told the rate does not measure it, which
# goes wrong when the host is busy. The rate is known where the host's processors show no other frequency. It is not used
# for a guest that is started again because of its clock, as this rate may be what is wrong.
tsc_rate() {
    [ $restarts = 0 ] && [ ! -e /sys/devices/system/cpu/cpu0/cpufreq ] || return
    awk -F '[ \t]*: ' '
        $1 == "cpu MHz" { khz = int($2 * 1000) }
        $1 == "flags" { fixed = / constant_tsc/ && ! / aperfmperf/; exit }
        END { if (khz && fixed) print " tsc_early_khz=" khz }' /proc/cpuinfo
}

# engine: prints kvm or tcg. That /dev/kvm can be opened does not mean that the processor supports it.
engine() {
    if [ "$accel" != auto ]; then
        echo "$accel"
    elif [ -w /dev/kvm ] && grep -qE '^flags.*\b(vmx|svm)\b' /proc/cpuinfo; then
        echo kvm
    else
        echo tcg
    fi
}
