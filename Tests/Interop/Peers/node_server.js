// A server on node-ws (Debian's package), that does what the path asks for; see README.md beside
// this folder.
//
// node_server.js [--port N] [--plain] [--tls CERTIFICATE KEY]
const fs = require('fs');
const http = require('http');
const https = require('https');
const { WebSocketServer } = require('/usr/share/nodejs/ws');

const after = (name, place = 1) => {
  const index = process.argv.indexOf(name);
  return index < 0 ? undefined : process.argv[index + place];
};
const say = (...words) => console.log(words.join(' '));

const server = after('--tls') === undefined ? http.createServer() : https.createServer({
  cert: fs.readFileSync(after('--tls')), key: fs.readFileSync(after('--tls', 2)),
});
const sockets = new WebSocketServer({
  server,
  perMessageDeflate: process.argv.includes('--plain') ? false : { threshold: 100 },
  handleProtocols: (offered) => ['v2', 'v1'].find((name) => offered.has(name)),
  verifyClient: ({ req: request }, answer) => {
    const { pathname, searchParams } = new URL(request.url, 'ws://127.0.0.1');
    if (pathname !== '/refuse') return answer(true);
    say('refused', Math.round(performance.now()));
    const later = searchParams.get('after');
    answer(false, Number(searchParams.get('status')), 'no',
      later === null ? {} : { 'Retry-After': later });
  },
});

const answers = {
  '/echo': (socket, data, isBinary) => socket.send(data, { binary: isBinary }),
  // The message in three frames, with a ping before the last.
  '/fragments': (socket, data, isBinary) => {
    socket.send(data.subarray(0, 1), { binary: isBinary, fin: false });
    socket.send(data.subarray(1, 100), { binary: isBinary, fin: false });
    socket.ping();
    socket.send(data.subarray(100), { binary: isBinary, fin: true });
  },
  '/ping': (socket, data) => {
    const begin = performance.now();
    socket.once('pong', (payload) => {
      if (!payload.equals(data)) return;
      say('pong', Math.round(performance.now() - begin));
      socket.send('answered');
    });
    socket.ping(data);
  },
  '/close': (socket, data, isBinary, query) =>
    socket.close(Number(query.get('code')), query.get('reason')),
  '/cut': (socket) => socket._socket.destroy(),
  '/reset': (socket) => socket._socket.resetAndDestroy(),
};

sockets.on('connection', (socket, request) => {
  const { pathname, searchParams } = new URL(request.url, 'ws://127.0.0.1');
  say('opened', Object.keys(socket._extensions)[0] ?? 'plain');
  socket.on('message', (data, isBinary) =>
    answers[pathname](socket, data, isBinary, searchParams));
  socket.on('close', (code, reason) => say('closed', code === 1006 ? 'none' : code, reason));
  // What others cut is no news.
  socket.on('error', () => {});
});
server.listen(Number(after('--port') ?? 0), '127.0.0.1', () => say('port', server.address().port));
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
