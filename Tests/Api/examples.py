# SPDX-License-Identifier: Apache-2.0
"""One example of each call: a path below /api/v1/ and a body; what takes something away comes last."""

from party import png


def examples(party):
    """(template, method, path, body, headers if any), in an order in which each succeeds."""
    ids, ask = party.ids, party.founder.ask
    place = {"name": "Hall", "latitude": 55.7, "longitude": 12.6, "radius_m": 50}
    moment = lambda **more: ask("POST", "moments", {"title": "Dance", "place": place, **party.times, **more})["id"]
    spare = moment()
    private = moment(private=True, invite=[ids["guest"]])
    photo, comment, deal, target = ids["photo"], ids["comment"], ids["deal"], ids["place"]
    invitation = ask("POST", "invitations", {"uses": 1})["id"]
    reading = [
        ("status",), ("events",), ("nearby",), ("invitation",), ("invitations",), ("doctor",),
        ("news",), ("notifications",), ("dump",),
        ("people",), ("peers",), ("devices",), ("kinds",), ("photos",), ("moments",), ("bookmarks",), ("hidden",),
        ("hidden/log",), ("reports",), ("connections",), ("invitation.svg",),
        ("photos/{id}", f"photos/{photo}"), ("moments/{id}", f"moments/{ids['moment']}"),
        ("photos/times", "photos/times?order=-taken"), ("photos/nearby", "photos/nearby?near=55.6,12.5&radius_m=900"), ("moments/{id}/calendar.ics", f"moments/{spare}/calendar.ics"),
        ("moments/{id}/participants", f"moments/{ids['moment']}/participants"),
        ("media/{id}/thumbnail", f"media/{photo}/thumbnail"), ("media/{id}/preview", f"media/{photo}/preview"),
        ("media/{id}/original", f"media/{photo}/original"), ("media/{id}/jpeg", f"media/{photo}/jpeg"),
        ("comments", f"comments?target={photo}"),
        ("comments/{id}", f"comments/{comment}"), ("places", "places?near=55.6,12.5&radius_m=500"),
        ("places/find", "places/find?q=coffee%20near%20bar&near=55.6,12.5&wide=true&rating=1"),
        ("places/suggest", "places/suggest?q=ca&near=55.6,12.5"),
        ("places/{id}", f"places/{target}"), ("places/{id}/code.svg", f"places/{target}/code.svg"),
        ("categories",), ("categories/{id}", f"categories/{ids['category']}"),
        ("themes",), ("themes/{id}", f"themes/{ids['theme']}"),
        ("ownerships",), ("ownerships/{id}", f"ownerships/{ids['ownership']}"), ("deals", "deals?state=active"),
        ("deals/{id}", f"deals/{deal}"), ("deals/{id}/preview", f"deals/{deal}/preview"),
        ("deals/{id}/thumbnail", f"deals/{deal}/thumbnail"), ("check_ins",), ("ratings",), ("favourites",), ("faves",),
        ("check_ins/{id}", f"check_ins/{ids['check_in']}"), ("deal_uses",), ("deal_confirmations",), ("place_pages",),
        ("friendships",), ("profile",), ("search", "search?q=dance"), ("people/{id}", f"people/{ids['guest']}"),
        ("people/{id}/moments", f"people/{ids['guest']}/moments?in=common&limit=5"),
        ("people/{id}/connections", f"people/{ids['guest']}/connections"),
    ]
    yield "photos.zip", "GET", f"photos.zip?mine=true&format=jpeg&ids={photo}", None
    yield "photos.zip", "POST", "photos.zip", {"ids": [photo]}
    yield "export.zip", "GET", "export.zip?private=true", None
    yield "export", "GET", "export", None
    for one in reading:
        yield one[0], "GET", one[-1], None
    yield "pictures", "POST", "pictures", png()
    picture = ask("POST", "pictures", png(shade=10))["id"]
    yield "comments", "POST", "comments", {"target": target, "text": "With a picture", "picture": picture}
    told = ask("GET", f"comments?target={target}")["comments"][0]["id"]
    for size in ("thumbnail", "preview"):
        yield f"comments/{{id}}/{size}", "GET", f"comments/{told}/{size}", None
    page = {"text": "Best coffee", "picture": ask("POST", "pictures", png(shade=11))["id"]}
    yield "place_pages/{id}", "PUT", f"place_pages/{target}", page
    for size in ("thumbnail", "preview"):
        yield f"place_pages/{{id}}/{size}", "GET", f"place_pages/{target}/{size}", None
    yield "notifications/read", "PUT", "notifications/read", {}
    yield "notifications/muted", "PUT", "notifications/muted", {"target": photo, "muted": True}
    yield "profile", "PUT", "profile", {"name": "Ana"}
    yield "profile/picture", "PUT", "profile/picture", png(96, 96)
    yield "media/{id}/picture", "GET", f"media/{ids['me']}/picture", None
    yield "people/{id}/pictures", "GET", f"people/{ids['me']}/pictures", None
    yield "profile", "PATCH", "profile", {"last_name": "Ruiz", "email": "ana@example.org"}
    card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ana Ruiz\r\nEND:VCARD\r\n"
    yield "profile/card", "POST", "profile/card", card.encode()
    yield "photos", "PUT", "photos?name=c.png&title=Cake", png(shade=77)
    part = png(shade=78)
    length = {"Upload-Length": str(len(part))}
    yield "uploads", "POST", "uploads?name=d.png", None, length
    upload = f"uploads/{ask('POST', 'uploads?name=d.png', None, length)['id']}"
    yield "uploads/{id}", "HEAD", upload, None
    yield "uploads/{id}", "PATCH", upload, part, {"Upload-Offset": "0"}
    yield "uploads/{id}", "DELETE", upload, None
    yield "photos/{id}", "PATCH", f"photos/{photo}", {"title": "The cake"}
    yield "comments/{id}", "PATCH", f"comments/{comment}", {"text": "Very nice"}
    yield "places", "POST", "places", {
        **place, "hours": {"friday": [["18:00", "02:00"]]}, "categories": [ids["category"]]
    }
    imported = {"name": "Kiosk", "latitude": 55.7, "longitude": 12.5, "categories": ["Kiosks"], "source": "csv:1"}
    yield "places/import", "POST", "places/import", {"places": [imported], "categories": [{"name": "Kiosks"}]}
    yield "places/{id}", "PATCH", f"places/{target}", {"description": "Behind the stage", "approved": True}
    yield "categories", "POST", "categories", {"name": "Bars", "parent": ids["category"]}
    yield "categories/{id}", "PATCH", f"categories/{ids['category']}", {"synonyms": "coffee"}
    yield "themes", "POST", "themes", {"name": "View", "weight": 5}
    yield "themes/{id}", "PATCH", f"themes/{ids['theme']}", {"weight": 10}
    yield "ownerships", "POST", "ownerships", {"target": target, "person": ids["guest"]}
    yield "ownerships/{id}", "PATCH", f"ownerships/{ids['ownership']}", {"on": True}
    yield "deals", "POST", "deals", {"target": target, "title": "Free cake", **party.times}
    yield "deals/{id}", "PATCH", f"deals/{deal}", {"price": 2000}
    yield "ratings/{id}", "PUT", f"ratings/{target}", {"overall": 5, "service": 4}
    for path in ("places?list=rated", "places?approved=false", "places/trending?limit=5",
                 "places/inspire?near=55.6,12.5&seed=1"):
        yield path.split("?")[0], "GET", path, None
    yield "ratings/{id}", "DELETE", f"ratings/{target}", None
    yield "news", "GET", "news?near=55.6,12.5&radius_m=500&order=newest", None
    yield from of_hosts(ask, {**place, "categories": [ids["category"]]})
    yield "votes/{id}", "PUT", f"votes/{ids['other_photo']}", {"up": True}
    yield "votes/{id}", "DELETE", f"votes/{ids['other_photo']}", None
    for mark in ("favourites", "faves", "bookmarks"):
        for method in ("PUT", "DELETE", "PUT"):
            marked = photo if mark == "bookmarks" else target
            yield f"{mark}/{{id}}", method, f"{mark}/{marked}", {} if mark == "favourites" and method == "PUT" else None
    yield "deal_uses/{id}", "PUT", f"deal_uses/{deal}", {}
    yield "deal_confirmations/{id}", "PUT", f"deal_confirmations/{deal}", {"subject": ids["me"]}
    yield "check_ins", "POST", "check_ins", {"target": target, "latitude": 55.6, "longitude": 12.5, "source": "code"}
    yield "check_ins/{id}", "PATCH", f"check_ins/{ids['check_in']}", {"source": "pin"}
    yield "moments", "POST", "moments", {"title": "Late", "place": place, **party.times}
    yield "moments/{id}", "PATCH", f"moments/{ids['moment']}", {"title": "Toasts"}
    yield "moments", "POST", "moments", {"title": "Quick"}
    yield "moments", "GET", "moments?list=mine&limit=1", None
    yield "photos", "GET", f"photos?order=-taken&faved=true&author={ids['me']}", None
    yield "moments/{id}/cover", "PUT", f"moments/{spare}/cover", png(shade=12)
    for size in ("thumbnail", "preview"):
        yield f"moments/{{id}}/{size}", "GET", f"moments/{spare}/{size}", None
    yield "moments/{id}/join", "POST", f"moments/{spare}/join", None
    there = {"latitude": 55.7, "longitude": 12.6}
    yield "moments/{id}/check-in", "POST", f"moments/{spare}/check-in", there
    yield "moments/{id}/guests", "POST", f"moments/{spare}/guests", {"people": [ids["guest"]]}
    yield "moments/{id}/guests/{person}", "DELETE", f"moments/{spare}/guests/{ids['guest']}", None
    yield "moments/{id}/visibility", "POST", f"moments/{private}/visibility", {"private": False}
    yield "reports/{id}", "GET", f"reports/{ids['other_photo']}", None
    yield "reports/{id}", "PUT", f"reports/{ids['other_photo']}", {"reason": "spam"}
    yield "hidden/{id}", "PUT", f"hidden/{ids['other_photo']}", {"reason": "Not here"}
    yield "hidden/{id}", "DELETE", f"hidden/{ids['other_photo']}", None
    yield "connections/{id}", "PUT", f"connections/{ids['guest']}", None
    yield "connections/{id}", "DELETE", f"connections/{ids['guest']}", None
    yield "people/{id}/muted", "PUT", f"people/{ids['guest']}/muted", None
    yield "people/{id}/muted", "DELETE", f"people/{ids['guest']}/muted", None
    yield "people/{id}/level", "PUT", f"people/{ids['guest']}/level", {"level": "moderator"}
    yield "invitations", "POST", "invitations", {"uses": 3}
    yield "invitations/{id}", "DELETE", f"invitations/{invitation}", None
    yield "device-link", "POST", "device-link", None
    yield "device-link", "GET", "device-link", None
    yield "device-link", "DELETE", "device-link", None
    yield "doors", "POST", "doors", {"listen": "127.0.0.1:47812", "wifi": {"ssid": "Hall", "password": "by the sea"}}
    yield "doors", "GET", "doors", None
    yield "doors/code.svg", "GET", "doors/code.svg", None
    yield "doors/poster.svg", "GET", "doors/poster.svg?size=a6&language=es", None
    yield "doors/code", "POST", "doors/code", None
    yield "doors/{id}", "DELETE", f"doors/{ask('GET', 'doors')['doors'][0]['person']['id']}?force=true", None
    yield "events/current", "PUT", "events/current", {"id": ids["event"]}
    yield "events/{id}", "PUT", f"events/{ids['event']}", {"currency": "DKK", "who_invites": "anybody"}
    for kind in ("check_in", "deal", "comment", "photo", "moment", "ownership", "category", "theme"):
        plural = {"category": "categories"}.get(kind, kind + "s")
        yield f"{plural}/{{id}}", "DELETE", f"{plural}/{ids[kind]}", None
    yield "place_pages/{id}", "DELETE", f"place_pages/{target}", None
    yield "places/{id}", "DELETE", f"places/{target}", None


