# Functions that the commands of the front script share.  The script that sources this file sets
# $top (the project's folder), $front (the folder of these scripts) and $build (the build folder).

# shellcheck source=src/tools/run/environment.sh
. "$top/src/tools/run/environment.sh"
sgpu_dir=$build
drirc_dir=$build/src/gallium/targets/dri
# Debian's Python modules need Debian's Python, which may not be the first one in PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# Prints sgpu's version, which meson.build contains.
sgpu_version() {
   sed -n "s/^ *version : '\(.*\)',\$/\1/p" "$top/meson.build" | head -n 1
}

# Prints the version of the Debian package whose Mesa is built with sgpu.
mesa_version() {
   sed -n 's/^debian_filename *= *mesa_\(.*\)\.debian\..*/\1/p' "$top/subprojects/mesa.wrap"
}

# run_limited SECONDS COMMAND...: runs the command, and ends it after that time.
run_limited() {
   exec "$python" "$front/limited.py" "$@"
}

# Commands call these functions to install and build what they need.  They are quick if there is
# nothing to do, and do nothing if SGPU_NO_BUILD is set.

need_setup() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" setup --quiet "$@"
}

need_build() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" build --quiet "$@"
}

# Builds the driver, and libglvnd's vendor libraries if the system's loaders cannot load the driver.
need_driver() {
   need_build driver
   [ "$(loader)" = system ] || need_build glvnd
}

# Like need_build, but does not wait for a build that is running.
need_build_unless_busy() {
   [ -n "${SGPU_NO_BUILD:-}" ] || "$top/sgpu" build --quiet --unless-busy
}

# with_progress LABEL PROGRESS LOG COMMAND...: runs a command with its output in the file LOG, and
# shows its progress, which the function PROGRESS prints.  A terminal has one line that is updated;
# other outputs get a line every 15 seconds.  Shows nothing for a command that takes less than a
# second.  Returns the status of the command.
with_progress() (
   label=$1 progress=$2 log=$3
   shift 3
   "$@" >"$log" 2>&1 &
   pid=$!
   trap 'kill $pid 2>/dev/null; exit 130' INT TERM HUP
   tenths=0
   while kill -0 $pid 2>/dev/null; do
      sleep 0.1
      tenths=$((tenths + 1))
      if [ -t 2 ]; then
         [ $tenths -lt 10 ] || printf '\rsgpu: %s %s\033[K' "$label" "$($progress)" >&2
      else
         [ $((tenths % 150)) -ne 10 ] || say "$label $($progress)"
      fi
   done
   [ $tenths -lt 10 ] || [ ! -t 2 ] || echo >&2
   trap - INT TERM HUP
   wait $pid
)

# print_help COMMAND: prints the help of a command, which is the comment at the start of its file.
print_help() {
   sed -n '/^#/!q; s/^# \{0,1\}//p' "$front/$1.sh"
}
