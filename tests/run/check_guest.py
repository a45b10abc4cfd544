#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests GBM and kms_swrast on the kernel's vgem and virtio-gpu drivers, in a virtual machine that
sees this machine's files.  Skipped without QEMU and the kernel of `./sgpu setup more`.
SGPU_GUEST_KERNEL can be a folder with another unpacked kernel package.

usage: check_guest.py SGPU EGL_DRAW RENDERER"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'hosts'))
from guest import Guest, Missing  # noqa: E402  pylint: disable=wrong-import-position

SKIPPED = 77
SCRIPT = '''
set -eu
export SGPU_NO_BUILD=1 SGPU_BUILD='{build}' EGL_PLATFORM=gbm
for node in /dev/dri/card*; do
   echo "$node: $(head -n 1 /sys/class/drm/${{node##*/}}/device/uevent)"
   '{sgpu}' run -- '{draw}' '{renderer}' gbm "$node"
   echo "drawn on $node"
done
'''


def main(sgpu, draw, renderer):
    script = SCRIPT.format(build=os.environ.get('SGPU_BUILD', ''), sgpu=os.path.realpath(sgpu),
                           draw=os.path.realpath(draw), renderer=renderer)
    try:
        # In emulation, because KVM in a virtual machine is not reliable.
        with Guest(script, 'tcg', memory='512', echo=sys.stdout) as guest:
            status, lines = guest.wait_end(300)
    except Missing as error:
        print(error)
        return SKIPPED
    drawn = sum(line.startswith('drawn on') for line in lines)
    print(f'status {status}, drawn on {drawn} nodes')
    return 0 if status == 0 and drawn == 2 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
