# usage: sgpu setup [--quiet] [--yes] [PURPOSE...]
#
# Installs missing Debian packages, and fetches the sources of Mesa and others that
# are built with sgpu.  If it does not run as root, it asks before it uses sudo.
# PURPOSE: build, run, test (these three are the default), more, trace, aarch64, bench,
#          piglit, programs, sim, frames, dist.
#
#   --yes     use sudo without asking
#   --quiet   print nothing if nothing is missing

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

# Prints the missing packages.  Leaves out optional packages (PURPOSE? PACKAGE) that are not in the
# archives of this system, and packages of programs (PURPOSE=PROGRAM PACKAGE) that are installed.
missing_packages() {
   for purpose in $purposes; do
      sed -n "s/^$purpose //p" "$front/packages"
      sed -n "s/^$purpose? //p" "$front/packages" |
         while read -r package; do
            ! apt-cache policy "$package" 2>/dev/null |
               grep -q 'Candidate: [^(]' || echo "$package"
         done
      sed -n "s/^$purpose=//p" "$front/packages" |
         while read -r program package; do
            command -v "$program" >/dev/null || echo "$package"
         done
   done | sort -u >"$tmp/wanted"
   xargs dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' \
      <"$tmp/wanted" 2>/dev/null |
      sed -n 's/^.i  *//p' | sort -u >"$tmp/there" || :
   comm -23 "$tmp/wanted" "$tmp/there"
}

# apt ARGUMENT...: runs apt-get as root, with its output in the log.
apt() {
   set -- apt-get -o DPkg::Lock::Timeout=600 -q -y "$@"
   set -- env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
   [ "$(id -u)" -eq 0 ] || set -- sudo "$@"
   with_progress "packages:" apt_progress "$apt_log" "$@" || {
      tail -n 20 "$apt_log" >&2
      return 1
   }
}

# Prints how many packages apt-get has processed.
apt_progress() {
   awk '
      / newly installed, / { for (i = 2; i <= NF; i++) if ($i == "newly") all = $(i - 1) }
      /^Get:/ { step = "fetched"; count = ++got }
      /^Unpacking / { step = "unpacked"; count = ++unpacked }
      /^Setting up / { step = "set up"; count = ++done }
      END { if (all && step) printf "%d of %d %s", count, all, step; else printf "reading lists" }
      ' "$log"
}

install_packages() {
   command -v dpkg-query >/dev/null || {
      say "this is not a Debian system: install the packages that correspond to those"
      say "in src/tools/front/packages manually"
      return
   }
   missing=$(missing_packages | tr '\n' ' ')
   [ -n "$missing" ] || return 0
   # shellcheck disable=SC2086
   say "installing $(printf '%s\n' $missing | wc -l) packages and their dependencies:" \
      $missing
   install="apt-get install --no-install-recommends $missing"
   if [ "$(id -u)" -ne 0 ]; then
      command -v sudo >/dev/null ||
         die "not root, and no sudo: run as root: $install"
      if [ -z "$yes" ]; then
         [ -t 0 ] || die "no terminal to ask before sudo: run sgpu setup --yes"
         printf 'sgpu: install them with sudo? [y/N] ' >&2
         read -r answer
         case $answer in
         [yY]*) ;;
         *) die "not installed; to install manually: sudo $install" ;;
         esac
      fi
   fi
   # Ask for the password here, because the output of the next commands goes to the log.
   [ "$(id -u)" -eq 0 ] || sudo -v || die "sudo failed"
   apt_log=$build/setup.log
   mkdir -p "$build"
   apt update ||
      die "apt-get update failed, see $apt_log: check the network and apt's sources"
   # With the new lists, more optional packages may be available.
   missing=$(missing_packages | tr '\n' ' ')
   # shellcheck disable=SC2086
   apt install --no-install-recommends $missing ||
      die "apt-get could not install packages, see $apt_log"
   missing=$(missing_packages | tr '\n' ' ')
   [ -z "$missing" ] || die "still missing after the installation, see $apt_log: $missing"
}

# Prints the URIs of the archives that apt uses, one per line.
archives() {
   command -v apt-get >/dev/null || return 0
   # shellcheck disable=SC2016
   apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
      'Component: main' | awk '!seen[$0]++' |
      while read -r uri; do
         case $uri in
         # apt's downloader does not support lists of mirrors.
         mirror+file:*) list=${uri#mirror+file:}; sed 's/[[:space:]].*//' "${list%/}" ;;
         *) echo "$uri" ;;
         esac
      done
}

