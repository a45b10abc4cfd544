# SPDX-License-Identifier: MIT
"""Pages of experiments: formatting of numbers and Markdown tables, and templates."""

import re

from sim_json import die


def number(value, digits=None):
    """Formats a number with commas, or a bool as 'yes' or 'no'.

    digits: number of digits after the decimal point; by default, about four significant digits.
    """
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if digits is None:
        digits = 0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 1 else 3
    text = f'{value:,.{digits}f}'
    return text[1:] if text.startswith('-') and not float(text.replace(',', '')) else text


def span(values, digits=None):
    """Formats the range of `values` as 'low to high', or as a single number."""
    texts = [number(v, digits) for v in (min(values), max(values))]
    return texts[0] if texts[0] == texts[1] else ' to '.join(texts)


def table(head, rows, text=1, last=0):
    """Returns a Markdown table. All columns except for the first `text` and the last `last` are
    numbers."""
    lines = ['| ' + ' | '.join(str(cell) for cell in head) + ' |',
             '|' + ' --- |' * text + ' ---: |' * (len(head) - text - last) + ' --- |' * last]
    lines += ['| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in rows]
    return '\n'.join(lines)


def fill(template, values, remarks=True):
    """Returns the text of file `template`, with each {{NAME}} replaced by its value.

    Omits sections (##) that use a missing value; a missing value elsewhere is an error. If
    `remarks` is false, omits paragraphs that begin with @, which refer to the default captures.
    """
    with open(template, encoding='utf-8') as file:
        text = re.sub(r'(?m)^@ (.*\n\n?)', r'\1' if remarks else '', file.read())
    kept = []
    for section in re.split(r'(?m)^(?=## )', text):
        if all(name in values for name in re.findall(r'\{\{(\w+)\}\}', section)):
            kept.append(re.sub(r'\{\{(\w+)\}\}', lambda m: values[m.group(1)], section))
    text = ''.join(kept)
    if '{{' in text or not text.startswith('# '):
        die(f'{template}: a value is missing')
    return text
