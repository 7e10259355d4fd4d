"""Echo server on PyPI websockets. Prints its port; ends when its standard input does."""

import asyncio
import logging
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed


async def echo(socket):
    try:
        async for message in socket:
            await socket.send(message)
    except ConnectionClosed:
        pass  # The load ends its connections with RST.


async def main():
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin, ended.set)
    async with serve(
        echo, "127.0.0.1", 0, backlog=1024, compression=None, ping_interval=None
    ) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await ended.wait()


asyncio.run(main())
