# Makes a folder with the kernel of Debian for virtual machines of tests (tests/hosts/guest.py), and
# the modules that they need.  The package is unpacked and not installed: an installed kernel may
# become the one that this machine starts with.  This needs no root.
#
# The script that sources this file sets $top, $front and $tmp.

guest=$top/build-guest
# the modules of tests/hosts/guest.py
guest_modules='virtio_pci 9pnet_virtio 9p vgem virtio-gpu'

# Downloads and unpacks the kernel's package into $tmp/guest.
unpack_guest_kernel() {
   # The package linux-image-amd64 depends on that of the newest version.
   package=$(LC_ALL=C apt-cache depends --important linux-image-amd64 |
      sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | head -n 1)
   [ -n "$package" ] || { echo "apt has no package linux-image-amd64"; return 1; }
   mkdir -p "$tmp/guest/root" "$tmp/guest/deb"
   (cd "$tmp/guest/deb" &&
      LC_ALL=C apt-get -q -o "APT::Sandbox::User=$(id -un)" -o Acquire::Retries=3 \
         download "$package") || return 1
   dpkg-deb --fsys-tarfile "$tmp/guest/deb/$package"_*.deb |
      tar -x -C "$tmp/guest/root" --no-same-owner
}

# Copies the kernel, and the modules with what they need, to a folder.
copy_guest_kernel() {
   PATH=$PATH:/sbin:/usr/sbin
   root=$tmp/guest/root
   modules=$root/lib/modules
   [ -d "$modules" ] || modules=$root/usr/lib/modules
   version=$(ls "$modules")
   [ -d "$root/lib/modules" ] || ln -s usr/lib "$root/lib"
   depmod -b "$root" "$version" || return 1
   mkdir -p "$1/boot" "$1/lib/modules/$version"
   cp "$root/boot/vmlinuz-$version" "$1/boot/" || return 1
   for module in $guest_modules; do
      modprobe -d "$root" -S "$version" --show-depends "$module" || return 1
   done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | sort -u | while read -r file; do
      name=${file##*/lib/modules/"$version"/}
      mkdir -p "$1/lib/modules/$version/${name%/*}"
      cp "$modules/$version/$name" "$1/lib/modules/$version/$name" || return 1
   done
   depmod -b "$1" "$version" 2>/dev/null
}

make_guest() {
   [ ! -d "$guest/boot" ] || return 0
   # Other systems than Debian on x86-64 have no such package: the tests are skipped there.
   command -v dpkg-deb >/dev/null && [ "$(dpkg --print-architecture)" = amd64 ] || return 0
   say "fetching a kernel for virtual machines into $guest"
   unpack_guest_kernel >"$tmp/guest.log" 2>&1 || {
      tail -n 20 "$tmp/guest.log" >&2
      die "apt-get could not fetch Debian's kernel: check the network and apt's sources"
   }
   rm -rf "$guest.part" "$guest"
   copy_guest_kernel "$guest.part" >"$tmp/guest.log" 2>&1 || {
      tail -n 20 "$tmp/guest.log" >&2
      die "the kernel's package could not be unpacked"
   }
   mv "$guest.part" "$guest"
}
