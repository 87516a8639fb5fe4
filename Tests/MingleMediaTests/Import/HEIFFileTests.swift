// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import Testing

/// What is shared of files of items: the picture, and what it is put together from.
struct HEIFFileTests {
    private static let secret = PictureSample.secret
    private static let pixels = PictureSample.pixels

    /// What is shared of a file: with the pixels, without the secret, and the same when it is shared once more.
    @discardableResult
    private func share(
        _ sample: HEIFSample,
        keepingLocation: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> StrippedPicture {
        let picture = try StrippedPicture(sample.bytes, keepingLocation: keepingLocation)
        #expect(!picture.bytes.holds(Self.secret), sourceLocation: sourceLocation)
        let again = try StrippedPicture(picture.bytes, keepingLocation: true)
        #expect(again.bytes == picture.bytes, sourceLocation: sourceLocation)
        #expect(again.width == picture.width && again.height == picture.height, sourceLocation: sourceLocation)
        return picture
    }

    // MARK: - What the picture does not need

    @Test(arguments: ["thmb", "auxl", "cdsc", "none"])
    func `an item that the shown picture does not need is not shared, whatever it is beside it`(relation: String) throws
    {
        let other = HEIFSample.Item(
            id: 2,
            type: "hvc1",
            data: HEIFSample.slice(Self.secret),
            properties: HEIFSample.look(320, 240) + [HEIFSample.box("auxC", [0, 0, 0, 0] + Array("urn:gain\0".utf8))]
        )
        var sample = HEIFSample.picture([other])
        if relation != "none" { sample.references = [(relation, 2, [1])] }
        let picture = try share(sample)
        #expect(picture.bytes.holds(Self.pixels) && picture.width == 40 && picture.height == 30)
    }

    @Test func `only the primary picture of a burst is shared, with its own EXIF data`() throws {
        var other = ExifSample()
        other.time = "1999:01:01 00:00:00"
        let second = HEIFSample.Item(
            id: 2,
            type: "hvc1",
            data: HEIFSample.slice(Self.secret),
            properties: HEIFSample.look()
        )
        var sample = HEIFSample.picture([second, HEIFSample.exif(3, other), HEIFSample.exif(4)])
        sample.references = [("cdsc", 3, [2]), ("cdsc", 4, [1])]
        sample.more = HEIFSample.box("grpl", HEIFSample.box("ster", Self.secret))
        #expect(try share(sample).taken?.clockMilliseconds == 1_717_180_205_250)
    }

    @Test func `an item that refers to two items is read, as iOS 18 writes it`() throws {
        let map = HEIFSample.Item(id: 2, type: "tmap", data: Self.secret)
        var sample = HEIFSample.picture([map, HEIFSample.exif(3)])
        sample.references = [("dimg", 2, [1, 1]), ("auxl", 2, [1, 2]), ("cdsc", 3, [1, 2])]
        #expect(try share(sample).taken != nil)
    }

    @Test(arguments: ["udes", "altt", "crtt", "mdft", "cmex", "uuid"])
    func `a property that says nothing of how the picture looks is not shared`(type: String) throws {
        let shared = try share(.picture(properties: [HEIFSample.box(type, [0, 0, 0, 0] + Self.secret)]))
        #expect(!shared.bytes.holds(Array(type.utf8)))
    }

    @Test func `what stands behind the end of a property is not shared`() throws {
        let turn = HEIFSample.box("irot", [1] + Self.secret)
        let colours = HEIFSample.box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80] + Self.secret)
        let picture = try share(.picture(properties: [turn, colours]))
        #expect(picture.width == 30 && picture.bytes.holds(Array("nclx".utf8)))
    }

    @Test func `a picture coded as JPEG is stripped like one of its own`() throws {
        var sample = HEIFSample.picture()
        sample.items[0].type = "jpeg"
        sample.items[0].data = PictureSample.file(.jpeg)
        #expect(try share(sample).bytes.holds(Self.pixels))
        sample.items[0].data = Self.secret
        #expect(throws: ImportError.damaged("a part of it is not a JPEG picture")) { try share(sample) }
    }

    // MARK: - What it needs

    @Test func `alpha is shared with the picture that it belongs to`() throws {
        let urn = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)
        let alpha = HEIFSample.Item(
            id: 9,
            type: "hvc1",
            data: HEIFSample.slice(Array("ALPHA".utf8)),
            properties: HEIFSample.look() + [HEIFSample.box("auxC", [0, 0, 0, 0] + urn + Self.secret)]
        )
        var sample = HEIFSample.picture([alpha])
        sample.references = [("auxl", 9, [1]), ("prem", 1, [9])]
        let picture = try share(sample)
        for word in ["ALPHA", "auxl", "prem", "auxiliary:alpha"] { #expect(picture.bytes.holds(Array(word.utf8))) }
    }

    @Test func `tiles are shared in their order, and those of which nothing is shown are not`() throws {
        let whole = try share(.grid(2, 2, width: 100, height: 100))
        for tile in 0..<4 { #expect(whole.bytes.holds(HEIFSample.tileWord(tile))) }
        #expect(whole.width == 100 && !whole.hidesPixels)
        // Of three columns and rows, one of each lies outside.
        let cut = try share(.grid(3, 3, width: 100, height: 128))
        for tile in 0..<9 { #expect(cut.bytes.holds(HEIFSample.tileWord(tile)) == [0, 1, 3, 4].contains(tile)) }
    }

    @Test func `tiles that are one item in two places stay one`() throws {
        var sample = HEIFSample.grid(2, 1, width: 128, height: 64)
        sample.references = [("dimg", 1, [2, 2])]
        #expect(!(try share(sample).bytes.holds(HEIFSample.tileWord(1))))
    }

    @Test(arguments: [(0, 0, false), (63, 20, false), (64, 0, true), (0, 500, true)])
    func `a crop that cuts more than padding is told`(columns: Int, rows: Int, hides: Bool) throws {
        var sample = HEIFSample.picture()
        sample.items[0].properties =
            HEIFSample.look(1000, 800) + [HEIFSample.crop(1000 - columns, 800 - rows), HEIFSample.box("irot", [3])]
        let picture = try share(sample)
        #expect(picture.hidesPixels == hides && picture.width == 800 - rows && picture.height == 1000 - columns)
    }

    @Test func `pictures that lie over each other hide pixels`() throws {
        var sample = HEIFSample.grid(2, 1, width: 64, height: 64)
        sample.items[0].type = "iovl"
        sample.items[0].data =
            [0, 0] + [UInt8](repeating: 0, count: 8) + [0, 64, 0, 64] + [UInt8](repeating: 0, count: 8)
        #expect(try share(sample).hidesPixels)
    }

    // MARK: - Turning

    @Test(arguments: 1...8)
    func `a picture that only EXIF turns is turned by its own properties`(orientation: Int) throws {
        let turned = try share(.picture([HEIFSample.exif(2, ExifSample(orientation: orientation))]))
        #expect(turned.width == (orientation > 4 ? 30 : 40))
        #expect(turned.bytes.holds(Array("irot".utf8)) == [3, 5, 6, 7, 8].contains(orientation))
        #expect(turned.bytes.holds(Array("imir".utf8)) == [2, 4, 5, 7].contains(orientation))
    }

    @Test func `a picture that turns itself is not turned by EXIF as well`() throws {
        var sample = HEIFSample.picture(
            [HEIFSample.exif(2, ExifSample(orientation: 6))],
            properties: [HEIFSample.box("irot", [0])]
        )
        sample.references = [("cdsc", 2, [1])]
        #expect(try share(sample).width == 40)
    }

    // MARK: - How files are laid out

    @Test(arguments: [HEIFSample.Width.usual, .large], [(false, 1), (true, 1), (false, 3), (true, 3)])
    func `a file is read however it is laid out, and what is shared is the same`(
        width: HEIFSample.Width,
        layout: (metaIsLast: Bool, pieces: Int)
    ) throws {
        let (metaIsLast, pieces) = layout
        let exif = HEIFSample.exif(300)
        var sample = HEIFSample.picture([exif])
        sample.references = [("cdsc", 300, [1])]
        let plain = try share(sample, keepingLocation: true)
        (sample.width, sample.metaIsLast) = (width, metaIsLast)
        for index in sample.items.indices { sample.items[index].pieces = pieces }
        sample.items[0].isInside = metaIsLast
        sample.items.reverse()
        let other = try share(sample, keepingLocation: true)
        #expect(other.bytes == plain.bytes && other.coordinates != nil)
    }

    @Test func `what follows the boxes of a file is not needed to read it`() throws {
        let whole = HEIFSample.picture().bytes
        let picture = try StrippedPicture(whole + [0, 0, 0, 3] + Self.secret, keepingLocation: false)
        #expect(try picture.bytes == StrippedPicture(whole, keepingLocation: false).bytes)
    }

    // MARK: - Hostile files

    @Test func `a part that is missing, elsewhere or in itself is refused with a sentence`() {
        func refuse(_ detail: String, _ change: (inout HEIFSample) -> Void) {
            var sample = HEIFSample.grid(2, 1, width: 128, height: 64)
            change(&sample)
            #expect(throws: ImportError.damaged(detail)) { try StrippedPicture(sample.bytes, keepingLocation: false) }
        }
        refuse("a part of it is missing") { $0.items.removeLast() }
        refuse("a part of it is missing") { $0.items[1].isAbsent = true }
        refuse("a part of it is missing") { $0.references = [] }
        refuse("a part of it is missing") { $0.primary = 77 }
        refuse("a part of it is missing") { $0.items[1].properties = [HEIFSample.size(64, 64)] }
        refuse("it is stored in an unknown way") { $0.items[1].type = "tmap" }
    }

    @Test func `grids in grids end somewhere`() throws {
        var sample = HEIFSample.grid(1, 1, width: 64, height: 64)
        let layout = sample.items[0].data
        for id in 2...6 {
            sample.items[id - 1].type = "grid"
            sample.items[id - 1].data = layout
            sample.references.append(("dimg", id, [id + 1]))
            sample.items.append(HEIFSample.Item(id: id + 1, type: "hvc1", data: [], properties: HEIFSample.look()))
        }
        #expect(throws: ImportError.damaged("its parts contain each other")) { try share(sample) }
    }
}
