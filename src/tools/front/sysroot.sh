# Makes a folder with Debian's libraries for arm64, for the suite `aarch64`: the development packages
# of the purpose `build`, and what they depend on.  They are unpacked and not installed, so that
# packages of this system cannot conflict with them.  This needs no root.
#
# The script that sources this file sets $top, $front and $tmp.

sysroot=$top/build-sysroot

# Packages that the libraries depend on, but that are not needed: the cross compiler has a C library
# with headers, the project builds GBM and Mesa's libraries, and Wayland's scanner, which needs
# libxml2, runs on this machine.
sysroot_without='libc6-dev libegl-mesa0 libgbm-dev libglx-mesa0 libxml2'

# arm_apt ARGUMENT...: runs apt-get for arm64, with the archives of this system, and with lists and a
# database in the temporary folder.
arm_apt() {
   LC_ALL=C apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
      -o "APT::Sandbox::User=$(id -un)" -o APT::Install-Recommends=false \
      -o Acquire::Languages=none -o Acquire::Retries=3 \
      -o "Dir::State=$tmp/arm" -o "Dir::State::status=$tmp/arm/status" \
      -o "Dir::Cache=$tmp/arm" "$@"
}

# Downloads the packages into $tmp/arm/archives.
download_sysroot() {
   mkdir -p "$tmp/arm/lists/partial" "$tmp/arm/archives/partial"
   for package in $sysroot_without; do
      printf 'Package: %s\nStatus: install ok installed\nArchitecture: arm64\n' "$package"
      printf 'Multi-Arch: same\nVersion: 9999\n\n'
   done >"$tmp/arm/status"
   arm_apt update
   # shellcheck disable=SC2046
   arm_apt --download-only install libstdc++6 $(sed -n 's/^build \(.*-dev\)$/\1/p' "$front/packages")
}

# Unpacks the packages into a folder.
unpack_sysroot() {
   # As on an installed system: some packages have their libraries in /lib, others in /usr/lib.
   mkdir -p "$1/usr/lib"
   ln -s usr/lib "$1/lib"
   for package in "$tmp"/arm/archives/*.deb; do
      dpkg-deb --fsys-tarfile "$package" |
         tar -x -C "$1" --keep-directory-symlink --no-same-owner || return 1
   done
   find "$1" -type l -lname '/*' | while read -r link; do
      ln -sfr "$1$(readlink "$link")" "$link"
   done
}

make_sysroot() {
   # shellcheck source=/dev/null
   title="$(. /etc/os-release && echo "$ID $VERSION_ID"), $sysroot,
      $(sed -n 's/^build //p' "$front/packages" | cat - "$front/sysroot.sh" | sha256sum)"
   [ ! -f "$sysroot/title" ] || [ "$title" != "$(cat "$sysroot/title")" ] || return 0

   say "fetching libraries for arm64 into $sysroot"
   download_sysroot >"$tmp/sysroot.log" 2>&1 || {
      tail -n 20 "$tmp/sysroot.log" >&2
      die "apt-get could not fetch packages for arm64: check the network and apt's sources"
   }
   rm -rf "$sysroot.part" "$sysroot"
   unpack_sysroot "$sysroot.part" || die "the packages for arm64 could not be unpacked"
   printf "[constants]\nsysroot = '%s'\n" "$sysroot" >"$sysroot.part/cross.ini"
   echo "$title" >"$sysroot.part/title"
   mv "$sysroot.part" "$sysroot"
}
