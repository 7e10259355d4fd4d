"""For programs that must be told their port, and do not end when their input does."""

import signal
import socket
import subprocess
import sys
import time

# Who starts us may hold signals back, as threads of Dispatch do, and a child would inherit that.
signal.pthread_sigmask(signal.SIG_SETMASK, [])

PATIENCE = 10


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(child, port):
    """Whether the child takes connections; False once it ended, or had its time."""
    end = time.monotonic() + PATIENCE
    while child.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return child.poll() is None
        except OSError:
            time.sleep(0.01)
    return False


def stop(child):
    child.terminate()
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def serve(command):
    """Runs command(port), prints the port, and ends it when our input ends.

    Another may take the port between our look and the program's start: then the next is tried.
    """
    for _ in range(5):
        port = free_port()
        child = subprocess.Popen(command(port), stdin=subprocess.DEVNULL)
        if listens(child, port):
            break
        stop(child)
    else:
        sys.exit("it did not listen on any of five ports")
    print("port", port, flush=True)
    sys.stdin.read()
    stop(child)
