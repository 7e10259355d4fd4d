"""Terminates TLS before an endpoint: bytes in the clear go on to PORT of 127.0.0.1.

    python3 tls.py PORT FOLDER

Makes an authority and a certificate with openssl in FOLDER, prints its port, and ends when its
input does. Whichever side ends a connection, both are reset: a lost connection stays a lost one.
"""

import asyncio
import os
import socket
import ssl
import struct
import subprocess
import sys

endpoint, folder = int(sys.argv[1]), sys.argv[2]
curve = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def openssl(*arguments):
    subprocess.run(("openssl",) + arguments, check=True, capture_output=True, cwd=folder)


def make_certificate():
    openssl("req", "-x509", "-newkey", *curve, "-nodes", "-days", "2", "-subj", "/CN=authority",
            "-addext", "basicConstraints=critical,CA:TRUE",
            "-keyout", "authority.key", "-out", "authority.pem")
    openssl("req", "-newkey", *curve, "-nodes", "-subj", "/CN=peer",
            "-keyout", "peer.key", "-out", "peer.csr")
    with open(os.path.join(folder, "peer.ext"), "w") as extensions:
        extensions.write("subjectAltName=IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "peer.csr", "-CA", "authority.pem", "-CAkey", "authority.key",
            "-CAcreateserial", "-days", "2", "-extfile", "peer.ext", "-out", "peer.pem")


async def pass_on(reader, writer):
    while part := await reader.read(65536):
        writer.write(part)
        await writer.drain()


def reset(writer):
    writer.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def serve(reader, writer):
    ends = [writer]
    try:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", endpoint)
        ends.append(inner_writer)
        ways = [asyncio.create_task(pass_on(reader, inner_writer)),
                asyncio.create_task(pass_on(inner_reader, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
    except OSError:
        pass  # The endpoint has gone.
    for end in ends:
        reset(end)


async def main():
    make_certificate()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "peer.pem"), os.path.join(folder, "peer.key"))
    # What a client makes of an end is its own affair.
    asyncio.get_running_loop().set_exception_handler(lambda loop, problem: None)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    # Not through the server's own close, which waits for every connection.
    os._exit(0)


asyncio.run(main())
