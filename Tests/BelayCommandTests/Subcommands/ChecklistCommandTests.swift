import BelayAcceptance
import Testing

@testable import BelayCommand

@Suite struct `belay checklist` {
    // P13
    @Test func `prints each check with a place for its evidence`() async {
        let listening = Listening()
        #expect(await listening.run("checklist") == .passed)
        for check in DeviceChecklist.all {
            #expect(listening.output.contains("\n```evidence \(check.id)\n```\n"))
            #expect(listening.output.contains("## \(check.id): \(check.title)\n"))
        }
        #expect(await Listening().run("checklist now") == .usage)
    }
}
