"""Headless Chromium on page.html, which talks to endpoints and tells here what it saw.

chromium.py endpoint=PORT        one conversation after the other, with one endpoint
chromium.py events=PORT,PORT…    an event stream from each of these, for as long as it runs
chromium.py ended=PORT,PORT…     the same, and tells which ended for good
"""

import http.server
import os
import subprocess
import sys
import tempfile
import threading

import leash

PAGE = os.path.join(os.path.dirname(__file__), "page.html")


class Exchange(http.server.BaseHTTPRequestHandler):
    """Hands out the page, and prints the lines that it posts."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        with open(PAGE, "rb") as page:
            self.wfile.write(page.read())

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        print(self.rfile.read(length).decode(), flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exchange)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    child = subprocess.Popen([
        "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-sync", "--disable-component-update", "--disable-background-networking",
        "--disable-domain-reliability", "--disable-dev-shm-usage",
        # Nothing but this machine.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        # The page comes from another port than the events, which carry no field that allows it.
        "--disable-web-security",
        f"--user-data-dir={profile}", "--remote-debugging-port=0",
        f"http://127.0.0.1:{server.server_port}/?{sys.argv[1]}",
    ], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sys.stdin.read()
    leash.stop(child)
