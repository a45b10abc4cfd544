#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Generates the C side of sgpu_packets.xml, and docs/packets.md:
#    gen_packets.py --out DIR
#    gen_packets.py --docs FILE
#    gen_packets.py --check FILE      fails if FILE differs from what --docs would write

import argparse
import os
import sys

from packets_xml import DEFAULT_XML, Model
import emit_docs
import emit_info
import emit_pack
import emit_unpack

OUTPUTS = {
    'sgpu_packets.h': emit_pack.emit_header,
    'sgpu_packets_unpack.h': emit_unpack.emit_header,
    'sgpu_packets_unpack.c': emit_unpack.emit_source,
    'sgpu_packets_info.c': emit_info.emit_source,
}


def write(path, text):
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--xml', default=DEFAULT_XML)
    parser.add_argument('--out', metavar='DIR')
    parser.add_argument('--docs', metavar='FILE')
    parser.add_argument('--check', metavar='FILE')
    args = parser.parse_args()
    if not (args.out or args.docs or args.check):
        parser.error('nothing to do')
    model = Model(args.xml)
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        for name, emit in OUTPUTS.items():
            write(os.path.join(args.out, name), emit(model))
    if args.docs:
        write(args.docs, emit_docs.emit_docs(model))
    if args.check:
        with open(args.check, encoding='utf-8') as f:
            if f.read() != emit_docs.emit_docs(model):
                sys.exit(f'{args.check} is not up to date: run gen_packets.py --docs')


if __name__ == '__main__':
    main()
