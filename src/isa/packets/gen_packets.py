#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Generates the C side of sgpu_packets.xml, and docs/packets.md:
#    gen_packets.py --out DIR
#    gen_packets.py --docs FILE

import argparse
import os

from packets_xml import DEFAULT_XML, Model
import emit_pack
import emit_unpack

OUTPUTS = {
    'sgpu_packets.h': emit_pack.emit_header,
    'sgpu_packets_unpack.h': emit_unpack.emit_header,
    'sgpu_packets_unpack.c': emit_unpack.emit_source,
}


def write(path, text):
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--xml', default=DEFAULT_XML)
    parser.add_argument('--out', metavar='DIR')
    args = parser.parse_args()
    model = Model(args.xml)
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        for name, emit in OUTPUTS.items():
            write(os.path.join(args.out, name), emit(model))


if __name__ == '__main__':
    main()
