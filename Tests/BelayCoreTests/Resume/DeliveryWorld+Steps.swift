import BelayCore

extension DeliveryWorld {
    func step(_ state: inout State, _ action: Action) {
        switch action {
        case .connect(let place):
            state.next = place
            state.lastEventID = state.machine.cursor
        case .tell: tell(&state)
        case .goBack(let place): state.next = place
        case .cut: (state.next, state.lastEventID) = (nil, nil)
        case .effect:
            state.inHand?.phase = .effective
            // Where it is part of the transaction it happens with that.
            if ledger != .transactional { happened(&state) }
        case .store: store(&state)
        case .commit: commit(&state)
        case .skip:
            if let entry = state.inHand?.entry { state.skipped.insert(entry) }
            commit(&state)
        case .fail:
            tear(&state)
            state.inHand?.phase = .offered
            fail(&state)
        case .storingFails(let reached):
            if reached {
                store(&state)
            } else if ledger == .transactional {
                state.inHand?.phase = .offered
            }
            fail(&state)
        case .leave: leave(&state)
        case .crash: beginAnew(&state)
        }
    }

    private func tell(_ state: inout State) {
        guard let entry = state.next else { return }
        state.next = entry + 1
        let own: EventID?
        switch Self.log[entry] {
        case .event(let id):
            own = id.flatMap { EventID($0) }
            state.lastEventID = own ?? state.lastEventID
        case .reset:
            own = nil
            state.lastEventID = nil
        case .block(let id):
            state.lastEventID = EventID(id)
            state.knowsBlock = true
            recall(state.lastEventID, &state)
            state.machine.moved(to: state.lastEventID)
            state.record = recorded(state.machine)
            return
        }
        recall(own ?? state.lastEventID, &state)
        let offer = ResumeMachine.Offer(ownID: own, lastEventID: state.lastEventID)
        switch state.machine.offer(offer) {
        case .handle: state.inHand = InHand(entry: entry)
        case .skipCommitted: if !state.committed.contains(entry) { state.lost = true }
        }
    }

    /// The table is asked for each id that comes.
    private func recall(_ id: EventID?, _ state: inout State) {
        guard ledger == .transactional, let id, let entry = Self.place(of: id) else { return }
        if state.committed.contains(entry) {
            state.machine.recalled(id)
        } else {
            state.machine.forgot(id)
        }
    }

    private func happened(_ state: inout State) {
        guard let entry = state.inHand?.entry else { return }
        if state.effects.contains(entry), Self.withID.contains(entry) {
            if !state.excused.contains(entry) { state.repeated.insert(entry) }
            state.excused.remove(entry)
        }
        state.effects.insert(entry)
    }

    /// The record has the event; a second time it finds that it has.
    private func store(_ state: inout State) {
        guard let inHand = state.inHand, inHand.phase != .stored else { return }
        if ledger == .transactional { happened(&state) }
        state.inHand?.phase = .stored
        state.settle(inHand.entry)
        var next = state.machine
        next.succeeded()
        state.record = recorded(next)
    }

    private func commit(_ state: inout State) {
        if let entry = state.inHand?.entry { state.settle(entry) }
        state.machine.succeeded()
        state.record = recorded(state.machine)
        state.inHand = nil
    }

    private func fail(_ state: inout State) {
        var chance = ExtremeChance.least
        if state.machine.failed(using: &chance) == .giveUp { leave(&state) }
    }

    /// The reader lets its ledger go. Whoever acquires a stored one reads it anew.
    private func leave(_ state: inout State) {
        guard ledger == .memory else { return beginAnew(&state) }
        tear(&state)
        state.machine.abandoned()
        (state.next, state.lastEventID, state.inHand) = (nil, nil, nil)
    }

    private func beginAnew(_ state: inout State) {
        tear(&state)
        state.machine = state.record
        state.knowsBlock = state.machine.cursor == Self.blockID
        (state.next, state.lastEventID, state.inHand) = (nil, nil, nil)
    }

    /// The app is torn from the event in its hand: what was done elsewhere is done, and no record
    /// says so.
    private func tear(_ state: inout State) {
        guard ledger != .transactional, state.isInFlight, let entry = state.inHand?.entry,
            Self.withID.contains(entry)
        else { return }
        state.excused.insert(entry)
    }

    /// What a ledger of this kind knows of the machine in its next life.
    private func recorded(_ machine: ResumeMachine) -> ResumeMachine {
        switch ledger {
        case .transactional:
            return ResumeMachine(restored: machine.cursor, policy: ledger.policy)
        case .file:
            var restored = ResumeMachine(restored: machine.cursor, policy: ledger.policy)
            for id in machine.committedIDs { restored.recalled(id) }
            return restored
        case .memory: return machine
        }
    }
}

extension DeliveryWorld.State {
    /// From now on nothing allows another effect.
    fileprivate mutating func settle(_ entry: Int) {
        committed.insert(entry)
        excused.remove(entry)
    }
}
