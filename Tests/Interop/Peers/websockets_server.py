"""A server on PyPI websockets, that does what the path asks for; see README.md beside this folder.

websockets_server.py [--port N] [--plain] [--tls CERTIFICATE KEY]
"""

import argparse
import asyncio
import logging
import socket
import ssl
import struct
import sys
import time
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed


def asked(request):
    """Path and query of a request."""
    parts = urlsplit(request.path)
    return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}


def refuse(connection, request):
    path, query = asked(request)
    if path != "/refuse":
        return None
    print("refused", round(time.monotonic() * 1000), flush=True)
    response = connection.respond(int(query["status"]), "no\n")
    if "after" in query:
        response.headers["Retry-After"] = query["after"]
    return response


def choose(connection, offered):
    return next((name for name in ("v2", "v1") if name in offered), None)


async def in_fragments(connection, message):
    """The message in three frames, with a ping before the last."""
    yield message[:1]
    yield message[1:100]
    await connection.ping()
    yield message[100:]


async def answer(connection, message, path, query):
    if path == "/echo":
        await connection.send(message)
    elif path == "/fragments":
        await connection.send(in_fragments(connection, message))
    elif path == "/ping":
        seconds = await (await connection.ping(message))
        print("pong", round(seconds * 1000), flush=True)
        await connection.send("answered")
    elif path == "/close":
        await connection.close(int(query["code"]), query["reason"])
    elif path == "/cut":
        connection.transport.close()
    elif path == "/reset":
        connection.transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.transport.abort()


async def serve_one(connection):
    path, query = asked(connection.request)
    extensions = [extension.name for extension in connection.protocol.extensions]
    print("opened", *extensions or ["plain"], flush=True)
    try:
        async for message in connection:
            await answer(connection, message, path, query)
    except ConnectionClosed:
        pass
    close = connection.protocol.close_rcvd
    print("closed", *(("none",) if close is None else (close.code, close.reason)), flush=True)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--tls", nargs=2)
    options = parser.parse_args()
    context = None
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
    # What it says of connections that others cut is no news.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin, ended.set)
    async with serve(
        serve_one, "127.0.0.1", options.port, ssl=context, process_request=refuse,
        compression=None if options.plain else "deflate", select_subprotocol=choose,
        ping_interval=None, max_size=1 << 24, close_timeout=5,
    ) as server:
        print("port", server.sockets[0].getsockname()[1], flush=True)
        await ended.wait()


asyncio.run(main())
