#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests GBM and kms_swrast on the kernel's vgem and virtio-gpu drivers, in a QEMU guest that sees
# this machine's files.  Skipped without QEMU or a kernel for it.  SGPU_GUEST_KERNEL can be a
# folder with an unpacked kernel package, which need not be installed.
# usage: check_guest.sh SGPU EGL_DRAW RENDERER
set -eu
sgpu=$(realpath "$1") egl_draw=$(realpath "$2") renderer=$3

skip() {
   echo "$1"
   exit 77
}

command -v qemu-system-x86_64 >/dev/null || skip "no QEMU"
command -v busybox >/dev/null || skip "no busybox"
root=${SGPU_GUEST_KERNEL:-}
kernel=$(find "$root/boot" -name 'vmlinuz-*' 2>/dev/null | sort -V | tail -n 1)
[ -n "$kernel" ] || skip "no kernel for a guest"
version=${kernel##*/vmlinuz-}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP

# The initial file system contains busybox, the kernel modules, and a script.
modules='virtio_pci 9pnet_virtio 9p vgem virtio-gpu'
initial=$folder/initial
mkdir -p "$initial/bin" "$initial/lib/modules" "$initial/host" "$initial/proc"
cp "$(command -v busybox)" "$initial/bin/busybox"
cp -r "$root/lib/modules/$version" "$folder/$version"
mkdir -p "$folder/lib/modules"
mv "$folder/$version" "$folder/lib/modules/"
busybox depmod -b "$folder" "$version"
dep=$folder/lib/modules/$version/modules.dep
needed() {
   for file in $(sed -n "s,^\([^:]*/$1\.ko[^:]*\):,\1,p" "$dep"); do
      echo "$file"
   done
}
load_order=
for module in $modules; do
   # a module's line lists its dependencies, the deepest one last
   files=$(needed "$module" | tr ' ' '\n' | sed '/^$/d' | tac)
   for file in $files; do
      case " $load_order " in
      *" $file "*) ;;
      *)
         load_order="$load_order $file"
         cp "$folder/lib/modules/$version/$file" "$initial/lib/modules/"
         ;;
      esac
   done
done
{
   echo '#!/bin/busybox sh'
   echo 'mount() { /bin/busybox mount "$@"; }'
   for file in $load_order; do
      echo "/bin/busybox insmod /lib/modules/${file##*/} 2>/dev/null"
   done
   cat <<EOF
mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=262144 host /host
mount -t proc proc /host/proc
mount -t sysfs sysfs /host/sys
mount -t devtmpfs dev /host/dev
mount -t tmpfs run /host/run
/bin/busybox chroot /host /bin/sh -eu -c '
   export HOME=/run TMPDIR=/run SGPU_NO_BUILD=1 SGPU_BUILD="${SGPU_BUILD:-}" EGL_PLATFORM=gbm
   for node in /dev/dri/card*; do
      echo "\$node: \$(cat /sys/class/drm/\${node##*/}/device/uevent | head -n 1)"
      "$sgpu" run -- "$egl_draw" "$renderer" gbm "\$node"
      echo "drawn on \$node"
   done'
/bin/busybox poweroff -f
EOF
} >"$initial/init"
chmod +x "$initial/init"
(cd "$initial" && find . | busybox cpio -o -H newc) 2>/dev/null |
   gzip >"$folder/initrd"

# Use emulation, because nested virtualization is not reliable.
timeout 300 qemu-system-x86_64 -accel tcg -cpu max -m 512 -smp 2 -display none -nodefaults \
   -no-reboot -kernel "$kernel" -initrd "$folder/initrd" \
   -append 'console=ttyS0 quiet loglevel=1 panic=-1 rdinit=/init' \
   -serial file:"$folder/console" -device virtio-gpu-pci \
   -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap
cat "$folder/console"
[ "$(grep -c '^drawn on' "$folder/console")" -eq 2 ]
