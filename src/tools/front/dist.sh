# usage: sgpu dist KIND [OPTION...]
#
# Makes a package in the folder dist/.  Prints the names of the files.
#
#   tarball [ARCH...]  sgpu-VERSION-linux-ARCH.tar.xz, for any distribution with glibc 2.31
#                      or newer: unpack it anywhere, bin/sgpu-run PROGRAM.  ARCH is x86_64 or
#                      aarch64; the default is that of this machine
#   deb                Debian source and binary packages
#   wheel [ARCH...]    a Python wheel, of the tarball
#   conda              a recipe for conda, of the tarball
#   oci                an image for container programs, of the tarball
#
# The same sources and tools give the same bytes.  SOURCE_DATE_EPOCH is the time of all files
# in a package; the default is the time of the last commit.

kind=${1:-}
case $kind in
'') print_help dist >&2; exit 2 ;;
-h | --help) print_help dist; exit ;;
esac
shift
kind_file=$top/src/tools/dist/$kind.sh
case $kind in
tarball | deb | wheel | conda | oci) ;;
*)
   # Packages that other parts of the project add.
   case $kind in
   *[!a-z]*) die "dist has no kind '$kind'; sgpu dist --help lists them" ;;
   esac
   [ -f "$kind_file" ] || die "dist has no kind '$kind'; sgpu dist --help lists them"
   ;;
esac
case ${1:-} in
-h | --help) print_help dist; exit ;;
esac

dist=$top/dist
version=$(sed -n "s/^ *version : '\(.*\)',\$/\1/p" "$top/meson.build" | head -n 1)
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
   SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct 2>/dev/null) ||
      SOURCE_DATE_EPOCH=$(stat -c %Y "$top/meson.build")
fi
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
need_setup build dist
mkdir -p "$dist"

# pack FILE FOLDER NAME [LEVEL]: packs the folder FOLDER/NAME into a file of tar and xz.
pack() {
   tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
      --mtime="@$SOURCE_DATE_EPOCH" -C "$2" -c "$3" | xz -"${4:-9e}" --threads=1 >"$1.part"
   mv "$1.part" "$1"
   echo "$1"
}

# tarball_of ARCH: prints the name of the tarball.  Makes it if it is not there.
tarball_of() {
   tarball=$dist/sgpu-$version-linux-$1.tar.xz
   [ -f "$tarball" ] || "$top/sgpu" dist tarball "$1" >/dev/null
   echo "$tarball"
}

# shellcheck source=/dev/null
. "$kind_file"
