# Makes folders with Debian's libraries for another architecture or release.  Packages are unpacked
# and not installed, so that packages of this system cannot conflict with them.  This needs no root.
#
# The script that sources this file sets $top, $front and $tmp.

sysroot=$top/build-sysroot

# Packages that the libraries depend on, but that are not needed: the cross compiler has a C library
# with headers, the project builds GBM and Mesa's libraries, and Wayland's scanner, which needs
# libxml2, runs on this machine.
sysroot_without='libc6-dev libegl-mesa0 libgbm-dev libglx-mesa0 libxml2'

# foreign_apt ARCHITECTURE ARGUMENT...: runs apt-get for an architecture, with lists and a database in
# the temporary folder.  It uses the archives of the file $foreign_sources, or those of this system.
foreign_apt() {
   foreign=$tmp/$1 arch=$1
   shift
   LC_ALL=C apt-get -q -y -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" \
      -o "APT::Sandbox::User=$(id -un)" -o APT::Install-Recommends=false \
      -o Acquire::Languages=none -o Acquire::Retries=3 \
      -o "Dir::State=$foreign" -o "Dir::State::status=$foreign/status" \
      -o "Dir::Cache=$foreign" \
      ${foreign_sources:+-o "Dir::Etc::sourcelist=$foreign_sources" -o Dir::Etc::sourceparts=-} "$@"
}

# download_packages ARCHITECTURE WITHOUT PACKAGE...: downloads packages and what they depend on, but
# not the packages of the list WITHOUT.
download_packages() {
   arch=$1 without=$2
   shift 2
   mkdir -p "$tmp/$arch/lists/partial" "$tmp/$arch/archives/partial"
   for package in $without; do
      printf 'Package: %s\nStatus: install ok installed\nArchitecture: %s\n' "$package" "$arch"
      printf 'Multi-Arch: same\nVersion: 9999\n\n'
   done >"$tmp/$arch/status"
   foreign_apt "$arch" update
   foreign_apt "$arch" --download-only install "$@"
}

# unpack_packages ARCHITECTURE FOLDER: unpacks the packages that were downloaded into a folder.
unpack_packages() {
   # As on an installed system: some packages have their libraries in /lib, others in /usr/lib.
   mkdir -p "$2/usr/lib" "$2/usr/lib64"
   ln -s usr/lib "$2/lib"
   ln -s usr/lib64 "$2/lib64"
   for package in "$tmp/$1"/archives/*.deb; do
      dpkg-deb --fsys-tarfile "$package" |
         tar -x -C "$2" --keep-directory-symlink --no-same-owner || return 1
   done
   find "$2" -type l -lname '/*' | while read -r link; do
      ln -sfr "$2$(readlink "$link")" "$link"
   done
}

make_sysroot() {
   # shellcheck source=/dev/null
   title="$(. /etc/os-release && echo "$ID $VERSION_ID"), $sysroot,
      $(sed -n 's/^build //p' "$front/packages" | cat - "$front/sysroot.sh" | sha256sum)"
   [ ! -f "$sysroot/title" ] || [ "$title" != "$(cat "$sysroot/title")" ] || return 0

   say "fetching libraries for arm64 into $sysroot"
   # shellcheck disable=SC2046
   download_packages arm64 "$sysroot_without" \
      libstdc++6 $(sed -n 's/^build \(.*-dev\)$/\1/p' "$front/packages") \
      >"$tmp/sysroot.log" 2>&1 || {
      tail -n 20 "$tmp/sysroot.log" >&2
      die "apt-get could not fetch packages for arm64: check the network and apt's sources"
   }
   rm -rf "$sysroot.part" "$sysroot"
   unpack_packages arm64 "$sysroot.part" || die "the packages for arm64 could not be unpacked"
   printf "[constants]\nsysroot = '%s'\n" "$sysroot" >"$sysroot.part/cross.ini"
   echo "$title" >"$sysroot.part/title"
   mv "$sysroot.part" "$sysroot"
}
