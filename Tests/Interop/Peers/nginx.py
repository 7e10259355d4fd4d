"""nginx as a proxy in front of a server, that cuts what is idle.

nginx.py UPSTREAM_PORT IDLE_SECONDS
"""

import os
import sys
import tempfile

import leash

upstream, idle = sys.argv[1:3]
with open(os.path.join(os.path.dirname(__file__), "nginx.conf")) as file:
    template = file.read()


def command(port):
    text = template
    for name, value in ("PORT", str(port)), ("UPSTREAM", upstream), ("IDLE", idle):
        text = text.replace(f"@{name}@", value)
    with open(os.path.join(folder, "nginx.conf"), "w") as file:
        file.write(text)
    return ["/usr/sbin/nginx", "-p", folder, "-c", "nginx.conf", "-e", "stderr"]


with tempfile.TemporaryDirectory() as folder:
    leash.serve(command)
