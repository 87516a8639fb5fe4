// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport

extension Story {
    /// Simpler stories: fewer authors, then fewer acts, then simpler acts.
    var smaller: [Story] { withoutDevices + withoutActs + withoutKeys + withSimplerActs }

    private func with(_ change: (inout Story) -> Void) -> Story {
        var story = self
        change(&story)
        return story
    }

    private var withoutDevices: [Story] {
        let present = Set(acts.map(\.device))
        return present.sorted(by: >).map { device in with { $0.acts.removeAll { $0.device == device } } }
    }

    private var withoutActs: [Story] { acts.withoutStretches.map { acts in with { $0.acts = acts } } }

    private var withoutKeys: [Story] {
        let fewer = keys.map { key in with { $0.keys.removeAll { $0 == key } } }
        return observerHasInvitation ? fewer + [with { $0.observerHasInvitation = false }] : fewer
    }

    private var withSimplerActs: [Story] {
        acts.indices.flatMap { index in
            acts[index].simpler.map { act in with { $0.acts[index] = act } } + unbranched(index)
        }
    }

    /// The story in which an act follows the act before it of the same journal.
    private func unbranched(_ index: Int) -> [Story] {
        let act = acts[index]
        let before = acts[..<index].last { $0.device == act.device && $0.journal == act.journal }
        return parent(of: act) == before?.id ? [] : [with { $0.parents[act.id] = before?.id }]
    }
}

extension Act {
    /// Acts that say less, or the same more plainly.
    fileprivate var simpler: [Act] {
        var simpler: [Act] = []
        func add(if isComplex: Bool, _ change: (inout Act) -> Void) {
            guard isComplex else { return }
            var act = self
            change(&act)
            simpler.append(act)
        }
        add(if: arrival != .whole) { $0.arrival = .whole }
        add(if: epoch ?? 0 > 0) { $0.epoch = 0 }
        add(if: !extensionBytes.isEmpty) { $0.extensionBytes = [] }
        add(if: time != 0) { $0.time = 0 }
        add(if: time > 1) { $0.time = 1 }
        guard case .record(let saying) = deed else { return simpler }
        return simpler + saying.simpler.map { saying in with(.record(saying)) }
    }

    private func with(_ deed: Deed) -> Act {
        Act(
            id: id,
            device: device,
            deed: deed,
            time: time,
            epoch: epoch,
            extensionBytes: extensionBytes,
            arrival: arrival
        )
    }
}

extension Saying {
    /// What says less, or the same more plainly.
    fileprivate var simpler: [Saying] {
        var simpler = assertions.withoutStretches.map { assertions in with { $0.assertions = assertions } }
        for (index, assertion) in assertions.enumerated() {
            for overwrites in assertion.overwrites.withoutStretches {
                simpler.append(with { $0.assertions[index].overwrites = overwrites })
            }
            if let word = assertion.word.plainer { simpler.append(with { $0.assertions[index].word = word }) }
        }
        let unused = listed.filter { media in !assertions.contains { $0.word == .value(.media(media)) } }
        return unused.isEmpty ? simpler : simpler + [with { $0.listed.removeAll(where: unused.contains) }]
    }

    private func with(_ change: (inout Saying) -> Void) -> Saying {
        var saying = self
        change(&saying)
        return saying
    }
}

extension Saying.Word {
    /// A plainer value of the same type; nil if there is none.
    fileprivate var plainer: Saying.Word? {
        switch self {
        case .value(.text(let text)) where text.utf8.count > 1: .value(.text("a"))
        case .value(.number(let number)) where number > 1 || number < 0: .value(.number(1))
        default: nil
        }
    }
}
