#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the manual pages with mandoc's lint and man, and the completions by running bash and zsh.

usage: check_manuals.py FOLDER      the folder of the build with them"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What is typed, and completions that must be among those that are offered.
CASES = {
    'sgpu ret': {'retrace'},
    'sgpu run --sc': {'--screenshot'},
    'sgpu run --frames 5 -- /bin/tru': {'/bin/true'},
    'sgpu setup pig': {'piglit'},
    'sgpu replay --ha': {'--hash'},
    'sgpu replay pic': {'picture.sgcap'},
    'sgpu asm --o': {'--output'},
    'sgpu trace --api ': {'glx', 'egl'},
    'sgpu-cap re': {'replay', 'reduce'},
    'sgpu-cap replay --png fol': {'folder'},
    'sgpu-sim --sw': {'--sweep'},
    'sgpu-device --c': {'--counters'},
}

BASH = r'''
. "$1"
COMP_LINE=$2
read -ra COMP_WORDS <<<"$2"
[[ $2 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function=$(complete -p "${COMP_WORDS[0]}" | sed 's/.*-F \([^ ]*\).*/\1/')
$function
printf '%s\n' "${COMPREPLY[@]}"
'''

# zsh completes in an interactive shell of a pseudo terminal.
ZSH = r'''
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=('$1' \$fpath); autoload -Uz compinit; compinit -u -d '$1/dump'; PS1=; cd '$3'"
zpty -w shell "zstyle ':completion:*' list-colors 'no='; zstyle ':completion:*' verbose no"
zpty -w shell "LISTMAX=10000; setopt no_beep; stty cols 1000; bindkey '^X' list-choices"
zpty -w shell 'echo rea""dy'
zpty -r shell line '*ready*'
zpty -w -n shell "$2"$'\C-x'
sleep ${SLEEP:-1}
zpty -w -n shell $'\C-a\C-k'
zpty -w shell 'echo en""ded'
zpty -r shell line '*ended*'
print -r -- $line
zpty -d shell
'''


def check_pages(folder):
    pages = sorted(glob.glob(os.path.join(folder, '*.[17]')))
    assert len(pages) >= 6, pages
    for page in pages:
        lint = subprocess.run(['mandoc', '-Tlint', '-W', 'warning', page], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert lint.returncode == 0 and not lint.stdout, lint.stdout
        text = subprocess.run(['mandoc', '-Tascii', page], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        text = re.sub('.\b', '', text)
        assert '\nNAME\n' in text and '\nDESCRIPTION\n' in text, page
        # Each option of the help text is an item of the page.
        for path in glob.glob(page[:-2] + '*.help') if page.endswith('.1') else []:
            with open(path, encoding='utf-8') as file:
                for option in re.findall(r'^  (--[a-z][a-z-]*)', file.read(), re.M):
                    assert re.search(rf'^ +(-\w, )?{option}\b', text, re.M), f'{page}: {option}'
    return len(pages)


def bash_words(folder, typed):
    command = ['bash', '--norc', '-c', BASH, 'bash', os.path.join(folder, 'sgpu.bash'), typed]
    return set(subprocess.run(command, check=True, text=True,
                              stdout=subprocess.PIPE).stdout.split())


def zsh_words(folder, typed, here, seconds):
    """Returns the words of the list that zsh shows within some seconds."""
    # The folder also has zsh's list of functions, which the first of these shells makes.
    functions = os.path.join(here, 'functions')
    os.makedirs(functions, exist_ok=True)
    shutil.copy(os.path.join(folder, '_sgpu'), functions)
    text = subprocess.run(['zsh', '-f', '-c', ZSH, 'zsh', functions, typed, here], check=True,
                          text=True, stdout=subprocess.PIPE, errors='replace',
                          env={**os.environ, 'TERM': 'vt100', 'SLEEP': str(seconds)}).stdout
    text = re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', ' ', text)
    return set(re.sub(r'[\x00-\x1f\x7f]', ' ', text).split())


def main(folder):
    folder = os.path.realpath(folder)
    if shutil.which('mandoc'):
        print(check_pages(folder), 'pages')
    else:
        print('skipped: pages (no mandoc)')
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        os.mkdir('folder')
        with open('picture.sgcap', 'w', encoding='ascii'):
            pass
        for typed, expected in CASES.items():
            found = bash_words(folder, typed)
            assert expected <= found, f'bash: {typed!r}: {found}'
        if shutil.which('zsh'):
            # A shell takes a second to start: half of the cases.
            for typed, expected in list(CASES.items())[::2]:
                # The list has names of files without their folders, and a slash behind folders.
                expected = {os.path.basename(each) for each in expected}
                found = set()
                for seconds in (0.5, 3, 20):
                    if not expected <= found:
                        found = {word.rstrip('/')
                                 for word in zsh_words(folder, typed, here, seconds)}
                assert expected <= found, f'zsh: {typed!r}: {found}'
        else:
            print('skipped: completion for zsh (no zsh)')
    print(len(CASES), 'completions')


if __name__ == '__main__':
    main(sys.argv[1])
