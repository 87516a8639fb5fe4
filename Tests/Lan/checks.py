# SPDX-License-Identifier: Apache-2.0
"""All checks on the LAN, or those whose names are given: `checks.py [NAME …]`; `run` makes what they need."""

import sys

import event
import mishaps
import nodes
import report
import strangers

PARTY = [
    event.joining,
    event.meeting_again,
    event.photos,
    event.comments,
    event.partition,
    event.isolation,
    event.transfer,
    strangers.without_the_key,
    strangers.another_implementation,
    event.founder_away,
    event.avahi_gone,
]
MISHAPS = [
    mishaps.bad_links,
    mishaps.bad_files,
    mishaps.taken,
    mishaps.nobody_there,
    mishaps.copied_folder,
    mishaps.full_disk,
    mishaps.damaged_database,
]
NEEDING_A_PHOTO = {"comments", "partition", "isolation", "founder_away"}


def main(names):
    wanted = lambda functions: [function for function in functions if not names or function.__name__ in names]
    try:
        if wanted(PARTY):
            party = event.Party()
            # All others need the event, and most a photo in it.
            first = [event.joining] + ([event.photos] if set(names) & NEEDING_A_PHOTO else [])
            chosen = wanted(PARTY)
            for function in [each for each in PARTY if each in chosen or each in first]:
                report.section(function, party)
            nodes.end_all()
        if wanted(MISHAPS):
            stage = mishaps.Stage()
            for function in wanted(MISHAPS):
                report.section(function, stage)
    finally:
        nodes.end_all()
    return report.finish()


sys.exit(main(sys.argv[1:]))
