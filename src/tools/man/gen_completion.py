#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the completions of commands for bash and zsh from their help texts.

usage: gen_completion.py bash|zsh OUTPUT NAME=HELP...

NAME: a program, or PROGRAM/COMMAND.  HELP: the file with its help text."""

import re
import sys

from help_texts import NUMBERS, Help


def kind(argument):
    """Returns what an option's argument is: 'none', 'word', 'file', 'folder', or a list."""
    if argument is None:
        return 'none'
    word = argument.split(' ')[0]
    values = word.split('|')
    if len(values) > 1 and all(re.fullmatch(r'[a-z0-9-]+', value) for value in values):
        return values
    if word in NUMBERS or re.match(r'(N|SECONDS|NAME|KEY|MODE)\b', word):
        return 'word'
    return 'folder' if re.match(r'(DIR|FOLDER)\b', word) else 'file'


def operands(usage):
    """Returns what a command's operands are: 'command' (a program with arguments), or 'file'."""
    return 'command' if any('PROGRAM' in line for line in usage) else 'file'


class Command:
    """What can be completed for a program, or for one of its commands."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            text = Help(file.read())
        self.options = {}
        self.texts = {}
        for item in text.options():
            for name in item.names():
                self.options[name] = kind(item.argument())
                self.texts[name] = item.text
        usage = ' '.join(text.usage)
        for name in re.findall(r'(?<![\w-])(--?[a-z][\w-]*)', usage):
            self.options.setdefault(name, 'none')
        self.options.setdefault('--help', 'none')
        # The items of the first list without options, if the usage has a COMMAND.
        self.commands = {}
        if 'COMMAND' in usage:
            self.commands = {item.term: item.text for item in text.commands()
                             if re.fullmatch(r'[a-z][a-z-]*', item.term)}
        self.words = []
        for content in (content for form, content in text.blocks if form == 'text'):
            found = re.match(r'(PURPOSE|PROFILE|SUITE): (.*)', content)
            if found:
                words = re.sub(r' \([^)]*\)', '', found[2])
                self.words = re.findall(r'(?:^|, )([a-z][\w-]*)(?=[,.]|$)', words)
        self.operands = 'words' if self.words else operands(text.usage)


def read(arguments):
    """Returns the programs, each with its Command and those of its commands."""
    programs = {}
    for argument in arguments:
        name, _, path = argument.partition('=')
        program, _, command = name.partition('/')
        if command:
            programs[program][1][command] = Command(path)
        else:
            programs[program] = Command(path), {}
            programs[program][0].options.setdefault('--version', 'none')
    return programs


def bash_function(name):
    # sgpu-run and the command run of sgpu have different functions.
    return '_' + name.replace('-', '_').replace('/', '__')


def bash_value(value):
    if value == 'none':
        return None
    if isinstance(value, list):
        return f'COMPREPLY=($(compgen -W "{" ".join(value)}" -- "$cur"))'
    return {'word': 'COMPREPLY=()', 'folder': 'COMPREPLY=($(compgen -d -- "$cur"))',
            'file': 'COMPREPLY=($(compgen -f -- "$cur"))'}[value]


def bash_command(label, command, depth):
    """Returns the function that completes the words behind the command.  `depth` is the number of
    words of the command itself."""
    lines = [f'{bash_function(label)}() {{', '   case $prev in']
    for name, value in command.options.items():
        action = bash_value(value)
        if action:
            lines.append(f'   {name}) {action}; return ;;')
    lines += ['   esac']
    if command.operands == 'command':
        takes = ' '.join(name for name, value in command.options.items() if value != 'none')
        # Behind "--" or the first word that is no option, the words are those of a program.
        lines += [f'   _sgpu_program {depth} "{takes}" && return']
    lines += ['   if [[ $cur == -* ]]; then',
              f'      COMPREPLY=($(compgen -W "{" ".join(command.options)}" -- "$cur"))',
              '   else']
    if command.commands:
        lines.append(f'      COMPREPLY=($(compgen -W "{" ".join(command.commands)}" -- "$cur"))')
    elif command.words:
        lines.append(f'      COMPREPLY=($(compgen -W "{" ".join(command.words)}" -- "$cur"))')
    elif command.operands == 'command':
        lines.append('      COMPREPLY=($(compgen -c -- "$cur"))')
    else:
        lines.append('      COMPREPLY=($(compgen -f -- "$cur"))')
    return lines + ['   fi', '}']


BASH_HEAD = '''\
# Completion of sgpu's commands for bash, made of their help texts by gen_completion.py.
# shellcheck shell=bash disable=SC2207,SC2034

# _sgpu_program DEPTH OPTIONS: completes the words of a program that a command runs, if the cursor
# is behind its name.  OPTIONS: those of the command that take an argument.
_sgpu_program() {
   local i word
   for ((i = $1; i < COMP_CWORD; i++)); do
      word=${COMP_WORDS[i]}
      if [[ $word == -- ]]; then
         ((i + 1 < COMP_CWORD)) || { COMPREPLY=($(compgen -c -- "$cur")); return 0; }
         COMPREPLY=($(compgen -f -- "$cur"))
         return 0
      elif [[ " $2 " == *" $word "* ]]; then
         ((i++)) || :
      elif [[ $word != -* ]]; then
         COMPREPLY=($(compgen -f -- "$cur"))
         return 0
      fi
   done
   return 1
}
'''


def write_bash(programs):
    lines = [BASH_HEAD]
    for name, (main, commands) in programs.items():
        for command, what in commands.items():
            lines += bash_command(f'{name}/{command}', what, 2)
        lines += bash_command(f'{name}/main', main, 1)
        lines += [f'{bash_function(name)}() {{',
                  '   local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}']
        if commands:
            lines += ['   local command=${COMP_WORDS[1]}', '   ((COMP_CWORD > 1)) || command=',
                      '   case $command in']
            lines += [f'   {command}) {bash_function(f"{name}/{command}")} ;;'
                      for command in commands]
            lines += [f'   *) {bash_function(f"{name}/main")} ;;', '   esac']
        else:
            lines += [f'   {bash_function(f"{name}/main")}']
        lines += ['}', f'complete -o filenames -o bashdefault -F {bash_function(name)} {name}', '']
    return '\n'.join(lines)


def zsh_quote(text):
    text = re.sub(r'[][:\\]', r'\\\g<0>', re.sub(r'[`"$]', '', text)).replace("'", "'\\''")
    return text if len(text) <= 60 else text[:57].rstrip() + '...'


def zsh_value(value):
    if value == 'none':
        return ''
    if isinstance(value, list):
        return f':value:({" ".join(value)})'
    return {'word': ':value:', 'folder': ':folder:_files -/', 'file': ':file:_files'}[value]


def zsh_arguments(command):
    lines = [f"'{name}[{zsh_quote(command.texts.get(name, ''))}]{zsh_value(value)}'"
             for name, value in command.options.items()]
    if command.commands:
        pass
    elif command.words:
        lines.append(f"'*:word:({' '.join(command.words)})'")
    elif command.operands == 'command':
        lines += ["'(-):program:_command_names -e'", "'*::argument:_normal'"]
    else:
        lines.append("'*:file:_files'")
    return lines


def write_zsh(programs):
    lines = ['#compdef ' + ' '.join(programs), '#',
             "# Completion of sgpu's commands for zsh, made of their help texts.",
             '']
    for name, (main, commands) in programs.items():
        lines += [f'{bash_function(name)}() {{']
        if commands:
            lines += ['   local -a names', '   if ((CURRENT == 2)); then', '      names=(']
            lines += [f"         '{command}:{zsh_quote(text)}'"
                      for command, text in main.commands.items()]
            lines += ['      )', f"      _describe command names",
                      f'      _arguments {" ".join(zsh_arguments(main))}', '      return', '   fi',
                      '   local command=$words[2]', '   shift words', '   ((CURRENT--))',
                      '   case $command in']
            for command, what in commands.items():
                lines.append(f'   {command}) _arguments {" ".join(zsh_arguments(what))} ;;')
            lines += ['   *) _files ;;', '   esac']
        else:
            lines += [f'   _arguments {" ".join(zsh_arguments(main))}']
        lines += ['}', '']
    lines += ['case $service in']
    lines += [f'{name}) {bash_function(name)} "$@" ;;' for name in programs]
    return '\n'.join(lines + ['esac']) + '\n'


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ('bash', 'zsh'):
        sys.exit(__doc__)
    programs = read(sys.argv[3:])
    text = write_bash(programs) if sys.argv[1] == 'bash' else write_zsh(programs)
    with open(sys.argv[2], 'w', encoding='utf-8') as file:
        file.write(text)


if __name__ == '__main__':
    main()
