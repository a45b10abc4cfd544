#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Translator: extracts the pieces from the machine code that the compiler generates for the
# functions of gen_pieces.py. A piece is the instructions of a function in SSA form, without
# registers and memory. A function with an unsupported instruction has no piece, so the interpreter
# executes its operation.
#
#    extract_pieces.py --isa DIR --input EXECUTABLE --objdump PROGRAM --out FILE

import argparse
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import x86_ops
from pieces import all_pieces

INPUTS = 16      # references below this number are inputs
CONSTS = 64      # references from INPUTS up to here are constants; the rest are instructions
MAX_REF = 255


class Refused(Exception):
    """Raised if a function has an instruction that pieces do not support."""


class Memory:
    """The contents of the executable's sections, by address."""

    def __init__(self, objdump, path):
        self.bytes = {}
        text = run([objdump, '-s', path])
        for line in text.splitlines():
            m = re.match(r' ([0-9a-f]+) ((?:[0-9a-f]{2,8} ){1,4})', line)
            if m:
                data = bytes.fromhex(m[2].replace(' ', ''))
                self.bytes.update({int(m[1], 16) + i: b for i, b in enumerate(data)})

    def read(self, address, size):
        try:
            return bytes(self.bytes[address + i] for i in range(size))
        except KeyError:
            raise Refused('a constant that is not there') from None


def run(command):
    result = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f'extract_pieces.py: failed: {" ".join(command)}')
    return result.stdout


