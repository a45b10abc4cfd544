# usage: sgpu info
#
# Prints the versions that sgpu reports to OpenGL and EGL programs, the parameters
# of its device, and the features of the host that it uses.  Does not wait for a
# build that is running, but uses the previous driver.

case ${1:-} in
-h | --help) print_help info; exit ;;
?*) die "info takes no arguments" ;;
esac

need_build_unless_busy
[ -e "$sgpu_dir/dri/swrast_dri.so" ] || die "there is no driver in $sgpu_dir/dri yet"
need_setup run
export_env
[ -n "${DISPLAY:-}" ] || start_xvfb

section() {
   printf '\n%s\n' "$1"
   sed 's/^/   /'
}

"$top/sgpu" --version
glxinfo -B | sed -n 's/^OpenGL \(.* string\)/\1/p' | section "OpenGL (GLX)"
# EGL platforms that do not work here have no version line.
eglinfo -B 2>/dev/null | awk '
   /platform:$/ { platform = $1 }
   /^EGL API version/ { print platform ": EGL " $NF }' |
   section "EGL"

device=$build/src/tools/sgpu-device
[ ! -x "$device" ] || "$device" | section "Device"

{
   sed -n 's/^model name[[:space:]]*: /processor: /p' /proc/cpuinfo | head -n 1
   echo "processors for this process: $(nproc)"
   printf 'instruction sets:'
   for feature in sse4_2 avx2 fma avx512f avx512bw asimd sve; do
      ! grep -qE "^(flags|Features).* $feature( |\$)" /proc/cpuinfo ||
         printf ' %s' $feature
   done
   echo
   echo "threads: ${SGPU_THREADS:-one per processor (SGPU_THREADS)}"
   echo "dispatch: ${SGPU_DISPATCH:-default (SGPU_DISPATCH)}"
   echo "loaded by: $([ "$(loader)" = system ] &&
      echo "the system's Mesa, through LIBGL_DRIVERS_PATH" ||
      echo "libglvnd, as the vendor 'sgpu'")"
} | section "Host"
