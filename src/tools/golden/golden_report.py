# SPDX-License-Identifier: MIT
"""The results of a comparison: texts, a page that needs no other file, and JUnit XML."""

import base64
import html
import os
import shlex
from xml.sax.saxutils import escape, quoteattr

from golden_files import COMMAND, write_whole

STYLE = '''
:root { color-scheme: light dark; --line: #8888; --dim: #777; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 24px auto; max-width: 1500px;
       padding: 0 20px; }
h1 { font-size: 22px; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 36px 0 6px; border-top: 1px solid var(--line); padding-top: 16px; }
p { margin: 6px 0; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: #8881; padding: 10px 12px; overflow-x: auto; border-radius: 4px; }
table { border-collapse: collapse; margin: 10px 0; }
td, th { text-align: left; padding: 3px 18px 3px 0; vertical-align: top; }
th { font-weight: 600; }
.dim { color: var(--dim); }
.bad { color: #c22; font-weight: 600; }
.row { display: flex; flex-wrap: wrap; gap: 14px; }
figure { margin: 8px 0; flex: 1 1 300px; min-width: 0; }
figcaption { margin-bottom: 4px; }
.view { position: relative; overflow: auto; border: 1px solid var(--line); max-height: 80vh;
        background: repeating-conic-gradient(#ccc 0 25%, #fff 0 50%) 0 0/16px 16px; }
img { display: block; width: 100%; image-rendering: pixelated; }
body.whole img { width: auto; max-width: none; }
.flip img + img { position: absolute; left: 0; top: 0; animation: flip 1.2s steps(1) infinite; }
@keyframes flip { 50% { opacity: 0; } }
button { font: inherit; padding: 2px 12px; }
'''

SCRIPT = '''
const views = document.querySelectorAll('.view');
document.getElementById('size').onclick = () => document.body.classList.toggle('whole');
for (const one of views) one.onscroll = () => {
  for (const other of one.closest('section').querySelectorAll('.view')) {
    other.scrollTop = one.scrollTop; other.scrollLeft = one.scrollLeft;
  }
};
'''


class Result:
    """The comparison of a frame.  kind: 'same', 'differs', 'missing', 'more' or 'size'."""

    def __init__(self, name, kind, text, golden=None, new=None, difference=None):
        self.name, self.kind, self.text = name, kind, text
        self.golden, self.new, self.difference = golden, new, difference


class Report:
    """The comparison of a folder."""

    def __init__(self, folder, command):
        self.folder, self.command = folder, command
        self.results = []
        self.golden_version = self.version = ''
        self.warnings = []
        self.fixed = False  # set if the program had a clock or a seed of `sgpu golden`
        self.first_draw = ''  # what `sgpu diff` prints about the captures
        self.error = ''       # why there is nothing to compare
        self.seconds = 0.0

    def bad(self):
        return [result for result in self.results if result.kind != 'same']

    def advice(self):
        """Returns pairs of a situation and what to do then."""
        folder = shlex.quote(self.folder)
        items = [('The change of the pictures is wanted: look at them, then',
                  f'{COMMAND} check --update {folder}')]
        if not self.fixed:
            items.append(('The program draws something else in each run, since it reads the time '
                          'or random numbers',
                          f'{COMMAND} record --force --clock 60 --seed 1 {folder} -- '
                          f'{shlex.join(self.command)}'))
        if not self.first_draw:
            items.append(('To see the first draw that differs, record with captures, once with '
                          'what made the golden pictures',
                          f'{COMMAND} record --force --captures {folder} -- '
                          f'{shlex.join(self.command)}'))
        return items


def image(picture, label):
    data = base64.b64encode(picture.png()).decode('ascii')
    return (f'<img alt={quoteattr(label)} width="{picture.width}" height="{picture.height}" '
            f'src="data:image/png;base64,{data}">')


def figure(caption, pictures, flip=False):
    images = ''.join(image(picture, caption) for picture in pictures)
    return (f'<figure><figcaption>{caption}</figcaption>'
            f'<div class="view{" flip" if flip else ""}">{images}</div></figure>')


