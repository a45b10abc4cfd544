# SPDX-License-Identifier: MIT
"""All tables of statistics of the timing models.

gen_stats.py generates the structures and the functions that register them from TABLES. Each
stats_*.py has the tables of some units of a chip. stats_base.py describes the rows.
"""

import stats_chip
import stats_engines
import stats_eu
import stats_front
import stats_memory
import stats_sm
import stats_texrop

TABLES = []
TABLES += stats_chip.TABLES
TABLES += stats_engines.TABLES
TABLES += stats_eu.TABLES
TABLES += stats_front.TABLES
TABLES += stats_memory.TABLES
TABLES += stats_sm.TABLES
TABLES += stats_texrop.TABLES
