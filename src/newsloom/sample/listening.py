"""Serves the sample's site on loopback, in threads of Python's own server."""

from __future__ import annotations

import errno
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from newsloom.sample.site import MISDIRECTED, Site

# Seconds that a connection may say nothing.
SILENCE = 10


class Listening:
    """A server that runs until it is closed."""

    def __init__(self, site: Site, host: str, port: int) -> None:
        """On the port asked for, or on any when another program has it."""
        try:
            self._server = _Server(site, (host, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            self._server = _Server(site, (host, 0))
        self.port = int(self._server.server_address[1])
        run = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="newsloom-sample", daemon=True
        )
        run.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, site: Site, address: tuple[str, int]) -> None:
        self.site = site
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)  # HTTPServer would look its own name up


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = SILENCE

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        values = {name.lower(): value for name, value in self.headers.items()}
        try:
            path = unquote(urlsplit(self.path).path, errors="strict")
        except ValueError:
            answer = MISDIRECTED
        else:
            answer = self.server.site.answer(path, values)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.status != 304:
            self.send_header("Content-Length", str(len(answer.body)))
        if answer.type:
            self.send_header("Content-Type", answer.type)
        self.send_header("Connection", "close")
        self.end_headers()
        if body:
            self.wfile.write(answer.body)

    def log_message(self, *_args: object) -> None:
        """Nothing: what is asked of the sample is nobody's concern."""
