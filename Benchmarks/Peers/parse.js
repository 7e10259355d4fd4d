// Reads an event stream from a file, in chunks, by Node's own parser: EventSourceStream of undici.
// Usage: parse.js FILE CHUNK; prints the number of events and the CPU seconds of the second pass.
//
// Node offers no way to that parser but a connection, which would be measured with it. So the
// class is taken out of the source that Node carries.
'use strict';

const { readFileSync } = require('node:fs');

process.noDeprecation = true;
const source = process.binding('natives')['internal/deps/undici/undici'];
const bundle = { exports: {} };
new Function('module', 'exports', 'require',
    `${source}\nmodule.exports = require_eventsource_stream();`)(bundle, bundle.exports, require);
const { EventSourceStream } = bundle.exports;

const bytes = readFileSync(process.argv[2]);
const chunkBytes = Number(process.argv[3]);

function pass() {
    let events = 0;
    const stream = new EventSourceStream({
        eventSourceSettings: { origin: '', lastEventId: '', reconnectionTime: 0 },
        push() { events += 1; },  // In place of a queue that nobody reads.
    });
    const done = () => {};
    for (let start = 0; start < bytes.length; start += chunkBytes) {
        stream._transform(bytes.subarray(start, start + chunkBytes), undefined, done);
    }
    return events;
}

pass();
const start = process.cpuUsage();
const events = pass();
const { user, system } = process.cpuUsage(start);
process.stdout.write(`${events} ${(user + system) / 1e6}\n`);
