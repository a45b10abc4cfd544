# SPDX-License-Identifier: MIT
"""sgpu golden: golden pictures of programs that draw with OpenGL."""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import golden_sources
from golden_files import (CAPTURE, COMMAND, GoldenError, Manifest, check_target, frame_of, read_golden,
                          read_manifest, write_golden)
from golden_picture import Difference
from golden_report import Report, Result, write_junit, write_page
from golden_run import Frames
from golden_tools import Tools

NAME = COMMAND.replace('./', '')
HELP = f'''usage: {NAME} record [OPTION...] DIR -- PROGRAM [ARGUMENT...]
       {NAME} check [OPTION...] DIR [-- PROGRAM [ARGUMENT...]]
       {NAME} list DIR

Records the pictures that a program draws on sgpu into a folder, and compares the pictures of
later runs with them, bit by bit.  PROGRAM can also be

   F.trace            a GL trace (sgpu trace, apitrace)
   F.sgcap            a device capture (sgpu capture), which needs no GL
   F.py [ARGUMENT...] a Python script
   F.html, URL        a page in Chromium; frames are times in ms of the page's own clock

A frame is a picture that a window gets.  A program without a window has other frames: pixels that
it reads (glReadPixels, glGetTexImage), or else its buffer at glFinish and at the end.

   --frames LIST      frames, counted from 0: 3, 0-9, 5,60, 0-100/10, last, all; the program is
                      ended after them (default: 0-9; all of a trace or capture; 1000 ms of a page)
   --clock HZ         a clock that advances by 1/HZ seconds in each frame, for the program's
                      animations; also a time: 20ms
   --seed N           the same random numbers (getrandom) and addresses in each run
   --env NAME=VALUE   a variable for the program
   --window WxH       size of a page (default: 800x600)
   --browser PROGRAM  browser for a page (default: chromium)
   --browser-option X one more option for the browser
   --surface N        only this window, counted from 0
   --captures         also record a device capture, to find the first draw that differs
   --display          use this X server or compositor, and not a new X server
   --any-status       the program may end with an error
   --timeout S        longest time of a run in seconds (default: 300)
   --idle S           time after which a program without new frames is ended (default: 30)

record:
   --force            replace golden pictures; the former ones are kept as DIR.old

check uses the command and options that DIR has, unless others are given.  DIR is not changed.
   --report F.html    page to write if pictures differ (default: DIR-differences.html)
   --junit F.xml      results as JUnit XML
   --within N         colours may differ by N of 255 (default: 0)
   --no-alpha         ignore alpha, and bits beyond 8 per component
   --update           replace the golden pictures if they differ; the former ones are kept as
                      DIR.old

   --version          print the version

Exit status: 0 if all pictures are the same, 1 if pictures differ, 2 after an error.
docs/golden.md tells more.
'''
# Options that the pictures depend on: they are kept in the manifest.
KEPT = ('frames', 'clock', 'seed', 'window', 'surface', 'browser_options')


def say(text):
    print(f'sgpu: golden: {text}', file=sys.stderr, flush=True)


def parse_clock(text):
    """Returns the time of a frame in nanoseconds."""
    match = re.match(r'(\d+(?:\.\d+)?)(ns|us|ms|s|hz)?$', text.lower())
    if not match or not float(match.group(1)):
        raise argparse.ArgumentTypeError(f'{text}: expected a rate like 60, or a time like 20ms')
    number, unit = float(match.group(1)), match.group(2) or 'hz'
    if unit == 'hz':
        return round(1e9 / number)
    return round(number * {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}[unit])


def parse_window(text):
    if not re.match(r'[1-9]\d{0,4}x[1-9]\d{0,4}$', text):
        raise argparse.ArgumentTypeError(f'{text}: expected WxH, like 800x600')
    return text.replace('x', ',')


def parse_variable(text):
    if not re.match(r'[A-Za-z_]\w*=', text):
        raise argparse.ArgumentTypeError(f'{text}: expected NAME=VALUE')
    return text


class Parser(argparse.ArgumentParser):
    """Errors end with status 2 and name the help."""

    def error(self, message):
        say(f'{message} ({COMMAND} --help)')
        sys.exit(2)


def common_options(parser):
    parser.add_argument('folder')
    parser.add_argument('--frames')
    parser.add_argument('--clock', type=parse_clock)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--env', dest='environment', type=parse_variable, action='append',
                        default=[])
    parser.add_argument('--window', type=parse_window)
    parser.add_argument('--browser')
    parser.add_argument('--browser-option', dest='browser_options', action='append', default=[])
    parser.add_argument('--surface', type=int)
    for name in ('--captures', '--display', '--any-status'):
        parser.add_argument(name, action='store_true')
    parser.add_argument('--timeout', type=float, default=300)
    parser.add_argument('--idle', type=float, default=30)


