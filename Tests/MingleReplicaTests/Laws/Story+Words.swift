// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Story {
    /// The devices of every story: the founder, Bob's phone and laptop, Carl, and Dora, who is admitted late or never.
    static let devices = ["the founder", "Bob's phone", "Bob's laptop", "Carl", "Dora"]
    /// Whose device each is.
    static let persons = [0, 1, 1, 2, 3]
}

extension Story: CustomStringConvertible {
    /// A line for each act, as a person would tell it.
    var description: String {
        var lines = acts.map { "  \($0.description)\(place(of: $0))" }
        let keys = keys.map { "key \($0)" } + (observerHasInvitation ? ["an invitation"] : [])
        lines.append("  The observer is given \(keys.isEmpty ? "no key" : keys.joined(separator: " and ")).")
        return lines.joined(separator: "\n")
    }

    /// Where an act stands in its journal, if not behind the device's act before it.
    private func place(of act: Act) -> String {
        let before = acts.prefix { $0.id != act.id }.last { $0.device == act.device && $0.journal == act.journal }
        let parent = parent(of: act)
        guard parent != before?.id else { return "" }
        return parent.map { ", on a branch behind #\($0)" } ?? ", on a branch from the beginning"
    }
}

extension Act: CustomStringConvertible {
    var description: String {
        var words = ["#\(id) \(Story.devices[device]) at \(time): \(deed)"]
        if let epoch { words.append("sealed with key \(epoch)") }
        if !extensionBytes.isEmpty { words.append("with an extension") }
        switch arrival {
        case .whole: break
        case .withoutPayload: words.append("the payload never arrives")
        case .never: words.append("never arrives")
        }
        return words.joined(separator: ", ")
    }
}

extension Act.Deed: CustomStringConvertible {
    var description: String {
        switch self {
        case .certificate(let device): "certificate of \(Story.devices[device])"
        case .invitation(let number, let level): "invitation \(number) to become a \(level.word)"
        case .grant(let device, let level): "makes \(Story.devices[device]) a \(level.word)"
        case .closing(let number, let admitted):
            "closes invitation \(number) but to \(admitted.map { Story.devices[$0] }.joined(separator: ", "))"
        case .cut(let device, let level, let ends, let earlier):
            "cuts the person of \(Story.devices[device]) to \(level?.word ?? "nothing") behind \(ends) instead of \(earlier)"
        case .retirement(let device, let ends): "retires \(Story.devices[device]) behind \(ends)"
        case .epoch(let number): "epoch \(number)"
        case .privateEpoch(let number): "private epoch \(number)"
        case .admission(let device, let invitation): "admission of \(Story.devices[device]) by invitation \(invitation)"
        case .record(let saying): "\(saying)"
        case .deletion(let act): "deletes #\(act)"
        case .noise(let bytes, let root): "\(bytes.count) bytes that mean nothing\(root)"
        }
    }
}

extension Saying: CustomStringConvertible {
    var description: String {
        let name = Kind.numbered(kind)?.name ?? "kind \(kind)"
        let said = assertions.map { describe($0) }.joined(separator: " ")
        return "\(name)\(root)\(aim) { \(said) }" + (listed.isEmpty ? "" : " listing \(listed.count) blobs")
    }

    private func describe(_ assertion: Assertion) -> String {
        let name = Kind.numbered(kind)?.field(assertion.field)?.name ?? "field \(assertion.field)"
        let overwritten = assertion.overwrites.map { "#\($0)" } + (assertion.overwritesUnknown ? ["nothing known"] : [])
        return "\(name)=\(assertion.word)" + (overwritten.isEmpty ? "" : " over \(overwritten.joined(separator: " "))")
    }
}

extension Saying.Root: CustomStringConvertible {
    var description: String {
        switch self {
        case .itself: ", new"
        case .none: ""
        case .act(let id): ", edits #\(id)"
        }
    }
}

extension Saying.Aim: CustomStringConvertible {
    var description: String {
        switch self {
        case .nothing: ""
        case .person(let device): ", about the person of \(Story.devices[device])"
        case .act(let id): ", on #\(id)"
        }
    }
}

extension Saying.Word: CustomStringConvertible {
    var description: String {
        switch self {
        case .reference(let id): "#\(id)"
        case .person(let device): "the person of \(Story.devices[device])"
        case .ends(let acts): "the ends \(acts)"
        case .value(.cleared): "cleared"
        case .value(.text(let text)): text.count > 20 ? "\(text.utf8.count) bytes of text" : text.debugDescription
        case .value(.number(let number)): "\(number)"
        case .value(.data(let bytes)): "\(bytes.count) bytes"
        case .value(.media(let media)): "media of \(media.size) bytes"
        }
    }
}
