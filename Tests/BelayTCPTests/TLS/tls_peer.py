"""The foreign end of the TLS tests: servers with good and bad certificates, on 127.0.0.1.

Makes its certificates with openssl in the folder that is its argument, prints `name port` for
each server and then `ready`. Ends when its input ends, and takes the folder along.
"""

import base64
import hashlib
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

folder = sys.argv[1]
curve = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def path(name):
    return os.path.join(folder, name)


def openssl(*arguments):
    subprocess.run(("openssl",) + arguments, check=True, capture_output=True, cwd=folder)


def make_authority(name):
    openssl("req", "-x509", "-newkey", *curve, "-nodes", "-days", "2", "-subj", "/CN=" + name,
            "-addext", "basicConstraints=critical,CA:TRUE",
            "-keyout", name + ".key", "-out", name + ".pem")


def make_certificate(name, subject, days="2"):
    openssl("req", "-newkey", *curve, "-nodes", "-subj", "/CN=" + name,
            "-keyout", name + ".key", "-out", name + ".csr")
    with open(path(name + ".ext"), "w") as extensions:
        extensions.write("subjectAltName=" + subject + "\n")
    openssl("x509", "-req", "-in", name + ".csr", "-CA", "authority.pem",
            "-CAkey", "authority.key", "-CAcreateserial", "-days", days,
            "-extfile", name + ".ext", "-out", name + ".pem")


def context(certificate, client_authority=None, maximum=None):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(path(certificate + ".pem"), path(certificate + ".key"))
    if client_authority:
        made.verify_mode = ssl.CERT_REQUIRED
        made.load_verify_locations(path(client_authority + ".pem"))
    if maximum:
        made.maximum_version = maximum
    return made


def exactly(stream, count):
    parts = []
    while count > 0:
        part = stream.recv(min(count, 65536))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def read_head(stream):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += exactly(stream, 1)
    return head.decode()


def shake_hands(stream):
    """Answers an opening handshake, or a request for events; gives the path asked for."""
    lines = read_head(stream).split("\r\n")
    target = lines[0].split(" ")[1]
    if target.startswith("/events"):
        stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: x\n\n")
        return target
    fields = dict(line.lower().split(": ", 1) if not line.lower().startswith("sec-websocket-key")
                  else ("key", line.split(": ", 1)[1]) for line in lines[1:] if line)
    digest = hashlib.sha1((fields["key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode())
    if target == "/silent":
        exactly(stream, 1)
    stream.sendall(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                    + base64.b64encode(digest.digest()).decode() + "\r\n\r\n").encode())
    return target


def read_frame(stream):
    first, second = exactly(stream, 2)
    length = second & 0x7F
    if length == 126:
        length = struct.unpack(">H", exactly(stream, 2))[0]
    elif length == 127:
        length = struct.unpack(">Q", exactly(stream, 8))[0]
    key = exactly(stream, 4)
    payload = exactly(stream, length)
    mask = (key * (length // 4 + 1))[:length]
    plain = int.from_bytes(payload, "little") ^ int.from_bytes(mask, "little")
    return first & 0x0F, plain.to_bytes(length, "little")


def frame(opcode, payload):
    if len(payload) < 126:
        length = bytes([len(payload)])
    elif len(payload) < 65536:
        length = b"\x7e" + struct.pack(">H", len(payload))
    else:
        length = b"\x7f" + struct.pack(">Q", len(payload))
    return bytes([0x80 | opcode]) + length + payload


def end(stream, how):
    if how == "notify":
        stream.unwrap()
    elif how == "reset":
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # Closing the descriptor alone sends FIN, and no close_notify.
    os.close(stream.detach())


def websocket(stream):
    target = shake_hands(stream)
    if target.startswith("/events"):
        return end(stream, target[len("/events-"):])
    if target in ("/notify", "/cut", "/reset"):
        stream.sendall(frame(1, b"last words"))
        exactly(stream, 1)  # They have arrived: an RST would overtake them.
        return end(stream, target[1:])
    while True:
        opcode, payload = read_frame(stream)
        stream.sendall(frame(opcode, payload))
        if opcode == 8:
            return end(stream, "cut" if target == "/close-cut" else "notify")


def half_close(stream):
    """Counts to the peer's close_notify, and answers after it."""
    count = 0
    while True:
        part = stream.recv(65536)
        if not part:
            break
        count += len(part)
    stream.sendall(b"%d" % count)
    end(stream, "notify")


def farewell(stream):
    """Answers a byte by last words and close_notify in one segment, and keeps its socket."""
    exactly(stream, 1)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    stream.sendall(b"last words")
    stream.settimeout(0)
    try:
        stream.unwrap()
    except ssl.SSLWantReadError:
        pass  # It is sent, and the peer's own is not waited for.
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)
    time.sleep(30)


def dripping(certificate):
    """Every byte of the server's, the handshake's included, is a segment of its own."""
    def serve(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context(certificate).wrap_bio(incoming, outgoing, server_side=True)

        def step(action):
            while True:
                try:
                    result = action()
                    waits = False
                except ssl.SSLWantReadError:
                    waits = True
                for byte in outgoing.read():
                    connection.sendall(bytes([byte]))
                if not waits:
                    return result
                received = connection.recv(1)
                if not received:
                    raise EOFError
                incoming.write(received)

        class Dripping:
            def recv(self, count):
                return step(lambda: session.read(count))

            def sendall(self, payload):
                step(lambda: session.write(payload))

        step(session.do_handshake)
        stream = Dripping()
        shake_hands(stream)
        while True:
            opcode, payload = read_frame(stream)
            stream.sendall(frame(opcode, payload))
    return serve


def secured(made, serve):
    return lambda connection: serve(made.wrap_socket(connection, server_side=True))


def cut(connection):
    connection.recv(64)
    connection.shutdown(socket.SHUT_WR)
    connection.recv(65536)


def reset(connection):
    connection.recv(64)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def in_the_clear(connection):
    connection.recv(64)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.recv(65536)


def silent(connection):
    while connection.recv(65536):
        pass


def listen(name, serve):
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    print(name, listener.getsockname()[1], flush=True)

    def handle(connection):
        try:
            with connection:
                serve(connection)
        except (OSError, EOFError):
            pass

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


make_authority("authority")
make_authority("stranger")
for certificate in (("good", "DNS:localhost,IP:127.0.0.1"), ("other", "DNS:other.example"),
                    ("client", "DNS:client.example"), ("expired", "IP:127.0.0.1", "-1")):
    make_certificate(*certificate)

good = context("good")
listen("good", secured(good, websocket))
listen("stranger", secured(context("stranger"), websocket))
listen("other", secured(context("other"), websocket))
listen("expired", secured(context("expired"), websocket))
listen("old", secured(context("good", maximum=ssl.TLSVersion.TLSv1_2), websocket))
listen("asking", secured(context("good", client_authority="authority"), websocket))
listen("half", secured(good, half_close))
listen("farewell", secured(good, farewell))
listen("drip", dripping("good"))
listen("cut", cut)
listen("reset", reset)
listen("clear", in_the_clear)
listen("silent", silent)
print("ready", flush=True)
sys.stdin.read()
shutil.rmtree(folder)
