"""nginx with nchan: channels that are published to by POST and read as event streams.

nchan.py
"""

import os
import tempfile

import leash

with open(os.path.join(os.path.dirname(__file__), "nchan.conf")) as file:
    template = file.read()


def command(port):
    with open(os.path.join(folder, "nginx.conf"), "w") as file:
        file.write(template.replace("@PORT@", str(port)))
    return ["/usr/sbin/nginx", "-p", folder, "-c", "nginx.conf", "-e", "stderr"]


with tempfile.TemporaryDirectory() as folder:
    leash.serve(command)
