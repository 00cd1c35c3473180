"""Nothing outside a document is opened or asked for, whatever it says: told by Python's own audit,
and by a server that would notice."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

WATCHED = r"""
import json, sys
from newsloom.kernel.errors import ParseError
from newsloom.feeds.parse import parse_feed, read_opml
item = "<rss><channel><item><title>a &leak; b</title><link>/x</link></item></channel></rss>"
opml = "<opml><body><outline text='&leak;' xmlUrl='http://a.test/'/></body></opml>"
def heads(place):
    yield f'<!DOCTYPE rss SYSTEM "{place}">'
    yield f'<!DOCTYPE rss PUBLIC "-//x" "{place}">'
    yield f'<!DOCTYPE rss [<!ENTITY leak SYSTEM "{place}">]>'
    yield f'<!DOCTYPE rss [<!ENTITY % outside SYSTEM "{place}"> %outside;]>'
    yield f'<!DOCTYPE rss [<!ENTITY % a "&#60;!ENTITY leak SYSTEM \'{place}\'>"> %a;]>'
    yield f'<?xml-stylesheet href="{place}"?>'
    yield f'<!DOCTYPE rss [<!ATTLIST rss x CDATA "&leak;"><!ENTITY leak SYSTEM "{place}">]>'
def all_of_them():
    for place in sys.argv[1:]:
        for head in heads(place):
            for read, body in ((lambda b: parse_feed(b, place), item), (read_opml, opml)):
                for document in (head + body, head + body.replace("</title>", "")):
                    try:
                        read(document.encode())
                    except ParseError:
                        pass
all_of_them()  # what is imported only when it is needed is open by now
seen = []
sys.addaudithook(lambda event, args: seen.append(event) if event.startswith(
    ("open", "socket", "os.", "subprocess", "urllib", "ctypes")) else None)
all_of_them()
print(json.dumps(seen))
"""


def test_no_file_is_opened_and_no_connection_made(tmp_path: Path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY leak "the secret">')
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        places = secret.as_uri(), str(secret), f"http://127.0.0.1:{port}/x.dtd"
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, *places], capture_output=True, text=True, check=True
        )
        assert json.loads(done.stdout) == []
        try:
            server.accept()
        except BlockingIOError:
            return
        raise AssertionError("a document made Newsloom connect")
