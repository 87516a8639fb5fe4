// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import Testing

struct DoorTermsTests {
    private let former = API.NewDoor(
        listen: "0.0.0.0:8095",
        name: "Barn",
        held: true,
        dropOnly: true,
        wifi: API.Wifi(ssid: "Barn", password: "hay and straw")
    )

    @Test func `terms that are not given anew stay`() {
        var tent = former
        tent.name = "Tent"
        #expect(API.NewDoor(name: "Tent").over(former) == tent)
        #expect(API.NewDoor().over(former) == former)
        #expect(API.NewDoor(held: false).over(former).held == false)
        #expect(API.NewDoor(held: true).over(nil) == API.NewDoor(held: true))
    }

    @Test func `a Wi-Fi keeps its password while its name stays`() {
        #expect(API.NewDoor(wifi: API.Wifi(ssid: "Barn")).over(former).wifi == former.wifi)
        #expect(API.NewDoor(wifi: API.Wifi(ssid: "Tent")).over(former).wifi == API.Wifi(ssid: "Tent"))
        #expect(API.NewDoor(wifi: API.Wifi(ssid: "")).over(former).wifi == nil)
    }
}
