// Measures a parser on a file: two passes, of which the first warms it up. Prints the number of
// events and the CPU seconds of the second.
// Its arguments are the program's: FILE CHUNK.
'use strict';

const { readFileSync } = require('node:fs');

module.exports = (pass) => {
    const bytes = readFileSync(process.argv[2]);
    const chunkBytes = Number(process.argv[3]);
    const chunks = [];
    for (let start = 0; start < bytes.length; start += chunkBytes) {
        chunks.push(bytes.subarray(start, start + chunkBytes));
    }

    pass(chunks);
    const start = process.cpuUsage();
    const events = pass(chunks);
    const { user, system } = process.cpuUsage(start);
    process.stdout.write(`${events} ${(user + system) / 1e6}\n`);
};
