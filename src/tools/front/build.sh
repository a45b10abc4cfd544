# usage: sgpu build [--quiet] [--unless-busy] [TARGET...]
#
# Configures and builds in the folder build/.  SGPU_BUILD names a different folder.
# SGPU_MESON_OPTIONS is a list of Meson options for the first configuration.
# TARGET: targets of ninja (default: the driver, the libraries and the tools).
#
#   --quiet        print nothing if there is nothing to build
#   --unless-busy  build nothing if another build is running in the folder

quiet='' unless_busy=''
while [ $# -gt 0 ]; do
   case $1 in
   --quiet) quiet=1 ;;
   --unless-busy) unless_busy=1 ;;
   -h | --help) print_help build; exit ;;
   -*) die "build has no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ $# -gt 0 ] || set -- products

# Prints how many of its steps ninja has done.
ninja_progress() {
   sed -n '$ s/^\(\[[0-9/]*\]\).*/\1/p' "$log"
}

# Runs ninja.  On failure, prints the output of the command that failed, or the end of the log.
run_ninja() {
   with_progress building ninja_progress "$build/ninja.log" ninja -C "$build" "$@" || {
      if grep '^FAILED' "$build/ninja.log" | grep -qv '^FAILED: build.ninja'; then
         sed -n '/^FAILED/,$p' "$build/ninja.log" >&2
      else
         tail -n 20 "$build/ninja.log" >&2
      fi
      return 1
   }
}

# Removes unpacked subprojects if a wrap file or its patches have changed, which Meson does not
# detect.
refresh_subprojects() {
   stamp=$top/subprojects/.unpacked
   now=$(cd "$top/subprojects" &&
      find ./*.wrap packagefiles -type f | LC_ALL=C sort | xargs cat |
      sha256sum)
   if [ -f "$stamp" ] && [ "$now" != "$(cat "$stamp")" ]; then
      sed -n 's/^directory *= *//p' "$top"/subprojects/*.wrap |
         while read -r directory; do
            rm -rf "$top/subprojects/$directory"
         done
      touch "$top/meson.build"
   fi
   echo "$now" >"$stamp"
}

# Makes the files of a folder writable only for their owner, and makes root the owner if root
# builds.
close_to_others() {
   [ "$(id -u)" -ne 0 ] || chown -R -h 0:0 "$1"
   chmod -R go-w "$1"
}

# Unpacks missing subprojects.  As root, Python's tarfile keeps the owners and modes of the
# archive, so a user with the same ID could change files that root compiles.  Only root may enter
# the folder until the files belong to root.
unpack_subprojects() (
   missing=''
   for directory in $(sed -n 's/^directory *= *//p' "$top"/subprojects/*.wrap); do
      if ! [ -d "$top/subprojects/$directory" ]; then
         missing="$missing $directory"
      elif [ "$(id -u):$(stat -c %u "$top/subprojects")" = 0:0 ] &&
         [ "$(stat -c %u "$top/subprojects/$directory")" != 0 ]; then
         # Another tool has unpacked it, with the owners of the archive.
         close_to_others "$top/subprojects/$directory"
      fi
   done
   [ -n "$missing" ] || exit 0
   mode=$(stat -c %a "$top/subprojects")
   trap 'chmod "$mode" "$top/subprojects"' EXIT
   trap 'exit 130' INT
   trap 'exit 143' TERM HUP
   chmod 700 "$top/subprojects"
   meson subprojects download --sourcedir "$top" >"$build/unpack.log" 2>&1 || {
      tail -n 20 "$build/unpack.log" >&2
      die "the subprojects cannot be unpacked, see $build/unpack.log"
   }
   for directory in $missing; do
      close_to_others "$top/subprojects/$directory"
   done
)

# other_ninja: returns whether a ninja that this command did not start runs in the build folder.
# Ninja has no lock: two of them write the same files.
other_ninja() {
   folder=$(readlink -f "$build")
   for file in /proc/[0-9]*/comm; do
      { read -r name <"$file"; } 2>/dev/null || continue
      [ "$name" != ninja ] || [ "$(readlink "${file%/comm}/cwd")" != "$folder" ] || return 0
   done
   return 1
}

mkdir -p "$build"
exec 9>"$build/.lock"
if ! flock -n 9 || other_ninja; then
   if [ -n "$unless_busy" ]; then
      say "another build is running in $build"
      exit
   fi
   say "waiting for another build in $build"
   flock 9
   while other_ninja; do
      sleep 1
   done
fi
need_setup build

refresh_subprojects
unpack_subprojects

# ccache: do not run the preprocessor separately, and support precompiled headers.
export CCACHE_DEPEND="${CCACHE_DEPEND:-1}"
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"

if [ ! -f "$build/build.ninja" ]; then
   say "configuring"
   # shellcheck disable=SC2086
   meson setup --native-file "$front/debian.ini" ${SGPU_MESON_OPTIONS:-} \
      "$build" "$top" >"$build/configure.log" 2>&1 || {
      tail -n 20 "$build/configure.log" >&2
      die "Meson failed, see $build/configure.log"
   }
fi

# Ninja does not notice new meson.build files, so make it configure again.
if [ -n "$(find "$top/src" "$top/tests" -name meson.build \
   -newer "$build/build.ninja" 2>/dev/null)" ]; then
   touch "$top/meson.build"
fi

run_ninja "$@" || die "the build failed"
[ -n "$quiet" ] || say "built"
