"""Three events on PyPI aiohttp, by any method, from behind Last-Event-ID.

aiohttp_server.py

/events?cut=1 ends the first response within its second event, once /cut was asked for; ?slow=1
sends byte by byte.
"""

import asyncio
import os
import sys

from aiohttp import web

WORDS = {1: "queued", 2: "building", 3: "finished"}
cut = set()
may_cut = asyncio.Event()


async def send(response, data, slow):
    if not slow:
        return await response.write(data)
    for byte in data:
        await response.write(bytes([byte]))
        await asyncio.sleep(0.001)


async def events(request):
    last = request.headers.get("Last-Event-ID", "")
    body = await request.text()
    print("asked", request.method, last or "-", body or "-", flush=True)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    response.enable_chunked_encoding()
    await response.prepare(request)
    for number in range(int(last or 0) + 1, 4):
        data = f"id: {number}\ndata: {WORDS[number]}\n\n".encode()
        if number == 2 and "cut" in request.query and request.path_qs not in cut:
            cut.add(request.path_qs)
            await may_cut.wait()
            await send(response, data[:len(data) // 2], "slow" in request.query)
            request.transport.close()
            return response
        await send(response, data, "slow" in request.query)
    await response.write_eof()
    return response


async def allow(_):
    may_cut.set()
    return web.Response()


async def main():
    # What waits for ever ends with our input.
    asyncio.get_running_loop().add_reader(sys.stdin, os._exit, 0)
    app = web.Application()
    app.router.add_route("*", "/events", events)
    app.router.add_route("*", "/cut", allow)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print("port", runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
