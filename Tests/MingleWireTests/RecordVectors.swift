// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire

/// Payloads with what only some kinds have, values and texts that count, and some that do not.
struct RecordVectors {
    let device: DeviceName
    let person: PersonID

    private var deal: Reference {
        Reference(device: device.raw.prefix, journal: .content, sequence: 9, hash: 0x1112_1314_1516_1718)
    }

    /// Monday from 9 to 12 and from 13 to 18 o'clock; Saturday from 22 o'clock to 3 in the night.
    private static let spans = [(0, 540, 720), (0, 780, 1080), (5, 1320, 1620)]
    /// Not opening hours: none, spans out of order, a day, a minute and an end that no week has, half a span.
    private static let notHours: [[UInt8]] = [
        [], [1, 0, 0, 0, 1, 0, 0, 0, 0, 1], [7, 0, 0, 0, 1], [0, 5, 160, 5, 161], [0, 0, 9, 0, 9], [0, 0, 1, 11, 65],
        [0, 0, 0],
    ]
    private static let visible = ["a", "å", "日", "🎉", " . ", "e\u{301}", "\u{903}", "\u{200b}x", "\u{378}"]
    private static let invisible = [
        "", " ", "\t\n", "\u{a0}\u{3000}", "\u{200b}\u{200d}\u{feff}", "\u{ad}", "\u{34f}", "\u{301}", "\u{20dd}",
        "\u{2800}", "\u{3164}", "\u{115f}", "\u{e000}", "\u{e0041}", "\u{2028}", "\u{fe0f}",
    ]

    /// That the venue saw a person use a deal.
    private var confirmation: RecordPayload {
        RecordPayload(
            kind: 31,
            target: .record(deal),
            subject: .person(person),
            changes: [Change(field: 1, value: .number(1))]
        )
    }

    /// A moderator's word about a place's hours, and that it is approved.
    private var edit: RecordPayload {
        let hours = Change(field: 21, value: .data(hours), overwrites: [deal, Self.other], isPinned: true)
        return RecordPayload(
            kind: 4,
            target: .nothing,
            changes: [hours, Change(field: 22, value: .number(1), isPinned: true)]
        )
    }

    private static let other = Reference(device: 1, journal: .content, sequence: 2, hash: 3)

    /// A check-in by a scanned code: the third choice.
    private var checkIn: RecordPayload {
        RecordPayload(kind: 7, target: .record(deal), changes: [Change(field: 7, value: .number(3))])
    }

    private var hours: [UInt8] {
        let spans = Self.spans.compactMap { OpeningHours.Span(day: $0.0, from: $0.1, to: $0.2) }
        return OpeningHours(spans)?.bytes ?? []
    }

    /// The section of `protocol.json`.
    var section: [String: String] {
        get throws {
            [
                "confirmation": hex(try confirmation.encoded()), "edit": hex(try edit.encoded()),
                "check_in": hex(try checkIn.encoded()), "subject": hex(person.bytes), "target": hex(deal.bytes),
                "overwritten": [deal, Self.other].map { hex($0.bytes) }.joined(separator: " "), "hours": hex(hours),
                "spans": Self.spans.map { "\($0.0)/\($0.1)/\($0.2)" }.joined(separator: " "),
                "not_hours": Self.notHours.map(word).joined(separator: " "),
                "visible": Self.visible.map { word($0.utf8) }.joined(separator: " "),
                "invisible": Self.invisible.map { word($0.utf8) }.joined(separator: " "),
            ]
        }
    }

    /// Returns what of the section this program does not read as it was written.
    var misread: [String] {
        get throws {
            var misread: [String] = []
            for payload in [confirmation, edit, checkIn]
            where try RecordPayload(decoding: payload.encoded()) != payload {
                misread.append("kind \(payload.kind)")
            }
            if OpeningHours(bytes: hours)?.bytes != hours || hours.isEmpty { misread.append("hours") }
            misread += Self.notHours.filter { OpeningHours(bytes: $0) != nil }.map { "hours \($0)" }
            misread += Self.visible.filter { !$0.hasVisibleCharacter } + Self.invisible.filter(\.hasVisibleCharacter)
            return misread
        }
    }

    /// Bytes in hexadecimal; a dash for none, so that lists can be told apart.
    private func word(_ bytes: some Collection<UInt8>) -> String { bytes.isEmpty ? "-" : hex(bytes) }
}
