#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a program with a shader cache on a disk that is full, or becomes full, draws as it
does without a cache.

Mounts a file system in memory in a new mount namespace, which requires root.
usage: check_full_disk.py COMMAND..."""

import os
import subprocess
import sys
import tempfile

SKIP = 77
# Free space in KiB; the index of the cache takes 1281 KiB.
ROOM = (0, 64, 1400, 1600)
KINDS = ({}, {'MESA_DISK_CACHE_DATABASE': '1'}, {'MESA_DISK_CACHE_SINGLE_FILE': '1'})


def main(*command):
    if os.getuid() != 0:
        print('mounting requires root')
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as folder:
        script = ('mount -t tmpfs -o size=4m tmpfs "$1" || exit 77; '
                  'head -c $((4096 * 1024 - $2 * 1024)) /dev/zero >"$1/full" 2>/dev/null; '
                  'shift 2; for i in 1 2; do "$@" || exit; done')
        for kind in KINDS:
            for room in ROOM:
                env = dict(os.environ, MESA_SHADER_CACHE_DIR=folder, **kind)
                done = subprocess.run(['unshare', '-m', 'sh', '-c', script, 'sh', folder,
                                       str(room), *command], check=False, env=env)
                if done.returncode == SKIP:
                    print('no file system can be mounted')
                    sys.exit(SKIP)
                assert done.returncode == 0, (kind, room, done.returncode)


if __name__ == '__main__':
    main(*sys.argv[1:])
