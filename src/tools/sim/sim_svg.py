# SPDX-License-Identifier: MIT
"""Plots of experiments, as SVG files with a white background."""

import os
from contextlib import contextmanager

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = ('#1b6ca8', '#c8553d', '#3a7d44', '#8e5ea2', '#c98b1b', '#4f5d75', '#d1495b', '#2b9eb3')
MARKS = 'osD^'


def line(ax, i, x, y, label, markersize=4, **options):
    """Draws a line with markers. The color and the marker depend on `i`."""
    ax.plot(x, y, marker=MARKS[i % len(MARKS)], markersize=markersize,
            color=COLOURS[i % len(COLOURS)], label=label, **options)


def stack(ax, y, parts, colours, least=0, **options):
    """Draws stacked bars. `parts` is {label: lengths, one per bar}. Leaves a part blank and without
    a label if all of its lengths are below `least`."""
    left = [0.0] * len(y)
    for label, lengths in parts.items():
        if max(lengths) >= least:
            ax.barh(y, lengths, left=left, color=colours.get(label, 'black'), label=label,
                    **options)
        left = [a + b for a, b in zip(left, lengths)]


def finish(ax, caption, axes):
    """Sets the scales, ticks, limits and x label of a plot according to a caption in the data
    file."""
    for name in 'xy':
        scale = caption.get(f'{name}scale')
        if scale:
            getattr(ax, f'set_{name}scale')('log', **({'base': 2} if scale == 'log2' else {}))
        ticks = caption.get(f'{name}ticks')
        if ticks:
            ticks = axes[ticks] if isinstance(ticks, str) else ticks
            getattr(ax, f'set_{name}ticks')(ticks, [str(tick) for tick in ticks])
        if f'{name}lim' in caption:
            getattr(ax, f'set_{name}lim')(*caption[f'{name}lim'])
    if 'x' in caption:
        ax.set_xlabel(caption['x'])


class Plots:
    """Writes plots to a directory. Identical data produces identical files.

    captions: the table [plot] of a data file. axes: its table [axis].
    """

    def __init__(self, folder, captions, axes):
        self.folder = folder
        self.captions = captions
        self.axes = axes
        os.makedirs(folder, exist_ok=True)
        plt.rcParams.update({'svg.hashsalt': 'sgpu', 'svg.fonttype': 'none', 'font.size': 9,
                             'axes.grid': True, 'grid.alpha': 0.3, 'axes.axisbelow': True})

    @contextmanager
    def figure(self, name, caption=None, bars=0):
        """Context manager that yields the axes of a new plot, a single one or an array, and saves
        the plot.

        caption: name of the caption; by default, the name of the plot. bars: number of bars. If the
        caption has the key `bar`, the height of a bar, the height of the plot depends on the number
        of bars.
        """
        caption = self.captions[caption or name]
        width, height = caption['size']
        figure, axes = plt.subplots(*caption.get('panels', (1, 1)),
                                    sharex=caption.get('share') == 'x',
                                    sharey=caption.get('share') == 'y',
                                    figsize=(width, height + caption.get('bar', 0) * bars))
        yield axes
        panels = list(getattr(axes, 'flat', [axes]))
        for ax in panels:
            finish(ax, caption, self.axes)
        if 'y' in caption:
            panels[0].set_ylabel(caption['y'])
        if 'legend' in caption:
            for ax in {'first': panels[:1], 'last': panels[-1:]}.get(caption.get('on'), panels):
                ax.legend(**caption['legend'])
        self.save(figure, name)

    def save(self, figure, name):
        figure.tight_layout()
        figure.savefig(os.path.join(self.folder, name + '.svg'), facecolor='white',
                       metadata={'Date': None, 'Creator': None})
        plt.close(figure)
