// Belay's endpoint on a port that is free, until its standard input ends. Prints the port.
import BelayFaults
import BelayWire
import Foundation

// Not as for faults: a server that keeps its window is what a client meets.
let endpoint = Endpoint(limits: EndpointLimits(compression: .server))
let port = try await endpoint.start()
// Not print: what it says would stay in its buffer where a pipe is read.
FileHandle.standardOutput.write(Data("\(port)\n".utf8))
while readLine() != nil {}
await endpoint.stop()
