// Belay's endpoint on a port that is free, until its standard input ends. Prints the port.
import BelayFaults
import Foundation

let endpoint = Endpoint()
let port = try await endpoint.start()
// Not print: what it says would stay in its buffer where a pipe is read.
FileHandle.standardOutput.write(Data("\(port)\n".utf8))
while readLine() != nil {}
await endpoint.stop()
