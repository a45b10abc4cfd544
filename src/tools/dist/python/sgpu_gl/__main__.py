# SPDX-License-Identifier: MIT
"""python -m sgpu_gl PROGRAM [ARGUMENT...]: runs a program on sgpu."""

from . import main

main()
