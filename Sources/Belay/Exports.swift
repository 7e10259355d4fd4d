// What Belay's own API shows: an app imports Belay, and nothing else.
@_exported public import BelayCore
@_exported public import BelayTransport
@_exported public import struct BelayWire.EventStreamLimits
@_exported public import struct BelayWire.PermessageDeflate
@_exported public import struct BelayWire.ServerSentEvent
@_exported public import struct BelayWire.WebSocketLimits

#if canImport(Darwin)
    // All that is public there: what URLSession is told of a traffic policy.
    @_exported public import BelayURLSession
#endif
