// Echo server on node-ws (Debian's package). Prints its port; ends when its standard input does.
const { WebSocketServer } = require('/usr/share/nodejs/ws');

const server = new WebSocketServer({
  host: '127.0.0.1', port: 0, backlog: 1024, perMessageDeflate: false,
});
server.on('listening', () => console.log(server.address().port));
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  // The load ends its connections with RST.
  socket.on('error', () => {});
});
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
