# usage: sgpu build [--quiet] [TARGET...]
#
# Configures and builds into build/.  SGPU_BUILD names another folder,
# SGPU_MESON_OPTIONS holds options for its first configuration.
# TARGET: targets of ninja; without any, what runs programs and the tools.
#
#   --quiet   say nothing when there is nothing to do

quiet=''
while [ $# -gt 0 ]; do
   case $1 in
   --quiet) quiet=1 ;;
   -h | --help) print_help build; exit ;;
   -*) die "build has no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ $# -gt 0 ] || set -- products

# Shows how far ninja is: on a terminal in one line, elsewhere in a line now
# and then; of a run that takes no time nothing, and where something fails
# what ninja says of it.
run_ninja() {
   log=$build/ninja.log
   ninja -C "$build" "$@" >"$log" 2>&1 &
   ninja=$!
   trap 'kill $ninja 2>/dev/null; exit 130' INT TERM HUP
   tenths=0
   while kill -0 $ninja 2>/dev/null; do
      sleep 0.1
      tenths=$((tenths + 1))
      done=$(sed -n '$ s/^\(\[[0-9/]*\]\).*/\1/p' "$log")
      if [ -t 2 ]; then
         [ $tenths -lt 10 ] || printf '\rsgpu: building %s ' "$done" >&2
      else
         [ $((tenths % 150)) -ne 10 ] || say "building $done"
      fi
   done
   [ $tenths -lt 10 ] || [ ! -t 2 ] || echo >&2
   trap - INT TERM HUP
   wait $ninja || {
      # a compiler's complaint, or else the end of what Meson or ninja said
      if grep '^FAILED' "$log" | grep -qv '^FAILED: build.ninja'; then
         sed -n '/^FAILED/,$p' "$log" >&2
      else
         tail -n 20 "$log" >&2
      fi
      return 1
   }
}

# Meson does not detect that a wrap or its patch has changed since it was unpacked.
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

need_setup build
mkdir -p "$build"
exec 9>"$build/.lock"
flock -n 9 || {
   say "waiting for another build in $build"
   flock 9
}

refresh_subprojects

if [ ! -f "$build/build.ninja" ]; then
   say "configuring"
   # shellcheck disable=SC2086
   meson setup --native-file "$front/debian.ini" ${SGPU_MESON_OPTIONS:-} \
      "$build" "$top" >"$build/configure.log" 2>&1 || {
      tail -n 20 "$build/configure.log" >&2
      die "Meson failed, see $build/configure.log"
   }
fi

# Ninja does not watch for a new meson.build.
if [ -n "$(find "$top/src" "$top/tests" -name meson.build \
   -newer "$build/build.ninja" 2>/dev/null)" ]; then
   touch "$top/meson.build"
fi

run_ninja "$@" || die "the build failed"
[ -n "$quiet" ] || say "built"
