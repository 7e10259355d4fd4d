# Starts the Autobahn test suite on CPython 2.7: python2.7 autobahn.py SITE ARGUMENT...
#
# SITE is the folder that pip installed into; its .pth files are needed for namespace packages.
# Every socket that listens is bound to 127.0.0.1, which the suite has no option for.
import site
import sys

folder = sys.argv.pop(1)
sys.path.insert(0, folder)
site.addsitedir(folder)
sys.argv[0] = "wstest"

import autobahntestsuite.choosereactor  # Installs the reactor; must come before its import.
from twisted.internet import reactor

listen = reactor.listenTCP


def listen_on_loopback(port, factory, backlog=50, interface=""):
    return listen(port, factory, backlog, interface or "127.0.0.1")


reactor.listenTCP = listen_on_loopback

from autobahntestsuite.wstest import run

run()
