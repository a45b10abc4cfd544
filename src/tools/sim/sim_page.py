# SPDX-License-Identifier: MIT
"""Pages of experiments: tables in Markdown, and templates."""

import re
import sys


def table(head, rows, text=1, last=0):
    """Returns a table.  The first `text` and the last `last` columns are text, others numbers."""
    lines = ['| ' + ' | '.join(str(cell) for cell in head) + ' |',
             '|' + ' --- |' * text + ' ---: |' * (len(head) - text - last) + ' --- |' * last]
    lines += ['| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in rows]
    return '\n'.join(lines)


def fill(template, values):
    """Returns the text of the file `template` with values for {{NAME}}.  Omits sections (##) with
    missing values.  A missing value elsewhere is an error."""
    with open(template, encoding='utf-8') as file:
        text = file.read()
    kept = []
    for section in re.split(r'(?m)^(?=## )', text):
        if all(name in values for name in re.findall(r'\{\{(\w+)\}\}', section)):
            kept.append(re.sub(r'\{\{(\w+)\}\}', lambda m: values[m.group(1)], section))
    text = ''.join(kept)
    if '{{' in text or not kept or not text.startswith('# '):
        sys.exit(f'sgpu: {template}: a value is missing')
    return text
