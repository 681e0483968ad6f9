"""Compiles programs in a jail: writes the sources, runs the compilers in order and returns their outputs.

Request: texts, each preceded by its 32-bit length. They are the number of files, then the path and text of each; the
number of commands, then for each its number of words and the words; the number of outputs, then their paths.

Reply, in the same encoding: the number of the command that failed, or "ok"; its exit status, negative for a signal;
its output; and, on success, the output files.
"""

import os

import frames
from confine import confine

TEXT_BYTES = 64 * 1024
OUTPUT = '.output'


def main(count=None):
    """With a count, forks so many processes of one build each: request, reply and errors."""
    if count:
        from forker import fork_jails

        fork_jails(int(count), ((0,), (1,), (2,)), (), build)
    confine()
    build()


def build():
    """Runs inside a closed jail."""
    os.environ['PATH'] = '/usr/bin:/bin'
    for _ in range(number()):
        write(text(), take())
    commands = [[text() for _ in range(number())] for _ in range(number())]
    outputs = [text() for _ in range(number())]
    for index, words in enumerate(commands):
        status, said = run(words)
        if status:
            return give(b'%d' % index, b'%d' % status, said)
    give(b'ok', b'0', b'', *[contents(path) for path in outputs])


def run(words):
    with open(OUTPUT, 'wb') as output:
        descriptor = output.fileno()
        redirected = [
            (os.POSIX_SPAWN_OPEN, 0, '/dev/null', os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, descriptor, 1),
            (os.POSIX_SPAWN_DUP2, descriptor, 2),
        ]
        pid = os.posix_spawn(words[0], words, os.environ, file_actions=redirected)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status, contents(OUTPUT, TEXT_BYTES) if status else b''


def write(path, data):
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)


def contents(path, limit=-1):
    with open(path, 'rb') as file:
        return file.read(limit)


def number():
    return int(take())


def text():
    return os.fsdecode(take())


def take():
    return frames.take(0)


def give(*texts):
    for data in texts:
        frames.give(1, data)
