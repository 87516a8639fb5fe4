# SPDX-License-Identifier: Apache-2.0
"""All checks on the LAN, or those whose names are given: `checks.py [NAME …]`; `run` makes what they need."""

import argparse
import os
import sys

import crowd
import devices
import event
import fleet
import mishaps
import nearby
import nodes
import operation
import relays
import removals
import report
import doors
import strangers
import unseen

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
    strangers.flood,
    event.founder_away,
    event.avahi_gone,
]
MISHAPS = [
    mishaps.bad_links,
    mishaps.bad_files,
    mishaps.taken,
    mishaps.nobody_there,
    removals.removal,
    nearby.nearby,
    devices.devices,
    relays.relay,
    doors.door,
    unseen.unseen,
    crowd.crowd,
    mishaps.copied_folder,
    mishaps.full_disk,
    mishaps.damaged_database,
]
OPERATION = [
    operation.settings,
    operation.ending,
    operation.watching,
    operation.killed,
    operation.mended,
    operation.backups,
    operation.venue,
    operation.relay_killed,
]
# A minute's look at whether nodes on a network do at all what people expect of them.
SMOKE = [event.joining, event.photos, event.comments, event.partition, strangers.without_the_key, doors.door]
GROUPS = {"party": PARTY, "mishaps": MISHAPS, "operation": OPERATION, "smoke": SMOKE}
NEEDING_A_PHOTO = {"comments", "partition", "isolation", "founder_away"}


def main(names, storm):
    """Runs what has these names, alone or as a group, or all; `storm` is what `fleet` is called with."""
    names = [each for name in names for each in ([f.__name__ for f in GROUPS[name]] if name in GROUPS else [name])]
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
            nodes.end_all()
        if wanted(OPERATION):
            stage = mishaps.Stage()
            # Mending goes on with the node that was killed.
            first = [operation.killed] if "mended" in names else []
            chosen = wanted(OPERATION)
            for function in [each for each in OPERATION if each in chosen or each in first]:
                report.section(function, stage)
            nodes.end_all()
        if wanted([fleet.fleet]):
            before = report.counts["FAIL"]
            report.section(lambda: fleet.fleet(**storm))
            if report.counts["FAIL"] > before:
                # Tells `run` to leave everything where it is.
                open(os.path.join(nodes.WORK, "keep"), "w").close()
    finally:
        nodes.end_all()
    return report.finish()


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seed", type=int, help="of the fleet's faults; drawn if left out")
    parser.add_argument("--seconds", type=float, default=60, help="of the fleet's rounds")
    parser.add_argument("--plant", choices=fleet.PLANTS, help="a defect that the fleet's checks have to find")
    return parser.parse_args()


arguments = read_arguments()
sys.exit(main(arguments.names, {"seed": arguments.seed, "seconds": arguments.seconds, "plant": arguments.plant}))
