#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes Mesa's driconf file with workarounds for applications without the sections of other
drivers and without comments.  Each screen parses it twice, which is a seventh of the time to the
first frame with the whole file.

usage: gen_drirc.py IN OUT"""

import sys
import xml.etree.ElementTree as ET

DRIVERS = {None, 'sgpu', 'swrast', 'kms_swrast'}


def main():
    source, target = sys.argv[1:]
    tree = ET.parse(source)  # drops comments
    root = tree.getroot()
    for device in root.findall('device'):
        if device.get('driver') not in DRIVERS:
            root.remove(device)
    for element in root.iter():
        element.text = element.tail = '\n'
    tree.write(target, encoding='utf-8', xml_declaration=False)


if __name__ == '__main__':
    main()
