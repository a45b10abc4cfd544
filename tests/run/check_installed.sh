#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the driver, moves the installation to a folder that cannot be written, and runs programs by
# its sgpu-run, through a symbolic link, with the system's loaders and with libglvnd.  The part with
# the system's loaders is skipped if they can't load the driver (Mesa 23.1 and newer).
# usage: check_installed.sh BUILD PREFIX BINDIR RENDERER
set -eu
build=$1 prefix=$2 bindir=$3 renderer=$4

unset LD_LIBRARY_PATH SGPU_LOADER DISPLAY WAYLAND_DISPLAY EGL_PLATFORM CI DRIRC_CONFIGDIR
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
failures=0

# Mesa's install rules would install into the system's folders.
DESTDIR=$folder/destination meson install -C "$build" --no-rebuild --quiet \
   --skip-subprojects
moved="$folder/a place of it's own"
mv "$folder/destination$prefix" "$moved"
chmod -R a-w "$moved"
ln -s "$moved/$bindir/sgpu-run" "$folder/link"
ln -s "$folder/link" "$folder/run"

# expect WAY TEXT: compares a part of the output of a command.
expect() {
   found=$(cat)
   case $found in
   *"$2"*) ;;
   *)
      echo "$1: expected '$2', found: $found"
      failures=$((failures + 1))
      ;;
   esac
}

# status NUMBER COMMAND...: compares the exit status.
status() {
   wanted=$1 found=0
   shift
   "$@" >"$folder/output" 2>&1 || found=$?
   [ $found -eq "$wanted" ] || {
      echo "$*: status $found, expected $wanted: $(cat "$folder/output")"
      failures=$((failures + 1))
   }
}

# What other programs look up.
for file in share/man/man1/sgpu-cap.1 share/man/man7/sgpu.7 share/zsh/site-functions/_sgpu \
            share/bash-completion/completions/sgpu-cap share/bash-completion/completions/sgpu; do
   [ -e "$moved/$file" ] || { echo "not installed: $file"; failures=$((failures + 1)); }
done
version=$("$moved/$bindir/sgpu-cap" --version)
look_up() {
   PKG_CONFIG_PATH=$(dirname "$(find "$moved" -name sgpu.pc)") pkg-config "$@" sgpu
}
look_up --modversion | expect sgpu.pc "${version#sgpu-cap }"
# The paths are relative to the file's place.  pkg-config quotes spaces.
for path in "$(look_up --variable=egl_vendor_file)" "$(look_up --variable=dridriverdir)/sgpu_dri.so"; do
   path=$(printf '%s' "$path" | sed 's/\\\(.\)/\1/g')
   [ -f "$path" ] || { echo "sgpu.pc: no $path"; failures=$((failures + 1)); }
done

ways=$("$folder/run" --env | grep -q "__GLX_VENDOR_LIBRARY_NAME='mesa'" && echo system || :)
[ -n "$ways" ] || echo "skipped: the system's loaders (they load no driver of another build)"
for way in $ways glvnd; do
   export SGPU_LOADER=$way
   EGL_PLATFORM=surfaceless "$folder/run" "$build/tests/run/egl_draw" "$renderer" surfaceless |
      expect "$way, EGL" "$renderer"
   "$folder/run" glxinfo -B | grep 'OpenGL renderer' | expect "$way, GLX" "$renderer"
   # The environment of sgpu-run in itself, and a user's folder of libraries.
   LD_LIBRARY_PATH=/nonexistent "$folder/run" "$folder/run" sh -c 'echo "$LD_LIBRARY_PATH"' |
      expect "$way, LD_LIBRARY_PATH" /nonexistent
done
unset SGPU_LOADER

