// Reads an event stream from a file, in chunks, by eventsource-parser behind a TextDecoder, as its
// own documents say for bytes.
// Usage: parse-eventsource-parser.js BUNDLE FILE CHUNK
//
// The bundle is a JavaScript file that carries the package's module unchanged, under esbuild's
// comment with its path: PyPI's playwright has one (Scripts/setup bench).
'use strict';

const { readFileSync } = require('node:fs');

const [bundle] = process.argv.splice(2, 1);
const module_ = /^\/\/ node_modules\/eventsource-parser\/dist\/index\.js\n([^]*?)^\/\/ node_modules\//m
    .exec(readFileSync(bundle, 'utf8'));
if (module_ === null) throw new Error(`${bundle} carries no eventsource-parser`);
const createParser = new Function(`'use strict';${module_[1]}return createParser;`)();

require('./measure.js')((chunks) => {
    let events = 0;
    // Belay gives comments too.
    const parser = createParser({ onEvent() { events += 1; }, onComment() {} });
    const decoder = new TextDecoder();
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    return events;
});
