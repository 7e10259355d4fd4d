import BelayWire
import Testing

@Suite struct `HTTP fields` {
    static let fields: HTTPFields = [
        "Connection": "keep-alive", "X": "1", "connection": " , Upgrade,\tfoo ", "x": "2",
    ]

    @Test func `are found without case, the first of a name first`() {
        #expect(Self.fields["CONNECTION"] == "keep-alive")
        #expect(Self.fields["y"] == nil)
        #expect(Self.fields.values(of: "X") == ["1", "2"])
    }

    @Test func `make one list of several lines, without empty members`() {
        #expect(Self.fields.list(of: "Connection") == ["keep-alive", "Upgrade", "foo"])
        #expect(Self.fields.list(of: "connection", contains: "UPGRADE"))
        #expect(!Self.fields.list(of: "connection", contains: "Up"))
    }

    @Test func `are replaced as one, in the place of the first`() {
        var fields = Self.fields
        fields["X"] = "3"
        #expect(fields.all.map(\.name) == ["Connection", "X", "connection"])
        #expect(fields.values(of: "x") == ["3"])
        fields["connection"] = nil
        #expect(fields.all.map(\.name) == ["X"])
        fields["New"] = "4"
        #expect(fields.all.map(\.value) == ["3", "4"])
    }
}