class Extraction:
    """Executes a function symbolically. Values are ('in', k), ('const', 16 bytes), ('word',
    4 bytes) and ('ins', number)."""

    def __init__(self, memory, width):
        self.memory = memory
        self.width = width  # bytes in a vector
        self.regs = {}
        self.gprs = {}
        self.code = []  # tuples (operation, immediate, sources)
        self.result = None

    def value(self, operand):
        reg = re.fullmatch(r'[xyz]mm(\d+)', operand)
        if reg:
            if int(reg[1]) not in self.regs:
                raise Refused(f'{operand} has no value')
            return self.regs[int(reg[1])]
        place = re.search(r'\[rdi(?:\+0x([0-9a-f]+))?\]', operand)
        if place:
            k, rest = divmod(int(place[1] or '0', 16), self.width)
            if rest:
                raise Refused(operand)
            return ('in', k)
        place = re.search(r'# ([0-9a-f]+)', operand)
        if place and 'PTR [rip' in operand:
            size = self.width if operand.startswith('YMM') else 16
            data = self.memory.read(int(place[1], 16), size)
            if data[:16] * (size // 16) != data:
                raise Refused('a constant of different halves')
            return ('const', data[:16])
        raise Refused(operand)

    def splat(self, operand, size):
        place = re.search(r'# ([0-9a-f]+)', operand)
        if not place:
            raise Refused(operand)
        return ('const', self.memory.read(int(place[1], 16), size) * (16 // size))

    def step(self, mnemonic, ops):
        def reg(operand):
            m = re.fullmatch(r'[xy]mm(\d+)', operand)
            if not m:
                raise Refused(operand)
            return int(m[1])

        if mnemonic == 'mov' and re.fullmatch(r'e[a-z]+|r\d+d', ops[0]) and \
                re.fullmatch(r'0x[0-9a-f]+', ops[1]):
            self.gprs[ops[0]] = int(ops[1], 16)
        elif mnemonic == 'vmovd' and ops[1] in self.gprs:
            data = self.gprs[ops[1]].to_bytes(4, 'little')
            self.regs[reg(ops[0])] = ('word', data)
        elif mnemonic in ('vpbroadcastd', 'vbroadcastss'):
            if re.fullmatch(r'xmm\d+', ops[1]):
                value = self.regs.get(reg(ops[1]))
                if not value or value[0] != 'word':
                    raise Refused('a broadcast of another value')
                self.regs[reg(ops[0])] = ('const', value[1] * 4)
            else:
                self.regs[reg(ops[0])] = self.splat(ops[1], 4)
        elif mnemonic in ('vpbroadcastq', 'vbroadcastsd') or \
                (mnemonic == 'vmovddup' and ops[0].startswith('xmm')):
            self.regs[reg(ops[0])] = self.splat(ops[1], 8)
        elif re.fullmatch(r'vmov(dq|)[ua](ps|pd|)', mnemonic):
            if '[rsi]' in ops[0]:
                self.result = self.value(ops[1])
            else:
                self.regs[reg(ops[0])] = self.value(ops[1])
        elif mnemonic != 'vzeroupper':
            self.operation(mnemonic, ops, reg)

    def operation(self, mnemonic, ops, reg):
        found = x86_ops.find(mnemonic)
        if not found:
            raise Refused(mnemonic)
        op, imm = found
        dst = reg(ops[0])
        srcs = ops[1:]
        if len(srcs) == 2 and srcs[0] == srcs[1] and op.name in ('vpxor', 'vpcmpeqd') and \
                srcs[0].startswith(('xmm', 'ymm')):
            self.regs[dst] = ('const', bytes([255 if op.name == 'vpcmpeqd' else 0]) * 16)
            return
        if op.has_imm and imm is None:
            imm = int(srcs.pop(), 16)
        if len(srcs) != op.num_srcs:
            raise Refused(mnemonic)
        narrow = [o.startswith('xmm') for o in ops if re.match(r'[xy]mm', o)]
        if all(narrow):
            raise Refused(f'{mnemonic} of half a vector')
        self.code.append((op, imm or 0, [self.value(s) for s in srcs]))
        self.regs[dst] = ('ins', len(self.code) - 1)


def functions(text):
    """Yields (name, list of (mnemonic, operands)) for each function, up to its return."""
    name, lines = None, []
    for line in text.splitlines():
        head = re.match(r'[0-9a-f]+ <sgd_piece_(\w+)>:', line)
        if head:
            name, lines = head[1], []
            continue
        m = re.match(r' +[0-9a-f]+:\t(\S+)\s*(.*)', line)
        if name and m:
            if m[1] == 'ret':
                yield name, lines
                name = None
            else:
                lines.append((m[1], split(m[2])))


def split(text):
    """Splits a string of operands. An address in a comment is kept with its memory operand."""
    text, _, comment = text.partition('#')
    return [o.strip() + (f' # {comment.strip()}' if 'rip' in o else '')
            for o in text.split(',') if o.strip()]


def extract(memory, lines):
    e = Extraction(memory, 32)
    for mnemonic, ops in lines:
        e.step(mnemonic, ops)
    if not e.result or e.result[0] == 'word':
        raise Refused('no result')
    return e


def number(extraction, num_inputs):
    """Returns instructions with numbers as references, constants, and the result's reference."""
    consts = []

    def ref(value):
        kind, what = value
        if kind == 'in':
            assert what < num_inputs
            return what
        if kind == 'const':
            if what not in consts:
                consts.append(what)
            return INPUTS + consts.index(what)
        if kind == 'word':
            raise Refused('half a constant')
        return CONSTS + what

    code = [(op, imm, [ref(s) for s in srcs]) for op, imm, srcs in extraction.code]
    result = ref(extraction.result)
    if len(consts) > CONSTS - INPUTS or CONSTS + len(code) > MAX_REF:
        raise Refused('too long')
    return code, consts, result


def main():
    parser = argparse.ArgumentParser(description='Takes pieces from machine code.')
    parser.add_argument('--isa', required=True, metavar='DIR', help='folder of sgpu_opcodes.py')
    parser.add_argument('--input', required=True, metavar='EXECUTABLE')
    parser.add_argument('--objdump', required=True, metavar='PROGRAM')
    parser.add_argument('--out', required=True, metavar='DIR')
    args = parser.parse_args()

    from mako.lookup import TemplateLookup

    memory = Memory(args.objdump, args.input)
    found = dict(functions(run([args.objdump, '-d', '-M', 'intel', '--no-show-raw-insn',
                                args.input])))
    table, refused, consts = [], [], {}
    for piece in all_pieces(args.isa):
        inputs = piece.inputs()
        try:
            if piece.name not in found:
                raise Refused('no such function, or it does not return')
            code, own, result = number(extract(memory, found[piece.name]), len(inputs))
        except Refused as why:
            refused.append((piece, str(why)))
            continue
        numbers = [consts.setdefault(c, len(consts)) for c in own]
        table.append((piece, [where for _, where in inputs], code, numbers, result))

    if not table:
        sys.exit(f'extract_pieces.py: {args.input}: {args.objdump} shows no function as pieces need '
                 f'it: {refused[0][0].name}: {refused[0][1]}')
    if len(refused) > len(table) / 4:
        print(f'extract_pieces.py: warning: {len(refused)} of {len(refused) + len(table)} '
              'operations are left to the interpreter: the compiler makes no vector code of '
              'them; reasons are in sgd_pieces.c', file=sys.stderr)
    here = os.path.dirname(os.path.abspath(__file__))
    lookup = TemplateLookup([os.path.join(here, 'templates')], strict_undefined=True)
    os.makedirs(args.out, exist_ok=True)
    for name in 'sgd_x86_ops.h', 'sgd_x86_ops.c', 'sgd_pieces.c':
        text = lookup.get_template(name + '.mako').render(
            table=table, refused=refused, consts=list(consts), ops=list(x86_ops.OPS.values()),
            comparisons=x86_ops.COMPARISONS)
        with open(os.path.join(args.out, name), 'w', encoding='utf-8') as f:
            f.write(text)


if __name__ == '__main__':
    main()
