#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads Khronos' gl.xml and writes C functions that call the entry points of OpenGL's core
profile with random arguments.

usage: gen_calls.py GL.XML OUT.h"""

import sys
import xml.etree.ElementTree as ElementTree

# Functions that the fuzzer must not call: other state than the arguments determines the size of the
# program's memory that they access, they install callbacks, or they can wait forever.
LEFT_OUT = ('PixelStore', 'DebugMessageCallback', 'WaitSync', 'ClientWaitSync', 'GetPointerv',
            'ResetNotification')
INTEGERS = {'GLint': 'number', 'GLuint': 'name', 'GLsizei': 'size', 'GLboolean': 'flag',
            'GLbitfield': 'bits', 'GLintptr': 'offset', 'GLsizeiptr': 'bytes',
            'GLint64': 'number', 'GLuint64': 'name', 'GLubyte': 'flag', 'GLbyte': 'flag',
            'GLshort': 'number', 'GLushort': 'name', 'GLfixed': 'number', 'GLclampx': 'number',
            'GLchar': 'flag'}
FLOATS = ('GLfloat', 'GLdouble', 'GLclampf', 'GLclampd')


def commands_of(root):
    """Returns the names of the core profile's commands."""
    names = set()
    for feature in root.iter('feature'):
        if feature.get('api') != 'gl':
            continue
        for require in feature.findall('require'):
            if require.get('profile') != 'compatibility':
                names |= {command.get('name') for command in require.findall('command')}
        for remove in feature.findall('remove'):
            if remove.get('profile') == 'core':
                names -= {command.get('name') for command in remove.findall('command')}
    return {name for name in names if not any(part in name for part in LEFT_OUT)}


def enums_of(root):
    """Returns the values of enums by group, and all values."""
    groups, everything, named = {}, set(), {}
    for enum in root.iter('enum'):
        value = enum.get('value')
        if not value or len(value) > 10 or enum.get('api') in ('gles1', 'gles2', 'glsc2'):
            continue
        try:
            number = int(value, 0) & 0xffffffff
        except ValueError:
            continue
        everything.add(number)
        named[enum.get('name')] = number
        for group in (enum.get('group') or '').split(','):
            groups.setdefault(group, set()).add(number)
    for group in root.iter('group'):
        groups.setdefault(group.get('name'), set()).update(
            named[enum.get('name')] for enum in group.findall('enum') if enum.get('name') in named)
    groups = {name: values for name, values in groups.items() if values}
    return groups, everything


def argument(kind, param, used, strings):
    """Returns the C expression of a random argument for the parameter."""
    if '*' in kind:
        if kind.count('*') > 1:
            return 'texts()' if 'GLchar' in kind else f'({kind})words()'
        if strings and 'GLint' in kind:
            return 'NULL'  # lengths of the strings
        if 'GLchar' in kind and 'const' in kind:
            return 'text()'
        return f'({kind})words()'
    base = kind.replace('const', '').strip()
    if base in FLOATS:
        return 'real()'
    if base == 'GLenum' or (base in ('GLbitfield', 'GLint') and param.get('group')):
        group = param.get('group')
        if group in used:
            return f'({base})choose(group_{group}, {len(used[group])})'
        if base == 'GLenum':
            return 'any_enum()'
    if base == 'GLsync':
        return '(GLsync)words()'
    return f'({base}){INTEGERS.get(base, "number")}()'


def main():
    root = ElementTree.parse(sys.argv[1]).getroot()
    names = commands_of(root)
    groups, everything = enums_of(root)
    commands = [command for command in root.find('commands')
                if command.find('proto/name').text in names]
    used = {}
    for command in commands:
        for param in command.findall('param'):
            group = param.get('group')
            if group in groups:
                used[group] = sorted(groups[group])
    out = ['/* Made by gen_calls.py. */']
    for group, values in sorted(used.items()):
        out.append(f'static const GLenum group_{group}[] = {{ '
                   + ', '.join(f'0x{value:x}u' for value in values) + ' };')
    out.append('static const GLenum all_enums[] = { '
               + ', '.join(f'0x{value:x}u' for value in sorted(everything)) + ' };')
    table = []
    for command in sorted(commands, key=lambda command: command.find('proto/name').text):
        name = command.find('proto/name').text
        kinds = []
        for param in command.findall('param'):
            kinds.append(' '.join(''.join(part for part in [param.text or ''] + [
                (child.text or '') + (child.tail or '') if child.tag != 'name' else
                (child.tail or '') for child in param]).split()))
        proto = command.find('proto')
        result = ' '.join(''.join([proto.text or ''] + [
            (child.text or '') + (child.tail or '') for child in proto
            if child.tag != 'name']).split())
        strings = any(kind.count('*') > 1 and 'GLchar' in kind for kind in kinds)
        arguments = [argument(kind, param, used, strings) for kind, param
                     in zip(kinds, command.findall('param'), strict=True)]
        number = len(table)
        out += ['', 'static void', f'call_{name}(void)', '{',
                f'   {result} (*f)({", ".join(kinds) or "void"}) = '
                f'({result} (*)({", ".join(kinds) or "void"}))calls[{number}].function;']
        # Evaluate one argument after the other, so that they are the same with any compiler for a
        # seed.
        out += [f'   {kind} a{i} = {value};' for i, (kind, value)
                in enumerate(zip(kinds, arguments, strict=True))]
        out += [f'   f({", ".join(f"a{i}" for i in range(len(kinds)))});', '}']
        table.append(f'   {{ "{name}", call_{name}, NULL }},')
    head = out[0]
    decl = ['static struct call {', '   const char *name;', '   void (*run)(void);',
            '   void (*function)(void);', f'}} calls[{len(table)}];']
    tail = ['', f'static struct call calls[{len(table)}] = {{', *table, '};', '']
    with open(sys.argv[2], 'w', encoding='utf-8') as file:
        file.write('\n'.join([head, *decl, *out[1:], *tail]))


if __name__ == '__main__':
    main()
