# usage: sgpu build [--quiet] [TARGET...]
#
# Configures and builds into build/.  SGPU_BUILD names another folder,
# SGPU_MESON_OPTIONS holds options for its first configuration.
# TARGET: targets of ninja; without any, what runs programs and the tools.
#
#   --quiet   say nothing when there is nothing to do

quiet=
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

# On a terminal ninja shows its progress itself; elsewhere a line now and
# then is enough, and the whole output where something fails.
run_ninja() {
   if [ -t 1 ]; then
      ninja -C "$build" "$@"
      return
   fi
   log=$build/ninja.log
   ninja -C "$build" "$@" >"$log" 2>&1 &
   ninja=$!
   trap 'kill $ninja 2>/dev/null; exit 130' INT TERM HUP
   seconds=0
   while kill -0 $ninja 2>/dev/null; do
      sleep 1
      seconds=$((seconds + 1))
      [ $((seconds % 15)) -ne 0 ] || sed -n '$ s/ .*//p' "$log" >&2
   done
   trap - INT TERM HUP
   wait $ninja || {
      sed -n '/^FAILED/,$p' "$log" >&2
      grep -q '^FAILED' "$log" || tail -n 20 "$log" >&2
      return 1
   }
}

need_setup build
mkdir -p "$build"
exec 9>"$build/.lock"
flock -n 9 || {
   say "waiting for another build in $build"
   flock 9
}

if [ ! -f "$build/build.ninja" ]; then
   say "configuring"
   # shellcheck disable=SC2086
   meson setup --native-file "$front/debian.ini" ${SGPU_MESON_OPTIONS:-} \
      "$build" "$top" >"$build/configure.log" 2>&1 || {
      tail -n 20 "$build/configure.log" >&2
      die "Meson failed, see $build/configure.log"
   }
fi

if [ -n "$quiet" ] && ninja -C "$build" -n "$@" 2>/dev/null |
   grep -q '^ninja: no work to do'; then
   exit 0
fi
say "building"
run_ninja "$@" || die "the build failed"
[ -n "$quiet" ] || say "built"
