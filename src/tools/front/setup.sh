# usage: sgpu setup [--quiet] [--yes] [PURPOSE...]
#
# Installs the Debian packages that are missing (as root at once, else with
# sudo after asking) and fetches the sources that are built along.
# PURPOSE: build, run, test (these three are the default), trace, aarch64, bench,
#          piglit.
#
#   --yes     use sudo without asking
#   --quiet   say nothing when everything is there

quiet='' yes='' purposes=''
for arg; do
   case $arg in
   --quiet) quiet=1 ;;
   --yes) yes=1 ;;
   -h | --help) print_help setup; exit ;;
   -*) die "setup has no option '$arg'" ;;
   *)
      grep -q "^$arg " "$front/packages" || die "no packages for '$arg'"
      purposes="$purposes $arg"
      ;;
   esac
done
: "${purposes:=build run test}"

missing_packages() {
   for purpose in $purposes; do
      sed -n "s/^$purpose //p" "$front/packages"
   done | sort -u >"$tmp/wanted"
   xargs dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' \
      <"$tmp/wanted" 2>/dev/null |
      sed -n 's/^.i  *//p' | sort -u >"$tmp/there" || :
   comm -23 "$tmp/wanted" "$tmp/there"
}

as_root() {
   if [ "$(id -u)" -eq 0 ]; then
      DEBIAN_FRONTEND=noninteractive "$@"
   else
      sudo DEBIAN_FRONTEND=noninteractive "$@"
   fi
}

install_packages() {
   command -v dpkg-query >/dev/null || {
      say "this is no Debian system: install what corresponds to the packages"
      say "of src/tools/front/packages by hand"
      return
   }
   missing=$(missing_packages | tr '\n' ' ')
   [ -n "$missing" ] || return 0
   say "missing packages: $missing"
   install="apt-get install --no-install-recommends $missing"
   if [ "$(id -u)" -ne 0 ]; then
      command -v sudo >/dev/null ||
         die "neither root nor sudo: as root, run: $install"
      if [ -z "$yes" ]; then
         [ -t 0 ] || die "nobody to ask about sudo: run sgpu setup --yes"
         printf 'sgpu: install them with sudo? [y/N] ' >&2
         read -r answer
         case $answer in
         [yY]*) ;;
         *) die "not installed; by hand: sudo $install" ;;
         esac
      fi
   fi
   wait_lock='-o DPkg::Lock::Timeout=600'
   # shellcheck disable=SC2086
   {
      as_root apt-get $wait_lock -q update >&2 ||
         die "apt-get update failed: check the network and apt's sources"
      as_root apt-get $wait_lock -q -y install --no-install-recommends \
         $missing >&2 || die "apt-get could not install: $missing"
   }
   missing=$(missing_packages | tr '\n' ' ')
   [ -z "$missing" ] || die "still missing after the installation: $missing"
}

# fetch_source NAME: puts the tarball of subprojects/NAME.wrap, which Debian's
# source package of that name holds, into Meson's package cache.  apt gets
# sources and folders of its own, so that the system's stay as they are.
fetch_source() {
   file=$(sed -n 's/^source_filename *= *//p' "$top/subprojects/$1.wrap")
   hash=$(sed -n 's/^source_hash *= *//p' "$top/subprojects/$1.wrap")
   cache=$top/subprojects/packagecache
   [ ! -f "$cache/$file" ] || return 0

   say "fetching $file"
   apt_options="
      -o APT::Sandbox::User=$(id -un)
      -o Acquire::Retries=3
      -o Acquire::Languages=none
      -o Dir::Etc::sourcelist=$tmp/sources.list
      -o Dir::Etc::sourceparts=$tmp/sources.list.d
      -o Dir::State::Lists=$tmp/lists
      -o Dir::Cache=$tmp/cache"
   if [ ! -d "$tmp/lists" ]; then
      mkdir -p "$tmp/sources.list.d" "$tmp/lists" "$tmp/cache"
      cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
         sed -n 's/^deb\([[:space:]]\)/deb-src\1/p' >"$tmp/sources.list"
      for sources in /etc/apt/sources.list.d/*.sources; do
         [ ! -f "$sources" ] || sed 's/^Types:.*/Types: deb-src/' "$sources" \
            >"$tmp/sources.list.d/${sources##*/}"
      done
      # Not every archive has sources; what counts is the tarball.
      # shellcheck disable=SC2086
      apt-get $apt_options -q update >&2 ||
         say "some archives have no sources; going on"
   fi
   mkdir -p "$tmp/$1" "$cache"
   # What apt says to those who would work on the package is left out.
   # shellcheck disable=SC2086
   (cd "$tmp/$1" && apt-get $apt_options -qq source \
      --download-only --tar-only "$1" >/dev/null) || :
   [ -f "$tmp/$1/$file" ] ||
      die "apt has no $file: get it by hand into subprojects/packagecache" \
         "(sha256 $hash)"
   [ "$(sha256sum <"$tmp/$1/$file")" = "$hash  -" ] ||
      die "$file is not the expected one (sha256 $hash)"
   mv "$tmp/$1/$file" "$cache/$file.part"
   mv "$cache/$file.part" "$cache/$file"
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

install_packages
case $purposes in
*build*)
   for wrap in "$top"/subprojects/*.wrap; do
      fetch_source "$(basename "$wrap" .wrap)"
   done
   ;;
esac
[ -n "$quiet" ] || say "everything is there"
