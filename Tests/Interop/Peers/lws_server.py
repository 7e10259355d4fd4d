"""libwebsockets' test server, on the loopback device only.

lws_server.py
"""

import leash

leash.serve(lambda port: ["libwebsockets-test-server", f"--port={port}", "-i", "lo"])
