// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Which categories places of a file have, by what the file says of them.
///
/// A file of a mapping is a JSON object: `{"amenity=cafe": "Café", "shop=*": {"name": "Shops", "parent": "Trade",
/// "synonyms": "store"}}`.
package struct CategoryMapping: Sendable {
    /// Columns and properties that name categories by themselves, with `|` between them.
    private static let named = ["categories", "category"]

    /// A category as a mapping has it: a name, or all that is known.
    private struct Entry: Decodable {
        let category: API.ImportedCategory

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                category = API.ImportedCategory(name: name)
            } else {
                category = try API.ImportedCategory(from: decoder)
            }
        }
    }

    private var entries: [String: API.ImportedCategory]

    /// The table that holds where a file says nothing else.
    package static let usual: CategoryMapping = {
        let parts = table.flatMap { parent, children in
            children.map { key, name in
                var category = API.ImportedCategory(name: name)
                category.parent = parent
                return (key, category)
            }
        }
        return CategoryMapping(entries: Dictionary(parts) { first, _ in first })
    }()

    private init(entries: [String: API.ImportedCategory]) { self.entries = entries }

    /// Reads the file of a mapping; what it does not say is as usual.
    ///
    /// - Throws: `API.Problem` that says what is wrong.
    package init(_ data: Data) throws {
        guard let read = try? JSONDecoder().decode([String: Entry].self, from: data) else {
            throw API.Problem(
                .badRequest,
                "Not a category mapping. Use JSON such as {\"amenity=cafe\": \"Café\", \"shop=*\": {\"name\": \"Shops\"}}."
            )
        }
        if let key = read.keys.sorted().first(where: { !$0.contains("=") }) {
            throw API.Problem(
                .badRequest,
                "Not a key of a category mapping: '\(key.prefix(60))'. Use one like amenity=cafe."
            )
        }
        entries = Self.usual.entries.merging(read.mapValues(\.category)) { $1 }
    }

    /// The names of a place's categories, in order, each once.
    func categories(of values: [String: String]) -> [String] {
        var names: [String] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let parts = Self.named.contains(key) ? value.split(separator: "|").map(String.init) : [value]
            for part in parts.map({ $0.trimmingCharacters(in: .whitespaces) }) where !part.isEmpty {
                let mapped = (entries["\(key)=\(part)"] ?? entries["\(key)=*"])?.name
                guard let name = mapped ?? (Self.named.contains(key) ? part : nil), !names.contains(name) else {
                    continue
                }
                names.append(name)
            }
        }
        return names
    }

    /// All that is known of categories of these names, and of those above them.
    package func known(of names: some Sequence<String>) -> [API.ImportedCategory] {
        let byName = Dictionary(entries.values.map { ($0.name, $0) }) { one, other in one.parent == nil ? other : one }
        var (found, next): ([String: API.ImportedCategory], [String]) = ([:], Array(names))
        while let name = next.popLast() {
            guard found[name] == nil, let category = byName[name] else { continue }
            found[name] = category
            if let parent = category.parent { next.append(parent) }
        }
        return found.values.sorted { $0.name < $1.name }
    }

    private static let table: [String: [String: String]] = [
        "Food and drink": [
            "amenity=cafe": "Café", "amenity=restaurant": "Restaurant", "amenity=bar": "Bar", "amenity=pub": "Pub",
            "amenity=fast_food": "Fast food", "amenity=ice_cream": "Ice cream", "amenity=biergarten": "Beer garden",
            "shop=bakery": "Bakery", "amenity=drinking_water": "Drinking water",
        ],
        "Shops": [
            "shop=supermarket": "Supermarket", "shop=convenience": "Convenience store", "shop=clothes": "Clothes",
            "shop=books": "Books", "shop=florist": "Flowers", "shop=gift": "Gifts", "shop=bicycle": "Bicycles",
            "shop=*": "Shop",
        ],
        "Sights": [
            "tourism=museum": "Museum", "tourism=attraction": "Attraction", "tourism=artwork": "Artwork",
            "tourism=viewpoint": "Viewpoint", "leisure=park": "Park", "leisure=playground": "Playground",
        ],
        "Services": [
            "amenity=toilets": "Toilets", "amenity=pharmacy": "Pharmacy", "amenity=atm": "Cash machine",
            "amenity=bank": "Bank", "tourism=information": "Information", "tourism=hotel": "Hotel",
            "amenity=parking": "Parking", "amenity=bicycle_parking": "Bicycle parking",
        ],
    ]
}
