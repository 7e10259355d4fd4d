// A client on node-ws (Debian's package): holds one conversation, and prints what came of it.
//
// node_client.js talk|listen|reset URL [--plain]
const crypto = require('crypto');
const { once } = require('events');
const WebSocket = require('/usr/share/nodejs/ws');

const say = (...words) => console.log(words.join(' '));
const sizes = [0, 125, 126, 65535, 65536, 1 << 20];

const conversations = {
  // Says all that can be echoed, and closes.
  async talk(socket) {
    for (const size of sizes) {
      const text = 'é'.repeat(size >> 1) + 'x'.repeat(size & 1);
      for (const [name, message] of [['str', text], ['bytes', crypto.randomBytes(size)]]) {
        socket.send(message);
        const [echo, isBinary] = await once(socket, 'message');
        const same = isBinary === (name === 'bytes') && echo.equals(Buffer.from(message));
        say(name, size, same ? 'same' : 'different');
      }
    }
    socket.send('in ', { fin: false });
    socket.send('three ', { fin: false });
    socket.send('fragments', { fin: true });
    say((await once(socket, 'message'))[0]);
    socket.ping('1234');
    await once(socket, 'pong');
    say('pong');
    socket.close(4001, 'bye');
  },
  // Waits until the endpoint closes.
  async listen(socket) { socket.send('begin'); },
  // Ends with RST.
  async reset(socket) { socket._socket.resetAndDestroy(); },
};

// What waits for ever ends with our input.
process.stdin.on('end', () => process.exit(1));
process.stdin.resume();
process.stdin.unref();

const [command, url] = process.argv.slice(2);
const socket = new WebSocket(url, { perMessageDeflate: !process.argv.includes('--plain') });
socket.on('close', (code, reason) => say('closed', code, reason));
socket.on('open', () => {
  say('opened', Object.keys(socket._extensions)[0] ?? 'plain');
  conversations[command](socket);
});
