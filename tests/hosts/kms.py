#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: tests/hosts/kms.py [OPTION...]

Boots a virtual machine with Debian's kernel and a screen of virtio-gpu, and runs programs in it
that draw with sgpu through KMS and GBM, without X: the compositor weston, with a client, and
kmscube.  The machine sees this one's files; it has no disk.

  --pictures DIR   write weston.png and kmscube.png, the pictures of the machine's screen
                   (default: build/kms)
  --accel A        kvm, tcg (emulation), or auto, the default: KVM if it works here
  --root DIR       the folder of another system that the machine sees in place of this one; the
                   project must be at the same place in it, for example by mount --bind
  --skip           exit with status 77, in place of 1, if this machine lacks something
  --verbose        print the machine's console

Needs the packages of ./sgpu setup more, and a build.  Exit status: 0 if both programs have drawn,
with sgpu, what they should."""

import argparse
import os
import re
import sys
import time

from guest import TOP, Guest, Missing

SKIPPED = 77
# Lines of the programs that are printed.
FACTS = re.compile('(GL )?(version|vendor|renderer):|frames')
# Emulated, weston takes a minute to its first picture.
LIMIT = 250

SCRIPT = r'''
set -eu
export SGPU_NO_BUILD=1 SGPU_BUILD='{build}' XDG_RUNTIME_DIR=/run/user SGPU_LOADER=glvnd
export MESA_SHADER_CACHE_DIR=/run
mkdir -m 700 /run/user
eval "$('{top}/sgpu' env)"
card=
for node in /dev/dri/card*; do
   ! grep -q DRIVER=virtio "/sys/class/drm/${{node##*/}}/device/uevent" || card=$node
done
echo "card: $card"

weston --help | grep -q drm-backend.so && drm=drm-backend.so || drm=drm
# Weston 10 takes the terminal itself as root, newer ones through libseat.
tty=
! weston --help | grep -q -e ' --tty=' || tty=--tty=1
LIBSEAT_BACKEND=builtin weston --backend=$drm $tty --drm-device=${{card##*/}} --no-config \
   --continue-without-input --idle-time=0 --socket=sgpu --log=/run/weston.log &
weston=$!
until grep -q 'launching.*desktop-shell' /run/weston.log 2>/dev/null; do
   if ! kill -0 $weston; then
      cat /run/weston.log
      exit 1
   fi
   sleep 0.2
done
WAYLAND_DISPLAY=sgpu EGL_PLATFORM=wayland stdbuf -oL weston-simple-egl >/run/client.log 2>&1 &
client=$!
# It prints a line after some seconds of drawing.
until grep -q frames /run/client.log; do
   if ! kill -0 $client; then
      cat /run/client.log /run/weston.log
      exit 1
   fi
   sleep 0.2
done
grep -E 'GL (version|vendor|renderer):|Output' /run/weston.log
cat /run/client.log
echo 'ready: weston'
read -r _
kill $client $weston
wait $weston || :

# It draws until the picture is taken, and ends when it can read from its standard input.
mkfifo /run/quiet
exec 9<>/run/quiet
stdbuf -oL kmscube -D $card <&9 >/run/kmscube.log 2>&1 &
cube=$!
until grep -q 'Rendered [0-9]* frames' /run/kmscube.log; do
   if ! kill -0 $cube; then
      cat /run/kmscube.log
      exit 1
   fi
   sleep 0.2
done
grep -E '(version|vendor|renderer):|Rendered' /run/kmscube.log
echo 'ready: kmscube'
read -r _
kill $cube
'''


def drawn(pixels):
    """Returns whether the picture of the screen is complete: the client's triangle, or the cube,
    has colours; the desktop, or the cube's background, is grey."""
    coloured = sum(max(pixel) - min(pixel) > 40 for pixel in pixels) / len(pixels)
    black = sum(max(pixel) < 8 for pixel in pixels) / len(pixels)
    return 0.005 < coloured < 0.95 and black < 0.3


def take_picture(guest, path):
    """Waits until the picture is complete, and writes it.  Returns whether it is."""
    end = time.monotonic() + LIMIT / 3
    complete = drawn(guest.pixels())
    while not complete and time.monotonic() < end:
        time.sleep(1)
        complete = drawn(guest.pixels())
    guest.picture(path)
    return complete


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument('-h', '--help', action='store_true')
    parser.add_argument('--pictures')
    parser.add_argument('--accel', choices=['auto', 'kvm', 'tcg'], default='auto')
    parser.add_argument('--root', default='/')
    parser.add_argument('--skip', action='store_true')
    parser.add_argument('--verbose', action='store_true')
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        return 0
    build = os.environ.get('SGPU_BUILD') or os.path.join(TOP, 'build')
    folder = options.pictures or os.path.join(build, 'kms')
    os.makedirs(folder, exist_ok=True)
    script = SCRIPT.format(build=os.path.realpath(build), top=TOP)
    errors = []
    start = time.monotonic()
    try:
        with Guest(script, options.accel, root=options.root,
                   echo=sys.stdout if options.verbose else None) as guest:
            for name in ('weston', 'kmscube'):
                lines = guest.wait_for(f'ready: {name}', LIMIT)
                path = os.path.join(folder, f'{name}.png')
                if not take_picture(guest, path):
                    errors.append(f'{name}: the picture {path} is not what it should be')
                guest.answer()
                print(f'{path}, after {time.monotonic() - start:.0f} s ({guest.accelerator})')
                print('\n'.join(f'   {line}' for line in lines if FACTS.search(line)), flush=True)
                if not any(re.search('renderer: "?sgpu', line) for line in lines):
                    errors.append(f'{name} did not draw with sgpu: ' + '; '.join(lines[-8:]))
            status, _ = guest.wait_end(LIMIT)
            if status:
                errors.append(f'the script in the guest ended with status {status}')
    except Missing as error:
        print(error)
        return SKIPPED if options.skip else 1
    except RuntimeError as error:
        errors.append(str(error))
    for error in errors:
        print(f'kms: {error}', file=sys.stderr)
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
