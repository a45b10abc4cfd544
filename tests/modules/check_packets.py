#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the device, or the library of layouts, reads every field of
sgpu_packets.xml.  A field that only the driver sets would promise an effect that it
does not have.

The check compares names only.  So it does not find a field without readers whose name
another field has, too.
"""

import os
import re
import sys

# Structs that only tools and the generated decoders read.
OTHERS = {'HEADER', 'WORD'}


def sources(top, *folders):
    for folder in folders:
        for where, _, names in os.walk(os.path.join(top, folder)):
            for name in names:
                if name.endswith(('.c', '.cpp', '.h')):
                    with open(os.path.join(where, name), encoding='utf-8') as f:
                        yield f.read()


def main():
    top = sys.argv[1]
    sys.path.insert(0, os.path.join(top, 'src/isa/packets'))
    from packets_xml import Model
    known = set()
    for text in sources(top, 'src/device', 'src/isa/layout'):
        text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
        known.update(re.findall(r'(?:\.|->)(\w+)', text))

    fields = [(s.name, f) for s in Model().structs if s.name not in OTHERS
              for f in s.fields]
    unread = [f'{owner}.{f.name}' for owner, f in fields if f.c not in known]
    for name in unread:
        print(f'no file of the device reads {name}', file=sys.stderr)
    print(f'{len(fields)} fields, {len(unread)} that are not read')
    return 1 if unread else 0


if __name__ == '__main__':
    sys.exit(main())