# What the installation sets is what `sgpu env` sets, but for the places.
names() {
   sed 's/=.*//'
}
"$folder/run" --env | names >"$folder/installed"
"$build/src/tools/run/sgpu-run" --env | names >"$folder/built"
cmp "$folder/installed" "$folder/built" || failures=$((failures + 1))
grep -q 'application name' "$moved"/share/sgpu/drirc.d/*.conf

"$folder/run" --help | expect --help 'usage: sgpu-run'
"$folder/run" --version | expect --version 'sgpu-run '
status 0 "$folder/run" true
status 3 "$folder/run" sh -c 'exit 3'
status 127 "$folder/run" nosuchprogram
status 1 "$folder/run" --nonsense
status 2 "$folder/run"
status 0 "$folder/run" --frames 2 --screenshot "$folder/gears.png" glxgears
[ -s "$folder/gears.png" ] || failures=$((failures + 1))

# Standard input, and signals: the program has the process of sgpu-run.
echo text | "$folder/run" cat | expect 'standard input' text
"$folder/run" sh -c 'trap "exit 7" TERM; echo started; while :; do sleep 0.1; done' \
   >"$folder/started" &
program=$!
until [ -s "$folder/started" ]; do
   sleep 0.1
done
kill -TERM $program
found=0
wait $program || found=$?
[ $found -eq 7 ] || {
   echo "SIGTERM: status $found, expected 7"
   failures=$((failures + 1))
}

# Several at once, each with its X server; none is left afterwards.
export TMPDIR="$folder/tmp"
mkdir "$TMPDIR"
for i in 1 2 3 4; do
   "$folder/run" sh -c 'glxinfo -B >/dev/null && echo "$DISPLAY"' >>"$folder/displays" &
done
wait
[ "$(sort -u "$folder/displays" | wc -l)" -eq 4 ] || {
   echo "four programs at once: displays $(cat "$folder/displays")"
   failures=$((failures + 1))
}
tenths=0
while [ -n "$(ls -A "$TMPDIR")" ] && [ $tenths -lt 100 ]; do
   sleep 0.1
   tenths=$((tenths + 1))
done
[ -z "$(ls -A "$TMPDIR")" ] || {
   echo "left behind: $(ls -A "$TMPDIR")"
   failures=$((failures + 1))
}

# Without Python, and with a Python that is too old.
"$moved/$bindir/sgpu-golden" --help | expect 'sgpu-golden --help' 'usage: sgpu-golden record'
"$moved/$bindir/sgpu-golden" --version | expect 'sgpu-golden --version' "${version#sgpu-cap }"
status 2 env PATH=/nonexistent "$moved/$bindir/sgpu-golden" list "$folder"
expect 'sgpu-golden without Python' 'install Python' <"$folder/output"
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo Python 3.7.3\nexit 1\n' >"$folder/python"
chmod +x "$folder/python"
status 2 env SGPU_PYTHON="$folder/python" "$moved/$bindir/sgpu-golden" list "$folder"
expect 'sgpu-golden with an old Python' 'python is Python 3.7.3: install Python 3.8' <"$folder/output"

# Without Xvfb: EGL draws, and sgpu-run says what does not work.
mkdir "$folder/bin"
for program in sh sed tr grep paste head readlink dirname ldconfig; do
   ln -s "$(PATH=$PATH:/sbin:/usr/sbin command -v $program)" "$folder/bin"
done
PATH="$folder/bin" "$folder/run" "$build/tests/run/egl_draw" "$renderer" surfaceless \
   2>"$folder/errors" | expect 'without Xvfb' "$renderer"
expect 'without Xvfb' 'no display, and no Xvfb' <"$folder/errors"

# A picture, with nothing else installed: the same on every machine.
hash=b2a465db58593c5a
PATH="$folder/bin" "$folder/run" --require --demo "$folder/demo.png" >"$folder/output" 2>&1
expect --demo "by $renderer, OpenGL" <"$folder/output"
expect --demo "hash of the pixels: $hash" <"$folder/output"
python3 - "$folder/demo.png" "$(dirname "$0")" <<'END' | expect 'pixels of --demo' $hash
import sys
sys.path.insert(0, sys.argv[2])
import picture
width, height, rows = picture.read_png(sys.argv[1])
value = 0xcbf29ce484222325
for byte in b''.join(bytes(row) for row in reversed(rows)):
    value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
print(f'{value:016x}')
END
status 1 "$folder/run" --demo "$folder/demo.png" true
status 1 "$folder/run" --demo "$folder/none/demo.png"

# Where ldconfig has no list, as in a system that was unpacked and not set up.
rm "$folder/bin/ldconfig"
printf '#!/bin/sh\nexit 1\n' >"$folder/bin/ldconfig"
chmod +x "$folder/bin/ldconfig"
PATH="$folder/bin" "$folder/run" --env | expect 'no list of libraries' "VENDOR_LIBRARY_NAME='sgpu'"

[ $failures -eq 0 ]
