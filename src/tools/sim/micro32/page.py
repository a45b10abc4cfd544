# SPDX-License-Identifier: MIT
"""Writes docs/micro32.md from page.md, and its plots."""

import os
import re

import plots as pl
import sim_svg
import tables
from measure import MODERN_COUNTS, MOST, most_like_turok3
from runs import die

HERE = os.path.dirname(os.path.abspath(__file__))


def modern_rows(scenes):
    rows = []
    for frame, facts, curves in scenes:
        pixels = facts['pixels'] / max(1, facts['triangles'])
        rows.append((frame.name, tables.number(facts['triangles'], 0),
                     tables.number(pixels, 1),
                     *(tables.number(curves[c][n]['tlp'], 2)
                       for c in curves for n in MODERN_COUNTS[1:])))
    return rows


def modern_table(scenes):
    curves = list(scenes[0][2])
    return tables.table(('scene', 'triangles', 'pixels of each',
                         *(f'{c}, {n}' for c in curves for n in MODERN_COUNTS[1:])),
                        modern_rows(scenes))


def values_of(published, measured, scenes, rows, plots):
    """Returns the values for the names in braces in page.md."""
    stand_ins = published['stand_ins']
    like = most_like_turok3(measured, next(
        (p for p, role in stand_ins.items() if role == 'Turok 2'), ''))
    both = [(m.frame.name, m.plain[MOST]) for m in measured]
    after = [(m.frame.name, m.both[MOST]) for m in measured]
    pl.pictures_plot(plots, measured)
    pl.frames_plot(plots, measured)
    pl.by_program(plots, measured, stand_ins, 'figure-12', [('', 'plain')])
    pl.windows_plot(plots, measured)
    pl.time_plot(plots, like)
    pl.by_program(plots, measured, stand_ins, 'figure-16', [('', 'plain'), (' s', 'split')])
    pl.by_program(plots, measured, stand_ins, 'figure-18', [(' s', 'split'), (' s/b', 'both')])
    pl.states_plot(plots, both, 'states-plain')
    pl.states_plot(plots, after, 'states-broken')
    values = {
        'stand_ins': '\n'.join(f'| {theirs} | {p} | {published["kinds"][p]} |'
                               for p, theirs in stand_ins.items()),
        'verdicts': tables.verdict_table(rows),
        'met': str(sum(row[4] == 'met' for row in rows)),
        'published': str(len(rows)),
        'frames': tables.frames_table(measured),
        'parallelism': tables.parallelism_table(measured),
        'windows': tables.windows_table(measured),
        'seeds': tables.number(max(tables.spread(m.seeds) for m in measured), 1),
        'states_plain': tables.states_table(both),
        'states_broken': tables.states_table(after),
        'blockers_plain': tables.blockers_table(measured),
        'blockers_split': tables.blockers_table(measured, 'detail_split'),
        'blend': tables.blend_table(measured),
        'proof': tables.proof_table(measured),
        'like': like.frame.name,
        'like_plain': tables.number(like.plain[MOST]['tlp'], 2),
        'like_split': tables.number(like.split[MOST]['tlp'], 2),
    }
    if measured[0].beyond:
        best = tables.budgets(measured)
        front = tables.front_of(best)
        pl.wide_plot(plots, measured)
        pl.select_plot(plots, measured)
        pl.budget_plot(plots, {k: s for k, (s, _) in best.items()}, front)
        pl.states_plot(plots, [(m.frame.name, m.beyond['grid of coverage, exact breaking'][64])
                               for m in measured], 'states-wide')
        values.update(wide=tables.wide_table(measured), select=tables.select_table(measured),
                      dram=tables.dram_table(measured), grids=tables.grids_table(measured),
                      budgets=tables.budget_table(best, front),
                      states_wide=tables.states_table(
                          [(m.frame.name, m.beyond['grid of coverage, exact breaking'][64])
                           for m in measured]))
    if scenes:
        values['modern'] = modern_table(scenes)
        values['states_modern'] = tables.states_table(
            [(frame.name, curves['grid'][64]) for frame, _, curves in scenes])
    return values


def fill(text, values, remarks):
    """Fills in the values.  Omits sections with missing values, as with --few.  Lines that begin
    with @ are about the frames of tests/frames, and are omitted unless `remarks`."""
    text = re.sub(r'(?m)^@ (.*\n\n?)', r'\1' if remarks else '', text)
    kept = []
    for section in re.split(r'(?m)^(?=## )', text):
        if all(name in values for name in re.findall(r'\{\{(\w+)\}\}', section)):
            kept.append(re.sub(r'\{\{(\w+)\}\}', lambda m: values[m.group(1)], section))
    return ''.join(kept)


def write(folder, published, measured, scenes, rows, remarks):
    plots = sim_svg.Plots(os.path.join(folder, 'micro32'))
    values = values_of(published, measured, scenes, rows, plots)
    with open(os.path.join(HERE, 'page.md'), encoding='utf-8') as file:
        text = fill(file.read(), values, remarks)
    if '{{' in text:
        die('page.md: a value is missing')
    with open(os.path.join(folder, 'micro32.md'), 'w', encoding='utf-8') as file:
        file.write(text)
