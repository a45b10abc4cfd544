# SPDX-License-Identifier: MIT
"""The folder of golden pictures: a manifest and a PNG file per frame.

A folder is written whole under another name, and then renamed.  It is never overwritten.
"""

import os
import re
import shlex
import shutil

from golden_picture import PictureError, read_png

# What users type: that of the source tree, or of an installation.
COMMAND = './sgpu golden' if 'SGPU_GOLDEN_BUILD' in os.environ else 'sgpu-golden'

MANIFEST = 'golden.txt'
CAPTURE = 'capture.sgcap'
FORMAT = '1'
SHA256 = re.compile('[0-9a-f]{64}$')
NAME = re.compile(r'[A-Za-z0-9._-]+$')


class GoldenError(Exception):
    """An error that is shown to the user, with what to do."""


class Frame:
    """A line of the manifest."""

    def __init__(self, name, width, height, pixels, rgb_hash, rest_hash, png):
        self.name, self.width, self.height = name, width, height
        self.pixels, self.hash, self.rest_hash, self.png = pixels, rgb_hash, rest_hash, png

    def line(self):
        return (f'frame {self.name} {self.width}x{self.height} {self.pixels} {self.hash} '
                f'{self.rest_hash} {self.png}')


class Manifest:
    """What golden.txt has: how the pictures were made, and their hashes."""

    def __init__(self):
        self.version = ''
        self.command = []
        self.options = {}  # options of `record` that the pictures depend on, as texts
        self.environment = []
        self.frames = []

    def text(self):
        lines = ['# Golden pictures.  `sgpu golden check` runs the command and compares.',
                 f'format {FORMAT}', f'sgpu {self.version}', f'command {shlex.join(self.command)}']
        lines += [f'option {name} {value}' for name, value in sorted(self.options.items())]
        lines += [f'environment {shlex.quote(item)}' for item in self.environment]
        lines += [frame.line() for frame in self.frames]
        return '\n'.join(lines + [f'end {len(self.frames)}']) + '\n'


def parse_frame(words):
    name, size, pixels, rgb_hash, rest_hash, png = words
    width, height = map(int, size.split('x'))
    if not (SHA256.match(rgb_hash) and (rest_hash == '-' or SHA256.match(rest_hash)) and
            NAME.match(name) and png == f'frame-{name}.png' and width > 0 and height > 0):
        raise ValueError
    return Frame(name, width, height, pixels, rgb_hash, rest_hash, png)


def parse_line(manifest, line):
    """Adds a line to the manifest.  Returns the number of frames if this is the last line."""
    kind, _, rest = line.partition(' ')
    if kind == 'sgpu':
        manifest.version = rest
    elif kind == 'command':
        manifest.command = shlex.split(rest)
    elif kind == 'option':
        name, _, value = rest.partition(' ')
        manifest.options[name] = value
    elif kind == 'environment':
        manifest.environment += shlex.split(rest)
    elif kind == 'frame':
        manifest.frames.append(parse_frame(rest.split(' ')))
    elif kind == 'end':
        return int(rest)
    else:
        raise ValueError
    return None


def read_manifest(folder):
    path = os.path.join(folder, MANIFEST)
    try:
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        raise GoldenError(f'{folder} has no golden pictures (there is no {path}): make them with '
                          f'`{COMMAND} record {folder} -- PROGRAM`, and look at them') from None
    except (OSError, UnicodeDecodeError) as error:
        raise GoldenError(f'{path} cannot be read: {error}') from None
    manifest, end = Manifest(), None
    for number, line in enumerate(lines, 1):
        if not line or line.startswith('#'):
            continue
        if line.startswith('format '):
            if line != f'format {FORMAT}':
                raise GoldenError(f'{path} has format {line[7:]}, but this sgpu reads format '
                                  f'{FORMAT}: use the sgpu that has made it')
            continue
        try:
            if end is not None:
                raise ValueError
            end = parse_line(manifest, line)
        except ValueError:
            raise GoldenError(f'{path}:{number}: this line is damaged: {line[:60]!r}; take the '
                              'file from version control, or record it again') from None
    if end != len(manifest.frames) or not manifest.frames or not manifest.command:
        raise GoldenError(f'{path} is damaged: it has {len(manifest.frames)} frames, and '
                          f'{"no last line" if end is None else f"its last line says {end}"}; '
                          'take the file from version control, or record it again')
    return manifest


