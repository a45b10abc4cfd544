#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the driver's libraries export only the symbols that loaders and each other need, and
depend on no unnecessary libraries: no libstdc++, which could be older than required, no libm, whose
results depend on the host, no libgcc, and nothing that the system's own Mesa does without.

usage: check_library.py sgpu_dri.so libgallium_sgpu.so libsgpu_audit.so"""

import os
import subprocess
import sys

ENTRY = '__driDriverGetExtensions_'
NAMES = {'sgpu', 'swrast', 'kms_swrast'}
C = {'libc.so.6', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'}
NEEDED_DRI = C | {'libgallium_sgpu.so', 'libdrm.so.2', 'libexpat.so.1'}
NEEDED_GALLIUM = C | {
    'libdrm.so.2', 'libexpat.so.1', 'libz.so.1', 'libzstd.so.1', 'libxcb.so.1',
    # The code for GPUs in Mesa's frontend.  Mesa's own library needs them, too.
    'libxcb-dri3.so.0', 'libxcb-present.so.0', 'libxcb-randr.so.0', 'libxcb-sync.so.1',
    'libxcb-xfixes.so.0', 'libxshmfence.so.1',
}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout.splitlines()


def exported(library):
    return {line.split()[-1] for line in
            lines_of('nm', '--dynamic', '--defined-only', library)}


def check_dependencies(library, allowed):
    """Returns errors about the libraries that a library needs, and about its build ID."""
    errors = []
    needed = {line.split('[')[1].rstrip(']') for line in
              lines_of('readelf', '--dynamic', '--wide', library)
              if '(NEEDED)' in line}
    if needed - allowed:
        errors.append(f'{library}: needed libraries: {sorted(needed - allowed)}')
    notes = '\n'.join(lines_of('readelf', '--notes', '--wide', library))
    if 'Build ID' not in notes:
        errors.append(f'{library}: no build id: the shader cache would mix up versions')
    return errors


def main(dri, gallium, audit):
    errors = check_dependencies(dri, NEEDED_DRI) + check_dependencies(gallium, NEEDED_GALLIUM)
    errors += check_dependencies(audit, set())

    # With la_symbind*() or la_plt*(), calls between libraries would be slower.
    if exported(audit) != {'la_version', 'la_objopen'}:
        errors.append(f'{audit}: exported symbols: {sorted(exported(audit))}')

    if exported(dri) != {ENTRY + name for name in NAMES}:
        errors.append(f'{dri}: exported symbols: {sorted(exported(dri))}')
    unversioned = {name for name in exported(gallium)
                   if name != 'SGPU' and not name.endswith('@@SGPU')}
    if unversioned:
        errors.append(f'{gallium}: symbols without the version SGPU: {sorted(unversioned)}')

    for name in NAMES:
        path = os.path.join(os.path.dirname(dri), f'{name}_dri.so')
        if not os.path.exists(path) or not os.path.samefile(path, dri):
            errors.append(f'{path} is not the same library')

    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
