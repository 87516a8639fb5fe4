# SPDX-License-Identifier: Apache-2.0
"""Somebody is removed while his cable is out: what he says then reaches nobody, and he reads nothing any more."""

from mishaps import says
from nodes import Node, lan, wait_until
from report import check


def removal(stage):
    founder, member = stage.founder, stage.member
    gone = Node(4, "ned").start()
    says("somebody joins", gone.cli("join", stage.link), 0, "Joined")
    wait_until("the photo", lambda: gone.find(f"photos/{stage.photo}"))
    gone.comment(stage.photo, "before the removal")
    wait_until("his comment", lambda: all("before the removal" in node.comments(stage.photo) for node in (founder, member)))
    person = gone.get("status")["person"]
    lan("cut", 4)
    says("a member removes nobody", member.cli("people", "remove", "--yes", person), 12, "Ask a host")
    says("the founder removes him", founder.cli("people", "remove", "--yes", person), 0, "removed", "mingle invite --new")
    gone.comment(stage.photo, "after the removal")
    took, _ = wait_until("the removal", lambda: person not in [one["id"] for one in member.get("people")["people"]])
    check("the others hear of it", True, f"{took:.2f} s")
    member.comment(stage.photo, "among us")
    wait_until("the comment", lambda: "among us" in founder.comments(stage.photo))
    lan("heal", 4)
    took, _ = wait_until("the refusal", lambda: any("removed you" in text for text in gone.get("status")["warnings"]), 60)
    check("he is told", True, f"{took:.1f} s after his cable is back")
    heard = {node.name: node.comments(stage.photo) for node in (founder, member)}
    check("what he says reaches nobody", all("after the removal" not in said for said in heard.values()), heard)
    check("what he said before stays", all("before the removal" in said for said in heard.values()), heard)
    check("he reads nothing new", "among us" not in gone.comments(stage.photo))
    says("he writes no more than he is told", gone.cli("comment", stage.photo, "still here"), 12, "removed")
    back = Node(3, "ned-again", shift=1).start()
    says("the link that he came by is closed", back.cli("join", stage.link), 12, "let you in", "closed")
    back.stop()
    stage.link = founder.ask("POST", "invitations", {})["link"]
    says("he is let back in", founder.cli("people", "promote", person, "--to", "attendee"), 0, "attendee")
    expected = {"before the removal", "after the removal", "among us"}
    took, _ = wait_until("all comments", lambda: all(expected <= node.comments(stage.photo) for node in (founder, member, gone)), 60)
    check("all that was said is there again", True, f"{took:.1f} s")
    gone.stop()