# download URL FILE: downloads a file with apt's downloader, which uses the proxies and mirror
# methods of this system, or else with curl.
download() {
   if [ -x "$apt_helper" ]; then
      "$apt_helper" -o "APT::Sandbox::User=$(id -un)" \
         -o Acquire::Retries=3 -o Acquire::http::Timeout=30 \
         download-file "$1" "$2"
   else
      curl --fail --location --silent --show-error --output "$2" "$1"
   fi
}

# wrap_value NAME KEY: prints a value of subprojects/NAME.wrap, or nothing.
wrap_value() {
   sed -n "s/^$2 *= *//p" "$top/subprojects/$1.wrap"
}

# fetch FILE HASH URL [URL]: puts a file of a Debian source package into Meson's package cache.
# The pool of an archive contains the packages of all its releases, so the release of this system
# does not matter.  The second URL is for files that the pool does not have any more.  A file is
# only accepted if it has the right hash.
fetch() {
   [ ! -f "$cache/$1" ] || return 0

   say "fetching $1"
   mkdir -p "$cache"
   for address in $(archives | sed "s,/*\$,/pool/${3#*/pool/},") "$3" ${4:+"$4"}; do
      download "$address" "$tmp/$1" >>"$tmp/fetch.log" 2>&1 || continue
      [ "$(sha256sum <"$tmp/$1")" != "$2  -" ] || break
      echo "$address has a different file" >>"$tmp/fetch.log"
      rm -f "$tmp/$1"
   done
   if [ ! -f "$tmp/$1" ]; then
      cat "$tmp/fetch.log" >&2
      die "no archive has $1: put it into subprojects/packagecache (sha256 $2)"
   fi
   mv "$tmp/$1" "$cache/$1.part"
   mv "$cache/$1.part" "$cache/$1"
}

# version_patch NAME FILE: prints a patch of FILE, the file in the sources of NAME that contains
# the upstream version.  It then contains the version of Debian's package.
version_patch() {
   source=$(wrap_value "$1" source_filename)
   archive=$(wrap_value "$1" debian_filename)
   old=${source#*_} new=${archive#*_}
   printf '\n%s\n' "--- a/$2" "+++ b/$2" '@@ -1 +1 @@' "-${old%.orig.*}" "+${new%.debian.*}" |
      sed '1!{/^$/d;}'
}

# fetch_source NAME: fetches the tarball of subprojects/NAME.wrap.  Also fetches Debian's patches
# for it, and writes them to subprojects/packagefiles/NAME-debian.patch.
fetch_source() {
   fetch "$(wrap_value "$1" source_filename)" "$(wrap_value "$1" source_hash)" \
      "$(wrap_value "$1" source_url)"

   archive=$(wrap_value "$1" debian_filename)
   [ -n "$archive" ] || return 0
   hash=$(wrap_value "$1" debian_hash)
   series=$top/subprojects/packagefiles/$1-debian.patch
   title="$archive, sha256 $hash"
   [ ! -f "$series" ] || [ "$(head -n 1 "$series")" != "$title" ] || return 0

   fetch "$archive" "$hash" "$(wrap_value "$1" debian_url)" "$(wrap_value "$1" debian_snapshot)"
   [ "$(sha256sum <"$cache/$archive")" = "$hash  -" ] ||
      die "subprojects/packagecache/$archive is not the file that $1.wrap names (sha256 $hash)"
   (
      echo "$title"
      "$python" "$front/debian_series.py" "$cache/$archive" || exit
      file=$(wrap_value "$1" debian_version_file)
      [ -z "$file" ] || version_patch "$1" "$file"
   ) >"$tmp/series" || die "the patches of $archive cannot be read"
   mv "$tmp/series" "$series.part"
   mv "$series.part" "$series"
}

cache=$top/subprojects/packagecache
apt_helper=/usr/lib/apt/apt-helper
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
case $purposes in
*aarch64*)
   # shellcheck source=/dev/null
   . "$front/sysroot.sh"
   make_sysroot
   ;;
esac
case $purposes in
*more*)
   # shellcheck source=/dev/null
   . "$front/guest.sh"
   make_guest
   ;;
esac
[ -n "$quiet" ] || say "everything is installed"
