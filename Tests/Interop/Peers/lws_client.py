"""libwebsockets' test client, which connects as often as it is let go.

lws_client.py URL
"""

import subprocess
import sys

import leash

child = subprocess.Popen(
    ["libwebsockets-test-client", sys.argv[1]], stdin=subprocess.DEVNULL)
sys.stdin.read()
leash.stop(child)