def parse(argv):
    """Returns the options and the command."""
    command = []
    if '--' in argv:
        at = argv.index('--')
        argv, command = argv[:at], argv[at + 1:]
    parser = Parser(add_help=False, allow_abbrev=False)
    kinds = parser.add_subparsers(dest='action', required=True, parser_class=Parser)
    record = kinds.add_parser('record', add_help=False, allow_abbrev=False)
    check = kinds.add_parser('check', add_help=False, allow_abbrev=False)
    kinds.add_parser('list', add_help=False, allow_abbrev=False).add_argument('folder')
    common_options(record)
    common_options(check)
    record.add_argument('--force', action='store_true')
    check.add_argument('--report')
    check.add_argument('--junit')
    check.add_argument('--within', type=int, default=0)
    check.add_argument('--no-alpha', action='store_true')
    check.add_argument('--update', action='store_true')
    options = parser.parse_args(argv)
    if options.action == 'record' and not command:
        parser.error('record needs -- and a program')
    options.folder = options.folder.rstrip('/') or '/'
    return options, command


def kept_options(options):
    """Returns the options for the manifest, as texts."""
    kept = {}
    for name in KEPT:
        value = getattr(options, name)
        if value not in (None, []) and (name != 'window' or options.is_page):
            kept[name] = shlex.join(value) if isinstance(value, list) else str(value)
    return kept


def take_options(options, manifest):
    """Sets the options that the command line doesn't have to those of the manifest."""
    for name, text in manifest.options.items():
        if name not in KEPT:
            raise GoldenError(f'{options.folder} was recorded with the option "{name}", which this '
                              'sgpu does not have: use a newer one')
        if getattr(options, name) in (None, []):
            try:
                value = (shlex.split(text) if name == 'browser_options' else
                         int(text) if name in ('clock', 'seed', 'surface') else text)
            except ValueError:
                raise GoldenError(f'{options.folder}: the option "{name} {text}" is damaged: '
                                  'record again') from None
            setattr(options, name, value)
    options.environment = manifest.environment + options.environment


def finish_options(options, command):
    """Sets defaults, and checks what can be checked before a run."""
    options.may_miss = options.action == 'check' or options.frames is None
    options.frames = options.frames or golden_sources.default_frames(command)
    options.window = options.window or '800,600'
    options.tools = Tools()
    options.is_page = False
    Frames(options.frames)


def run(options, command):
    """Runs the command.  Returns the Run and the path of its capture in a folder that is kept."""
    scratch = tempfile.mkdtemp(prefix='sgpu-golden-')
    try:
        done = golden_sources.run(command, options, scratch)
        if done.capture:
            kept = tempfile.NamedTemporaryFile(  # pylint: disable=consider-using-with
                prefix='sgpu-golden-', suffix='.sgcap')
            with open(done.capture, 'rb') as file:
                shutil.copyfileobj(file, kept)
            kept.flush()
            done.capture = kept
        return done
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def manifest_of(options, command, done):
    manifest = Manifest()
    manifest.version, manifest.command = done.version, command
    manifest.options, manifest.environment = kept_options(options), options.environment
    manifest.frames = [frame_of(name, picture) for name, picture in done.pictures.items()]
    return manifest


def write(options, command, done):
    manifest = manifest_of(options, command, done)
    write_golden(options.folder, manifest, done.pictures.values(),
                 done.capture.name if done.capture else None)
    return manifest


def record(options, command):
    check_target(options.folder, options.force)
    done = run(options, command)
    manifest = write(options, command, done)
    print(f'{options.folder}: {len(manifest.frames)} frames ({KINDS[done.kind]}) of sgpu '
          f'{manifest.version}; look at them before they are golden')
    return 0


KINDS = {'present': 'pictures of windows', 'read': 'pixels that the program has read',
         'finish': 'buffers at glFinish', 'end': 'buffers at the end', 'page': 'pictures of a page'}


def compare(name, golden, frame, new, options):
    """Returns the Result of a frame that both sides have."""
    exact = frame.rest_hash == new.rest_hash or options.no_alpha
    if frame.hash == new.hash and exact and (frame.width, frame.height) == (new.width, new.height):
        return Result(name, 'same', 'the same')
    if (frame.width, frame.height) != (new.width, new.height):
        return Result(name, 'size', f'the size is {new.width}x{new.height}, and was '
                      f'{frame.width}x{frame.height}', golden, new)
    if options.no_alpha:
        golden.alpha = None
    difference = Difference(golden, new)
    if 0 < difference.largest <= options.within:
        return Result(name, 'same', f'the same within {difference.largest} of 255')
    if not difference.count:
        if frame.pixels != new.pixels:
            text = f'the type of the pixels is {new.pixels}, and was {frame.pixels}'
        else:
            text = 'pixels differ in bits beyond the 8 per component that a picture has'
        return Result(name, 'differs', text + ' (--no-alpha ignores it)', golden, new)
    x, y, width, height = difference.box()
    share = 100 * difference.count / len(difference.changed)
    return Result(name, 'differs', f'{difference.count} pixels ({share:.3g} %) differ by up to '
                  f'{difference.largest} of 255, in {width}x{height} at {x},{y}', golden, new,
                  difference)


