// Reads an event stream from a file, in chunks, by Node's own parser: EventSourceStream of undici.
// Usage: parse-undici.js FILE CHUNK
//
// Node offers no way to that parser but a connection, which would be measured with it. So the
// class is taken out of the source that Node carries.
'use strict';

process.noDeprecation = true;
const source = process.binding('natives')['internal/deps/undici/undici'];
const bundle = { exports: {} };
new Function('module', 'exports', 'require',
    `${source}\nmodule.exports = require_eventsource_stream();`)(bundle, bundle.exports, require);
const { EventSourceStream } = bundle.exports;

require('./measure.js')((chunks) => {
    let events = 0;
    const stream = new EventSourceStream({
        eventSourceSettings: { origin: '', lastEventId: '', reconnectionTime: 0 },
        push() { events += 1; },  // In place of a queue that nobody reads.
    });
    const done = () => {};
    for (const chunk of chunks) stream._transform(chunk, undefined, done);
    return events;
});