def of_hosts(ask, place):
    """What people tell hosts and what hosts draw; each record is deleted by its last example."""
    unowned = ask("POST", "places", place)["id"]
    yield "claims/{id}", "PUT", f"claims/{unowned}", {"text": "I stand there"}
    yield "claims", "GET", "claims?open=true", None
    yield "claims/{id}", "DELETE", f"claims/{unowned}", None
    yield "feedback", "POST", "feedback", {"text": "Too loud"}
    said = ask("POST", "feedback", {"text": "Too cold"})["id"]
    yield "feedback", "GET", "feedback", None
    yield "feedback/{id}", "GET", f"feedback/{said}", None
    yield "feedback/{id}", "DELETE", f"feedback/{said}", None
    points = {"a_x": 0, "a_y": 0, "a_latitude": 55.6, "a_longitude": 12.5,
              "b_x": 9000, "b_y": 8000, "b_latitude": 55.5, "b_longitude": 12.6}
    picture = ask("POST", "pictures", png(shade=13))["id"]
    outline = '{"type":"LineString","coordinates":[[12.5,55.6],[12.6,55.5]]}'
    yield "site_plans", "POST", "site_plans", {"title": "Hall", "picture": picture, **points}
    plan = ask("GET", "site_plans")["site_plans"][0]["id"]
    yield "site_plans", "GET", "site_plans", None
    yield "site_plans/{id}", "GET", f"site_plans/{plan}", None
    yield "site_plans/{id}", "PATCH", f"site_plans/{plan}", {"outline": outline}
    for size in ("thumbnail", "preview"):
        yield f"site_plans/{{id}}/{size}", "GET", f"site_plans/{plan}/{size}", None
    yield "site_plans/{id}", "DELETE", f"site_plans/{plan}", None


def taking_leave(party):
    """What ends something for good, with a person or an event to spare."""
    ids, ask = party.ids, party.founder.ask
    yield "people/{id}", "DELETE", f"people/{ids['guest']}", None
    yield "events", "POST", "events", {"title": "Second", "preset": "party"}
    second = next(one["id"] for one in ask("GET", "events")["events"] if one["title"] == "Second")
    yield "events/{id}", "DELETE", f"events/{second}?now=true&force=true", None
