"""A client on PyPI websockets: holds one conversation, and prints what came of it.

websockets_client.py talk|listen|reset URL [--plain]
"""

import asyncio
import os
import socket
import struct
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

SIZES = (0, 125, 126, 65535, 65536, 1 << 20)


async def talk(connection):
    """Says all that can be echoed, and closes."""
    for size in SIZES:
        for message in ("é" * (size // 2) + "x" * (size % 2), os.urandom(size)):
            await connection.send(message)
            verdict = "same" if await connection.recv() == message else "different"
            print(type(message).__name__, size, verdict, flush=True)
    await connection.send(["in ", "three ", "fragments"])
    print(await connection.recv(), flush=True)
    await (await connection.ping(b"1234"))
    print("pong", flush=True)
    await connection.close(4001, "bye")


async def listen(connection):
    """Waits until the endpoint closes."""
    await connection.send("begin")
    try:
        while True:
            await connection.recv()
    except ConnectionClosed:
        pass


async def reset(connection):
    """Ends with RST."""
    connection.transport.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.transport.abort()
    await connection.wait_closed()


async def main():
    command, url = sys.argv[1:3]
    # What waits for ever ends with our input.
    asyncio.get_running_loop().add_reader(sys.stdin, os._exit, 1)
    compression = None if "--plain" in sys.argv else "deflate"
    async with connect(url, compression=compression, proxy=None, max_size=1 << 24) as connection:
        extensions = [extension.name for extension in connection.protocol.extensions]
        print("opened", *extensions or ["plain"], flush=True)
        await {"talk": talk, "listen": listen, "reset": reset}[command](connection)
    print("closed", connection.close_code, connection.close_reason, flush=True)


asyncio.run(main())
