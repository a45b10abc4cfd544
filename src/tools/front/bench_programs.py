# SPDX-License-Identifier: MIT
"""sgpu bench programs: measures a page in Chromium, GTK, Qt, a compositor and a video player.

sgpu-shot counts the frames that the programs present to the X server.  A program that is not
installed is skipped, with a message that names its package.
"""

import contextlib
import os
import shutil
import tempfile

import limited
from gl_common import fail, say

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PATHS = os.pathsep.join((os.environ.get('PATH', os.defpath), '/usr/games',
                         '/usr/lib/x86_64-linux-gnu/qt5/examples/opengl/hellogles3',
                         '/usr/libexec/xscreensaver'))
PAGE = os.path.join(TOP, 'tests/programs/webgl2.html')
SWIFTSHADER = 'swiftshader'
START = 2.0  # delay in seconds from the first frame to the start of the measurement

# {home} is a new directory, {page} is $SGPU_PAGE or a page of tests/programs, and {angle} is
# ANGLE's backend.  Chromium shows at most 60 frames per second.  Don't use
# --disable-frame-rate-limit, which makes the page draw many frames for each frame that is shown.
PROGRAMS = {
    'webgl': {
        'command': ['chromium', '--no-sandbox', '--no-first-run', '--user-data-dir={home}/profile',
                    '--use-gl=angle', '--use-angle={angle}', '--ignore-gpu-blocklist',
                    '--disable-gpu-sandbox', '--disable-gpu-watchdog', '--disable-dev-shm-usage', '--disable-gpu-vsync',
                    '--window-size=800,700', '--window-position=0,0', 'file://{page}'],
        'package': 'chromium'},
    'gtk': {'command': ['gtk4-demo', '--run=gears'], 'package': 'gtk-4-examples',
            'env': {'GSK_RENDERER': 'gl', 'GDK_BACKEND': 'x11'}},
    'qt': {'command': ['hellogles3'], 'package': 'qtbase5-examples'},
    'weston': {'command': ['weston', '--backend=x11-backend.so', '--idle-time=0',
                           '--config={home}/weston.ini', '--width=640', '--height=480'],
               'package': 'weston',
               'files': {'weston.ini': '[autolaunch]\npath=/usr/bin/weston-simple-egl\n'}},
    'mpv': {'command': ['mpv', '--no-config', '--no-audio', '--vo=gpu', '--gpu-context=x11egl',
                        '--geometry=900x600', '--osc=no', '--untimed', '--no-correct-pts',
                        'av://lavfi:testsrc2=size=640x360:rate=1000'], 'package': 'mpv'},
    'atlantis': {'command': ['atlantis', '-geometry', '640x480', '-delay', '0'],
                 'package': 'xscreensaver-gl-extra'},
}


def find(name):
    """Returns the path of the program, or None if the program is not installed."""
    if name not in PROGRAMS:
        fail(f"no program '{name}': {', '.join(PROGRAMS)}")
    return shutil.which(PROGRAMS[name]['command'][0], path=PATHS)


def installed():
    """Returns the workloads of installed programs, and reports the skipped workloads."""
    found = []
    for name, program in PROGRAMS.items():
        if find(name):
            found.append(f'program:{name}')
        else:
            say(f'program:{name} is skipped: there is no {program["command"][0]} '
                f'(apt-get install {program["package"]})')
    return found


def why_missing(workload):
    """Returns messages about what this machine lacks for the workload."""
    name = workload.partition(':')[2]
    lines = []
    if not find(name):
        lines.append(f'{workload}: there is no {PROGRAMS[name]["command"][0]} '
                     f'(apt-get install {PROGRAMS[name]["package"]})')
    page = page_of()
    if name == 'webgl' and not os.path.exists(page):
        lines.append(f'{workload}: SGPU_PAGE: there is no {page}')
    return lines


def page_of():
    return os.path.abspath(os.environ.get('SGPU_PAGE', PAGE))


@contextlib.contextmanager
def prepared(workload, env):
    """Context manager that yields the command and the environment of the program, with a temporary
    directory.  Yields None if the driver can't run the program."""
    name = workload.partition(':')[2]
    path = find(name)
    is_swiftshader = env.get('GALLIUM_DRIVER') == SWIFTSHADER
    if is_swiftshader and name != 'webgl':
        yield None
        return
    page = page_of()
    program = PROGRAMS[name]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.chmod(home, 0o700)
        for file_name, text in program.get('files', {}).items():
            with open(os.path.join(home, file_name), 'w', encoding='utf-8') as file:
                file.write(text)
        words = [word.format(home=home, page=page,
                             angle=SWIFTSHADER if is_swiftshader else 'gl')
                 for word in program['command'][1:]]
        if is_swiftshader:
            words.insert(0, '--enable-unsafe-swiftshader')
            env = {key: value for key, value in env.items() if key != 'GALLIUM_DRIVER'}
        yield [path, *words], env | {'HOME': home, 'XDG_RUNTIME_DIR': home} | program.get('env', {})


def measure(tools, workload, env, seconds, limit):
    """Returns the frames per second, measured from two seconds after the first frame, or None if
    the program doesn't run.  Raises limited.Late if the run takes `limit` seconds longer than the
    measurement."""
    with prepared(workload, env) as program:
        if not program:
            return None
        command, env = program
        run = limited.run(
            [os.path.join(tools, 'screenshot/sgpu-shot'), '-w', str(START), '-s', str(seconds),
             *command], START + seconds + limit, env=env)
    try:
        frames, elapsed = run.stdout.splitlines()[-1].split()
        return int(frames) / float(elapsed)
    except (IndexError, ValueError, ZeroDivisionError):
        say(run.stderr[-2000:])
        return None
