#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws with VTK's window for OSMesa, and checks the renderer and the colors of the picture.  Exit
status 77 if VTK is not installed, or older than 9.4, which looks for libOSMesa at run time.

usage: vtk_scene.py [PICTURE.png]"""

import sys

try:
    from vtkmodules.vtkRenderingOpenGL2 import vtkOSOpenGLRenderWindow
    import vtk
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)

WIDTH, HEIGHT = 640, 480


def add(renderer, source, color, opacity):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*color)
    actor.GetProperty().SetOpacity(opacity)
    renderer.AddActor(actor)


def main(path=None):
    window = vtkOSOpenGLRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(WIDTH, HEIGHT)
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(0.2, 0.3, 0.4)
    window.AddRenderer(renderer)
    sphere = vtk.vtkSphereSource()
    sphere.SetThetaResolution(40)
    add(renderer, sphere, (1, 0.2, 0.1), 1)
    cone = vtk.vtkConeSource()
    cone.SetCenter(0.9, 0.1, 0)
    add(renderer, cone, (0.1, 0.9, 0.2), 0.5)
    text = vtk.vtkTextActor()
    text.SetInput('VTK on OSMesa')
    text.GetTextProperty().SetFontSize(30)
    text.SetPosition(20, 20)
    renderer.AddActor(text)
    window.Render()

    capture = vtk.vtkWindowToImageFilter()
    capture.SetInput(window)
    capture.Update()
    if path:
        writer = vtk.vtkPNGWriter()
        writer.SetFileName(path)
        writer.SetInputConnection(capture.GetOutputPort())
        writer.Write()
    scalars = capture.GetOutput().GetPointData().GetScalars()
    colors = [scalars.GetTuple3(i) for i in range(0, WIDTH * HEIGHT, 7)]
    red = sum(r > 100 and r > 2 * g and r > 2 * b for r, g, b in colors)
    green = sum(g > 100 and g > 1.5 * r and g > 1.5 * b for r, g, b in colors)
    white = sum(min(color) > 240 for color in colors)
    name = [line for line in window.ReportCapabilities().splitlines() if 'renderer string' in line]
    print(vtk.vtkVersion.GetVTKVersion(), name, f'red {red}, green {green}, white {white}')
    return 0 if 'sgpu' in str(name) and min(red, green) > 500 and white > 20 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
