# SPDX-License-Identifier: MIT
"""Writes stacks with their times as a page with a flame graph that one can zoom, as SVG, or as
lines for other tools (speedscope, inferno, flamegraph.pl)."""

import html
import json
import zlib

WIDTH, ROW, CHARACTER = 1200, 18, 7
LEAST = 0.0005  # minimum share of a box; narrower boxes are not drawn


class Box:
    """A name, its time in ns, and the boxes above it."""

    def __init__(self, name):
        self.name, self.ns, self.children = name, 0, {}

    def add(self, stack, ns):
        box = self
        box.ns += ns
        for name in stack:
            box = box.children.setdefault(name, Box(name))
            box.ns += ns

    def sorted(self):
        return sorted(self.children.values(), key=lambda b: -b.ns)

    def depth(self):
        return 1 + max((c.depth() for c in self.children.values()), default=0)


def tree(stacks):
    root = Box('all')
    for stack, ns in stacks.items():
        root.add(stack, ns)
    return root


def colour(name):
    """Returns a colour that depends on the name alone."""
    number = zlib.crc32(name.encode())
    return f'hsl({number % 60 + (180 if name.startswith("texture") else 10)},' \
           f'{45 + number // 64 % 25}%,{62 + number // 4096 % 16}%)'


def folded(stacks):
    return ''.join(';'.join(name.replace(';', ',') for name in stack) + f' {round(ns / 1000)}\n'
                   for stack, ns in sorted(stacks.items()))


def svg_boxes(box, path, left, total, depth):
    share = box.ns / total
    if share < LEAST:
        return
    title = html.escape(f'{" / ".join(path)}: {box.ns / 1e6:.1f} ms, {100 * share:.1f} %')
    text = html.escape(box.name[:max(0, int(WIDTH * share / CHARACTER))])
    yield (f'<g><title>{title}</title><rect x="{left:.2f}" y="{depth * ROW}" '
           f'width="{WIDTH * share:.2f}" height="{ROW - 1}" fill="{colour(box.name)}"/>')
    if len(text) > 2:
        yield f'<text x="{left + 3:.2f}" y="{depth * ROW + ROW - 5}">{text}</text>'
    yield '</g>'
    for child in box.sorted():
        yield from svg_boxes(child, path + [child.name], left, total, depth + 1)
        left += WIDTH * child.ns / total


def svg(stacks):
    root = tree(stacks)
    height = root.depth() * ROW
    return '\n'.join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">',
        *svg_boxes(root, [root.name], 0.0, max(root.ns, 1), 0), '</svg>', ''])


def as_list(box, least):
    return [box.name, round(box.ns / 1000), colour(box.name),
            [as_list(c, least) for c in box.sorted() if c.ns >= least]]


# The page draws the boxes of the tree, as divs, from the box that is zoomed to.
PAGE = '''<!DOCTYPE html>
<meta charset="utf-8">
<title>%(title)s</title>
<style>
body { font: 13px sans-serif; margin: 12px }
#boxes { position: relative }
#boxes div { position: absolute; height: 17px; overflow: hidden; white-space: nowrap;
  cursor: pointer; box-sizing: border-box; padding-left: 3px; border-radius: 2px }
#boxes div.found { outline: 2px solid #c0f; z-index: 1 }
#line { height: 1.5em; margin: 6px 0 }
table { border-collapse: collapse } td { padding: 0 12px 0 0 } td.n { text-align: right }
</style>
<h3>%(title)s</h3>
<p>Width is CPU time. A click zooms; a click on a box at the top goes back.
<input id="search" placeholder="search"> <span id="sum"></span></p>
<div id="line"></div><div id="boxes"></div>
<pre>%(table)s</pre>
<script>
const root = %(tree)s;
let path = [root];
const boxes = document.getElementById('boxes'), line = document.getElementById('line');
const search = document.getElementById('search');
function put(box, left, share, depth, way, total, found) {
  const d = document.createElement('div');
  d.style = `left:${left * 100}%%;width:${share * 100}%%;top:${depth * 18}px;background:${box[2]}`;
  d.textContent = box[0];
  const text = `${way.slice(1).map(b => b[0]).join(' / ') || 'all'}: ${(box[1] / 1000).toFixed(1)}`
    + ` ms, ${(100 * box[1] / root[1]).toFixed(2)} %%`;
  d.title = text;
  d.onmouseenter = () => line.textContent = text;
  d.onclick = () => { path = way; draw(); };
  const hit = search.value && box[0].toLowerCase().includes(search.value.toLowerCase());
  if (hit) { d.className = 'found'; if (!found) total.ns += box[1]; }
  boxes.append(d);
  let deepest = depth;
  for (const child of box[3]) {
    const part = share * child[1] / box[1];
    if (part * boxes.clientWidth > 0.5)
      deepest = Math.max(deepest, put(child, left, part, depth + 1, way.concat([child]), total,
                                      found || hit));
    left += part;
  }
  return deepest;
}
function draw() {
  boxes.textContent = '';
  const total = {ns: 0};
  path.slice(0, -1).forEach((box, n) => {
    const d = document.createElement('div');
    d.style = `left:0;width:100%%;top:${n * 18}px;background:#ddd`;
    d.textContent = box[0];
    d.onclick = () => { path = path.slice(0, n + 1); draw(); };
    boxes.append(d);
  });
  const deepest = put(path[path.length - 1], 0, 1, path.length - 1, path, total, false);
  boxes.style.height = `${(deepest + 1) * 18}px`;
  document.getElementById('sum').textContent = search.value
    ? `${(100 * total.ns / root[1]).toFixed(2)} %%` : '';
}
search.oninput = draw;
window.onresize = draw;
draw();
</script>
'''


def page(stacks, title, table):
    root = tree(stacks)
    text = json.dumps(as_list(root, root.ns * LEAST / 4)).replace('</', '<\\/')
    return PAGE % {'title': html.escape(title), 'table': html.escape(table), 'tree': text}