def compare_all(report, manifest, done, options):
    only = None
    if options.chosen and not Frames(options.chosen).is_endless:
        only = Frames(options.chosen).numbers
    for frame in manifest.frames:
        if only is not None and frame.name.isdigit() and int(frame.name) not in only:
            continue
        golden = read_golden(options.folder, frame)
        new = done.pictures.get(frame.name)
        report.results.append(
            compare(frame.name, golden, frame, new, options) if new else
            Result(frame.name, 'missing', 'the program has not made this frame', golden))
    known = {frame.name for frame in manifest.frames}
    for name, picture in done.pictures.items():
        if name not in known:
            report.results.append(Result(name, 'more', 'the golden pictures do not have this '
                                         'frame', None, picture))


def compare_captures(options, done):
    """Returns what `sgpu diff` finds in the captures, or ''."""
    golden = os.path.join(options.folder, CAPTURE)
    if not done.capture or not os.path.exists(golden):
        return ''
    found = subprocess.run([options.tools.find('sgpu-cap'), 'diff', golden, done.capture.name],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                           universal_newlines=True, errors='replace')
    return found.stdout.replace(done.capture.name, 'now.sgcap').strip()


def warn_version(report):
    if report.golden_version != report.version:
        report.warnings.append(
            f'the golden pictures are of sgpu {report.golden_version}, and this is sgpu '
            f'{report.version}: its release notes list the scenes with other pixels')
        say(report.warnings[-1])


def tell(report, options, path):
    for result in report.bad():
        print(f'frame {result.name}: {result.text}')
    if report.first_draw:
        print(report.first_draw)
    count = len(report.bad())
    print(f'{options.folder}: {count} of {len(report.results)} frames differ' if count else
          f'{options.folder}: {len(report.results)} frames, all the same')
    if path:
        print(f'the differences: {path}')


def check_report(options, command, report):
    """Runs the command, and adds the results to the report.  Returns the exit status."""
    manifest = read_manifest(options.folder)
    take_options(options, manifest)
    report.command = command = command or manifest.command
    options.captures |= os.path.exists(os.path.join(options.folder, CAPTURE))
    finish_options(options, command)
    report.golden_version = manifest.version
    report.fixed = bool(options.clock or options.seed is not None or
                        golden_sources.kind_of(command) != 'program')
    for frame in manifest.frames:
        read_golden(options.folder, frame)
    if options.update:
        check_target(options.folder, True)
    done = run(options, command)
    report.version = done.version
    warn_version(report)
    compare_all(report, manifest, done, options)
    path = ''
    if report.bad():
        report.first_draw = compare_captures(options, done)
        path = options.report or f'{options.folder}-differences.html'
        write_page(report, path)
    tell(report, options, path)
    if report.bad() and options.update:
        write(options, command, done)
        print(f'{options.folder} has the new pictures; the former ones are in {options.folder}.old')
        return 0
    return 1 if report.bad() else 0


def check(options, command):
    options.chosen = options.frames
    if options.update and options.chosen:
        raise GoldenError('--update replaces all frames, so it takes no --frames; '
                          f'`{COMMAND} record --force` chooses other ones')
    report = Report(options.folder, command)
    start = time.monotonic()
    try:
        return check_report(options, command, report)
    except GoldenError as error:
        report.error = str(error)
        raise
    finally:
        report.seconds = time.monotonic() - start
        if options.junit:
            write_junit(report, options.junit)


def list_frames(options):
    manifest = read_manifest(options.folder)
    print(f'sgpu {manifest.version}: {shlex.join(manifest.command)}')
    for frame in manifest.frames:
        print(f'{frame.name} {frame.width}x{frame.height} {frame.pixels} {frame.hash}')
    return 0


def main(argv):
    if not argv or argv[0] in ('-h', '--help', 'help') or '--help' in argv[:argv.index('--')
                                                                           if '--' in argv
                                                                           else len(argv)]:
        print(HELP, end='', file=sys.stdout if argv else sys.stderr)
        return 0 if argv else 2
    if argv[0] == '--version':
        print(f'sgpu-golden {Tools().version()}')
        return 0
    options, command = parse(argv)
    try:
        if options.action == 'list':
            return list_frames(options)
        if options.action == 'check':
            return check(options, command)
        finish_options(options, command)
        return record(options, command)
    except GoldenError as error:
        say(error)
        return 2
    except OSError as error:
        say(f'{error.filename or "a file"}: {error.strerror}')
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
