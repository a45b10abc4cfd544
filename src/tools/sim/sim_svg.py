# SPDX-License-Identifier: MIT
"""Plots of experiments: SVG on white, so that they are readable on any background."""

import os

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = ('#1b6ca8', '#c8553d', '#3a7d44', '#8e5ea2', '#c98b1b', '#4f5d75', '#d1495b', '#2b9eb3')
MARKS = 'osD^'


class Plots:
    """Writes plots to a folder.  The files are identical for identical numbers."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        plt.rcParams.update({'svg.hashsalt': 'sgpu', 'svg.fonttype': 'none', 'font.size': 9,
                             'axes.grid': True, 'grid.alpha': 0.3, 'axes.axisbelow': True})

    def save(self, figure, name):
        figure.tight_layout()
        figure.savefig(os.path.join(self.folder, name + '.svg'), facecolor='white',
                       metadata={'Date': None, 'Creator': None})
        plt.close(figure)