def section(result):
    parts = [f'<section id="f-{html.escape(result.name)}"><h2>Frame {html.escape(result.name)}</h2>'
             f'<p class="bad">{html.escape(result.text)}</p>']
    difference = result.difference
    if difference:
        x, y, width, height = difference.box()
        rows = [('pixels that differ', f'{difference.count} of '
                 f'{difference.width * difference.height}'),
                ('largest difference', f'{difference.largest} of 255'),
                ('box around them', f'{width}x{height} at {x},{y}, from the top left'),
                ('first of them', '{},{}'.format(*difference.first()))]
        parts.append('<table>' + ''.join(f'<tr><th>{a}</th><td>{b}</td></tr>' for a, b in rows) +
                     '</table>')
    figures = []
    if result.golden:
        figures.append(figure('golden', [result.golden]))
    if result.new:
        figures.append(figure('now', [result.new]))
    if difference:
        figures.append(figure('difference, amplified',
                              [difference.picture()]))
        figures.append(figure('golden and now in turns', [result.golden, result.new], True))
    return ''.join(parts) + f'<div class="row">{"".join(figures)}</div></section>'


def summary(report):
    rows = [('command', f'<code>{html.escape(shlex.join(report.command))}</code>'),
            ('golden pictures', f'{html.escape(report.folder)}, of sgpu '
             f'{html.escape(report.golden_version)}'),
            ('now', f'sgpu {html.escape(report.version)}')]
    table = ''.join(f'<tr><th>{a}</th><td>{b}</td></tr>' for a, b in rows)
    warnings = ''.join(f'<p class="bad">{html.escape(text)}</p>' for text in report.warnings)
    frames = ''.join(
        f'<tr><td><a href="#f-{html.escape(r.name)}">frame {html.escape(r.name)}</a></td>'
        f'<td>{html.escape(r.text)}</td></tr>' for r in report.bad())
    return (f'<table>{table}</table>{warnings}'
            f'<p>{len(report.bad())} of {len(report.results)} frames differ. '
            '<button id="size">Pixels at their size, or fitted</button></p>'
            f'<table>{frames}</table>')


def page(report):
    """Returns the page as text."""
    first = ''
    if report.first_draw:
        first = ('<h2>First difference of the device captures</h2>'
                 f'<pre>{html.escape(report.first_draw)}</pre>')
    advice = ''.join(f'<p>{html.escape(text)}:</p><pre>{html.escape(command)}</pre>'
                     for text, command in report.advice())
    title = f'{html.escape(os.path.basename(os.path.abspath(report.folder)))}: pictures differ'
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f'<style>{STYLE}</style></head><body><h1>{title}</h1>{summary(report)}{first}'
            f'{"".join(section(result) for result in report.bad())}'
            f'<h2>What to do</h2>{advice}<script>{SCRIPT}</script></body></html>\n')


def write_page(report, path):
    write_whole(path, page(report).encode())


def clean(text):
    """Removes characters that XML doesn't allow."""
    return ''.join(c if c in '\t\n' or ' ' <= c <= '\ud7ff' or c > '\ue000' else '?' for c in text)


def junit(report):
    """Returns the results as JUnit XML, with a test case for each frame."""
    name = os.path.basename(os.path.abspath(report.folder))
    cases = []
    for result in report.results:
        body = ''
        if result.kind != 'same':
            body = (f'<failure type="{result.kind}" message={quoteattr(clean(result.text))}>'
                    f'{escape(clean(result.text))}</failure>')
        cases.append(f'  <testcase classname={quoteattr("golden." + name)} '
                     f'name={quoteattr("frame " + result.name)}>{body}</testcase>\n')
    if report.error:
        cases.append(f'  <testcase classname={quoteattr("golden." + name)} name="run">'
                     f'<error message={quoteattr(clean(report.error))}/></testcase>\n')
    texts = '\n'.join(report.warnings + [report.first_draw])
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuite name={quoteattr("golden." + name)} tests="{len(cases)}" '
            f'failures="{len(report.bad())}" errors="{int(bool(report.error))}" '
            f'time="{report.seconds:.3f}">\n{"".join(cases)}'
            f'  <system-out>{escape(clean(texts))}</system-out>\n</testsuite>\n')


def write_junit(report, path):
    write_whole(path, junit(report).encode())
