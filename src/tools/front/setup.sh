# usage: sgpu setup [--quiet] [--yes] [PURPOSE...]
#
# Installs the Debian packages that are missing (as root at once, else with
# sudo after asking) and fetches the sources that are built along.
# PURPOSE: build, run, test (these three are the default), more, trace, aarch64, bench,
#          piglit, programs, sim.
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

# Prints the missing packages; of the optional ones (PURPOSE? PACKAGE) only the
# packages in this system's archives.
missing_packages() {
   for purpose in $purposes; do
      sed -n "s/^$purpose //p" "$front/packages"
      sed -n "s/^$purpose? //p" "$front/packages" |
         while read -r package; do
            ! apt-cache policy "$package" 2>/dev/null |
               grep -q 'Candidate: [^(]' || echo "$package"
         done
   done | sort -u >"$tmp/wanted"
   xargs dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' \
      <"$tmp/wanted" 2>/dev/null |
      sed -n 's/^.i  *//p' | sort -u >"$tmp/there" || :
   comm -23 "$tmp/wanted" "$tmp/there"
}

# apt ARGUMENT...: apt-get as root, with its output in the log.
apt() {
   set -- apt-get -o DPkg::Lock::Timeout=600 -q -y "$@"
   set -- env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
   [ "$(id -u)" -eq 0 ] || set -- sudo "$@"
   with_progress "packages:" apt_progress "$apt_log" "$@" || {
      tail -n 20 "$apt_log" >&2
      return 1
   }
}

# How far apt-get is.
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
      say "this is no Debian system: install what corresponds to the packages"
      say "of src/tools/front/packages by hand"
      return
   }
   missing=$(missing_packages | tr '\n' ' ')
   [ -n "$missing" ] || return 0
   # shellcheck disable=SC2086
   say "installing $(printf '%s\n' $missing | wc -l) packages and those that they need:" \
      $missing
   install="apt-get install --no-install-recommends $missing"
   if [ "$(id -u)" -ne 0 ]; then
      command -v sudo >/dev/null ||
         die "neither root nor sudo: as root, run: $install"
      if [ -z "$yes" ]; then
         [ -t 0 ] || die "no terminal to ask before sudo: run sgpu setup --yes"
         printf 'sgpu: install them with sudo? [y/N] ' >&2
         read -r answer
         case $answer in
         [yY]*) ;;
         *) die "not installed; by hand: sudo $install" ;;
         esac
      fi
   fi
   # The password, before the output goes to the log.
   [ "$(id -u)" -eq 0 ] || sudo -v || die "sudo refuses"
   apt_log=$build/setup.log
   mkdir -p "$build"
   apt update ||
      die "apt-get update failed, see $apt_log: check the network and apt's sources"
   # With the lists there may be more of the optional ones.
   missing=$(missing_packages | tr '\n' ' ')
   # shellcheck disable=SC2086
   apt install --no-install-recommends $missing ||
      die "apt-get could not install packages, see $apt_log"
   missing=$(missing_packages | tr '\n' ' ')
   [ -z "$missing" ] || die "still missing after the installation, see $apt_log: $missing"
}

# Prints the archives that apt is configured for, one URI a line.
archives() {
   command -v apt-get >/dev/null || return 0
   # shellcheck disable=SC2016
   apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
      'Component: main' | awk '!seen[$0]++' |
      while read -r uri; do
         case $uri in
         # apt's downloader does not resolve lists of mirrors by itself.
         mirror+file:*) list=${uri#mirror+file:}; sed 's/[[:space:]].*//' "${list%/}" ;;
         *) echo "$uri" ;;
         esac
      done
}

# download URL FILE: by apt's own downloader, which has the proxies and mirror
# methods of this system, or else by curl.
download() {
   if [ -x "$apt_helper" ]; then
      "$apt_helper" -o "APT::Sandbox::User=$(id -un)" \
         -o Acquire::Retries=3 -o Acquire::http::Timeout=30 \
         download-file "$1" "$2"
   else
      curl --fail --location --silent --show-error --output "$2" "$1"
   fi
}

# fetch_source NAME: puts the tarball of subprojects/NAME.wrap into Meson's
# package cache.  The tarball is the one of Debian 12's source package.  The
# pool of an archive holds the packages of all its releases, so the release of
# this system does not matter.  The hash decides whether the file is right.
fetch_source() {
   file=$(sed -n 's/^source_filename *= *//p' "$top/subprojects/$1.wrap")
   url=$(sed -n 's/^source_url *= *//p' "$top/subprojects/$1.wrap")
   hash=$(sed -n 's/^source_hash *= *//p' "$top/subprojects/$1.wrap")
   cache=$top/subprojects/packagecache
   [ ! -f "$cache/$file" ] || return 0

   say "fetching $file"
   mkdir -p "$cache"
   for address in $(archives | sed "s,/*\$,/pool/${url#*/pool/},") "$url"; do
      download "$address" "$tmp/$file" >>"$tmp/fetch.log" 2>&1 || continue
      [ "$(sha256sum <"$tmp/$file")" != "$hash  -" ] || break
      echo "$address is another file" >>"$tmp/fetch.log"
      rm -f "$tmp/$file"
   done
   if [ ! -f "$tmp/$file" ]; then
      cat "$tmp/fetch.log" >&2
      die "no archive has $file: put it into subprojects/packagecache" \
         "(sha256 $hash)"
   fi
   mv "$tmp/$file" "$cache/$file.part"
   mv "$cache/$file.part" "$cache/$file"
}

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
[ -n "$quiet" ] || say "everything is there"
