// SPDX-License-Identifier: Apache-2.0

/// Metrics in Prometheus' text format, version 0.0.4: families with help and type, each once, in the order of adding.
struct PrometheusText {
    /// What a family's numbers mean.
    enum Kind: String {
        /// A number that goes up and down.
        case gauge
        /// A number that only grows, from the start of the program on.
        case counter
        /// How often something took how long.
        case histogram
    }

    /// A number, and what it is about.
    struct Sample {
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        var value: Double
    }

    /// The type that an HTTP answer with this text has.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Adds a family; one without samples is left out.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += "\(name)\(sample.suffix)\(Self.labels(sample.labels)) \(Self.number(sample.value))\n"
        }
    }

    /// Adds a family with one number.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [Sample(value: value)])
    }

    private static func labels(_ labels: [(name: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { name, value in
            "\(name)=\"\(escaped(value).replacing("\"", with: "\\\""))\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}

extension PrometheusText.Sample {
    /// The samples of a histogram.
    static func histogram(
        _ durations: Tally.Durations,
        labels: [(name: String, value: String)]
    ) -> [PrometheusText.Sample] {
        var samples = zip(Tally.Durations.bounds, durations.within).map { bound, count in
            Self(suffix: "_bucket", labels: labels + [("le", "\(bound)")], value: Double(count))
        }
        samples.append(Self(suffix: "_bucket", labels: labels + [("le", "+Inf")], value: Double(durations.count)))
        samples.append(Self(suffix: "_sum", labels: labels, value: durations.seconds))
        samples.append(Self(suffix: "_count", labels: labels, value: Double(durations.count)))
        return samples
    }
}
