"""Reads an event stream from a file, in chunks, by httpx-sse over httpx.

Usage: parse.py FILE CHUNK; prints the number of events and the CPU seconds of the second pass.
"""

import sys
from pathlib import Path
from time import process_time

import httpx
from httpx_sse import EventSource

content = Path(sys.argv[1]).read_bytes()
chunk_bytes = int(sys.argv[2])


def read():
    chunks = (
        content[start : start + chunk_bytes] for start in range(0, len(content), chunk_bytes)
    )
    response = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=chunks)
    return sum(1 for _ in EventSource(response).iter_sse())


read()
start = process_time()
events = read()
print(events, process_time() - start)
