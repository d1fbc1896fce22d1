"""A UCI engine that moves its knights to and fro, and misbehaves as it is told.

    fake_engine.py FOLDER NAME BEHAVIOUR

What it hears goes to FOLDER/NAME.log, with a line 'start' whenever it is started. A behaviour is a
word, with '@N' if it shows at the Nth move of each game only, and with ':TEXT' where it takes one.
"""

import os
import signal
import sys
import time

folder, name, behaviour = sys.argv[1:]
behaviour, _, text = behaviour.partition(":")
behaviour, _, turn = behaviour.partition("@")
journal = os.path.join(folder, name + ".log")
KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]


def note(line):
    with open(journal, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def heard(line):
    with open(journal, encoding="utf-8") as file:
        return file.read().split("\n").count(line)


def say(*lines):
    for line in lines:
        line = line if isinstance(line, bytes) else line.encode()
        sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def hang():
    # Not for ever: a test that fails leaves nothing behind for long.
    time.sleep(60)
    sys.exit(1)


def pour(chunk):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        sys.stdout.buffer.write(chunk)


def misbehave(move):
    """Answers 'go' in the way asked for."""
    if behaviour == "exit":
        sys.exit(3)
    elif behaviour == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif behaviour == "hang":
        hang()
    elif behaviour == "flood":
        pour(b"rubbish\n" * 1000)
    elif behaviour == "bytes":
        pour(b"\xff\xfe\x00\x80 info depth \xc3(\r\n" * 1000)
    elif behaviour == "line":
        pour(b"bestmove" * 8192)
    elif behaviour == "close":
        os.close(1)
        hang()
    elif behaviour == "say":
        # The first start is only to be seen.
        answers = text.split("|")
        say(answers[(heard("start") - 2) % len(answers)])
    elif behaviour == "late":
        time.sleep(float(text))
        say("bestmove " + move)
    elif behaviour == "chatter":
        say(*["rubbish of every kind"] * 50_000)
        say(b"\xff\xfe\x80", b"", b"\0\0\0", b"x" * 300_000, b"bestmovee2e5", b"info", b"uciok")
        say("info string bestmove e2e5", "info depth x score cp y nodes -1 pv", "info score mate")
        # Someone who cuts long lines must not take the rest for an answer.
        for length in [1 << power for power in range(8, 19)]:
            say(b"y" * length + b"bestmove e2e5", b"y" * (length - 1) + b"\tbestmove e2e5")
        say("readyok", "id name someone else", "  \tbestmove  %s   ponder e9e9  \r" % move)
    elif behaviour == "frail" and turns % 3 == 0:
        sys.exit(3)
    elif behaviour == "stuck" and turns % 3 == 0:
        hang()
    elif behaviour in ("info", "frail", "stuck"):
        say(*text.split("|"))
        say("bestmove " + move)
    else:
        say("bestmove " + move)


def think(position):
    given = position.split(" moves ")
    played = given[1].split() if len(given) > 1 else []
    return KNIGHTS[len(played) % 4]


note("start")
if behaviour == "absent" and heard("start") > 1:
    sys.exit(1)
if behaviour == "unsteady" and heard("start") % 2 == 0:
    sys.exit(1)
position, turns, games = "", 0, 0
while True:
    line = sys.stdin.readline()
    if not line and behaviour != "stay":
        break
    line = line.strip()
    note(line)
    word = line.split(" ")[0]
    if behaviour == "mute":
        hang()
    elif word == "uci" and behaviour == "babble":
        pour(b"id name Babble\n" * 1000)
    elif word == "uci":
        say("id name Fake %s" % behaviour, "id author nobody")
        say("option name Hash type spin default 16 min 1 max 1024")
        say("option name UCI_Chess960 type check default false")
        say("option name Two Words type string default <empty>", "uciok")
    elif word == "ucinewgame":
        turns, games = 0, games + 1
        if behaviour == "leave" and games == 2:
            sys.exit(0)
    elif word == "isready":
        if behaviour == "unready" and games == 2:
            hang()
        say("readyok")
    elif word == "position":
        position = line
    elif word == "go":
        turns += 1
        move = think(position)
        if behaviour == "unsteady" and turns == 2:
            sys.exit(3)
        if turn in ("", str(turns)):
            misbehave(move)
        else:
            say("bestmove " + move)
    elif word == "quit" or not line:
        if behaviour == "stay":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            hang()
        break