def read_golden(folder, frame):
    """Returns the golden picture of a frame, after a comparison with its hash."""
    path = os.path.join(folder, frame.png)
    advice = 'take the file from version control, or record it again'
    try:
        with open(path, 'rb') as file:
            picture = read_png(file.read())
    except OSError as error:
        raise GoldenError(f'{path} cannot be read: {error.strerror}; {advice}') from None
    except PictureError as error:
        raise GoldenError(f'{path} is damaged: {error}; {advice}') from None
    if picture.hash != frame.hash:
        raise GoldenError(f'{path} does not have the pixels that {MANIFEST} tells (was it edited, '
                          f'or only one of the two updated?); {advice}')
    return picture


def frame_of(name, picture):
    return Frame(name, picture.width, picture.height, picture.pixels, picture.hash,
                 picture.rest_hash, f'frame-{name}.png')


def is_golden(folder):
    return os.path.isfile(os.path.join(folder, MANIFEST))


def check_target(folder, force):
    """Raises an error if golden pictures must not be written to the folder."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise GoldenError(f'{folder} is a file: give another name for the folder')
    if os.path.isdir(folder) and os.listdir(folder):
        if not is_golden(folder):
            raise GoldenError(f'{folder} has other files: golden pictures need a folder of '
                              'their own, since it is replaced as a whole')
        if not force:
            raise GoldenError(f'{folder} has golden pictures: `{COMMAND} check {folder}` '
                              'compares with them, --force replaces them and keeps the former '
                              f'ones as {folder}.old')
    parent = os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(parent):
        raise GoldenError(f'there is no folder {parent}')
    if not os.access(parent, os.W_OK | os.X_OK):
        raise GoldenError(f'{parent} cannot be written by this user: choose another folder')


def write_whole(path, data):
    """Writes a file under a temporary name, and renames it."""
    temporary = f'{path}.{os.getpid()}.tmp'
    try:
        with open(temporary, 'wb') as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise GoldenError(f'{path} cannot be written: {error.strerror}') from None


def remove_old(folder):
    """Removes the former golden pictures, which an earlier update has kept."""
    if os.path.isdir(folder) and is_golden(folder):
        shutil.rmtree(folder)
    elif os.path.lexists(folder):
        raise GoldenError(f'{folder} exists and has no golden pictures: move it away, since the '
                          'former golden pictures get this name')


def write_golden(folder, manifest, pictures, capture):
    """Writes a folder.  `pictures` has a picture for each frame of the manifest.  `capture` is the
    path of a device capture, or None.  Former pictures are kept as FOLDER.old."""
    folder = os.path.normpath(folder)
    new = f'{folder}.{os.getpid()}.new'
    try:
        try:
            os.mkdir(new)
            for frame, picture in zip(manifest.frames, pictures):
                write_whole(os.path.join(new, frame.png), picture.png())
            if capture:
                shutil.copyfile(capture, os.path.join(new, CAPTURE))
            write_whole(os.path.join(new, MANIFEST), manifest.text().encode())
            if os.path.isdir(folder) and is_golden(folder):
                remove_old(folder + '.old')
                os.rename(folder, folder + '.old')
            elif os.path.isdir(folder):
                os.rmdir(folder)
            os.rename(new, folder)
        except OSError as error:
            raise GoldenError(f'{folder} cannot be written: {error.strerror}; nothing has '
                              'changed') from None
    finally:
        shutil.rmtree(new, ignore_errors=True)
