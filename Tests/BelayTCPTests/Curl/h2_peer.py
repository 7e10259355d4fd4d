"""The foreign end of the HTTP/2 tests: a server by python3-h2, on 127.0.0.1.

Its argument is the folder with the certificate. Prints `h2 port` and then `ready`, and ends when
its input ends. A stream that was asked for at `/held/END` gets an event, and its END when somebody
asks for `/go`: so nothing overtakes anything.
"""

import os
import socket
import ssl
import struct
import sys
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

folder = sys.argv[1]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.path.join(folder, "good.pem"), os.path.join(folder, "good.key"))
context.set_alpn_protocols(["h2"])
HEAD = [(":status", "200"), ("content-type", "text/event-stream")]
EVENT = b"data: x\n\n"
held = []
sent = {"count": 0}


class Conversation:
    def __init__(self, connection):
        self.connection = connection
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.lock = threading.Lock()
        self.requests = {}

    def flush(self):
        self.connection.sendall(self.h2.data_to_send())

    def serve(self):
        self.h2.initiate_connection()
        self.flush()
        while True:
            bytes_ = self.connection.recv(65536)
            if not bytes_:
                return
            with self.lock:
                for event in self.h2.receive_data(bytes_):
                    self.handle(event)
                self.flush()

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.requests[event.stream_id] = [dict(event.headers), b""]
        elif isinstance(event, h2.events.DataReceived):
            self.requests[event.stream_id][1] += event.data
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            self.answer(event.stream_id, *self.requests.pop(event.stream_id))
        elif isinstance(event, h2.events.WindowUpdated):
            self.pour()

    def answer(self, stream, fields, body):
        path = fields[b":path"].decode()
        if path == "/refused":
            return self.h2.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        if path == "/going":
            return self.h2.close_connection(last_stream_id=0)
        if path == "/moved":
            return self.h2.send_headers(
                stream, [(":status", "307"), ("location", "/echo")], end_stream=True)
        head = HEAD + ([("content-length", "99")] if path == "/held/short" else [])
        if path == "/echo":
            head = HEAD + [("x-interim", "no")]
            self.h2.send_headers(stream, [(":status", "103"), ("link", "x")])
        self.h2.send_headers(stream, head)
        if path == "/go":
            self.h2.end_stream(stream)
            for other in held:
                threading.Thread(target=other, daemon=True).start()
            held.clear()
        elif path == "/echo":
            lines = [b"%s: %s" % (name, fields[name]) for name in sorted(fields)] + [body]
            self.h2.send_data(stream, b"".join(b"data: %s\n" % line for line in lines) + b"\n",
                              end_stream=True)
        elif path == "/sent":
            self.h2.send_data(stream, b"%d" % sent["count"], end_stream=True)
        elif path == "/flood":
            self.stream, self.rest = stream, 64 << 20
            threading.Thread(target=self.pour_all, daemon=True).start()
        else:
            self.h2.send_data(stream, EVENT)
            held.append(lambda: self.end(stream, path[len("/held/"):]))

    def pour_all(self):
        try:
            with self.lock:
                self.pour()
        except OSError:
            pass  # Nobody reads any more.

    def pour(self):
        """As much as the window takes; the socket holds the thread up where nobody reads."""
        while getattr(self, "rest", 0):
            size = min(self.rest, self.h2.local_flow_control_window(self.stream), 16384)
            if size <= 0:
                return
            self.rest -= size
            self.h2.send_data(self.stream, b"\n" * size, end_stream=self.rest == 0)
            self.flush()
            sent["count"] += size

    def end(self, stream, how):
        with self.lock:
            if how in ("end", "end-cut", "short"):
                self.h2.end_stream(stream)
            elif how == "rst-stream":
                self.h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
            elif how.startswith("goaway"):
                self.h2.close_connection()
            self.flush()
            if how.endswith("notify"):
                # Not unwrap, which waits for the other's.
                self.connection.setblocking(False)
                try:
                    self.connection.unwrap()
                except ssl.SSLError:
                    pass
            if how.endswith(("notify", "cut")):
                try:
                    self.connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # The client answered the close_notify first, and the reader closed.
            elif how == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                           struct.pack("ii", 1, 0))
                # Its own thread reads: it wakes by this, and closes.
                self.connection.shutdown(socket.SHUT_RD)


def handle(connection):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            Conversation(stream).serve()
    except (OSError, EOFError, ValueError, h2.exceptions.ProtocolError):
        pass  # What a client says to an end that it has not seen is no error of its own.


listener = socket.create_server(("127.0.0.1", 0), backlog=512)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=handle, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
print("h2", listener.getsockname()[1])
print("ready", flush=True)
sys.stdin.read()
