# SPDX-License-Identifier: MIT
#
# Script for pvpython: shows translucent isosurfaces (depth peeling) or a volume, and prints the
# time per frame.

import sys
import time

from paraview.simple import (ColorBy, Contour, CreateView, GetActiveCamera, Outline, Render, Show,
                             Sphere, Wavelet)

volume = sys.argv[1] == 'volume'
view = CreateView('RenderView')
view.ViewSize = [800, 600]
wavelet = Wavelet(WholeExtent=[-20, 20] * 3)
sphere = Show(Sphere(Radius=6, Center=[12, 0, 12], ThetaResolution=64, PhiResolution=64), view)
sphere.DiffuseColor = [0.9, 0.4, 0.1]
sphere.Specular = 0.7
Show(Outline(Input=wavelet), view)
if volume:
    data = Show(wavelet, view)
    data.SetRepresentationType('Volume')
else:
    data = Show(Contour(Input=wavelet, ContourBy=['POINTS', 'RTData'],
                        Isosurfaces=[130, 160, 190]), view)
    data.Opacity = 0.6
ColorBy(data, ('POINTS', 'RTData'))
view.ResetCamera(False)
view.CameraPosition = [70, 50, 80]
Render(view)
for line in view.GetRenderWindow().ReportCapabilities().splitlines():
    if line.startswith('OpenGL') and 'string' in line:
        print('program:', line)
start = time.monotonic()
for _ in range(5):
    GetActiveCamera().Azimuth(3)
    Render(view)
print(f'program: {(time.monotonic() - start) / 5:.2f} s a frame')
print('program: done', flush=True)
time.sleep(600)
