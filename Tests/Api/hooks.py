# SPDX-License-Identifier: Apache-2.0
"""Puts the ids of what there is in the place of some of those that schemathesis draws."""

import json
import os
import random

import schemathesis

IDS = json.load(open(os.environ["MINGLE_IDS"]))
DICE = random.Random(1)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    for name in path_parameters or {}:
        if DICE.random() < 0.6:
            path_parameters[name] = DICE.choice(list(IDS.values()))
    return path_parameters


@schemathesis.hook
def map_query(context, query):
    query = query or {}
    query.pop("event", None)
    for name in ("target", "author"):
        if name in query and DICE.random() < 0.6:
            query[name] = DICE.choice(list(IDS.values()))
    return query


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, dict) and "target" in body and DICE.random() < 0.6:
        body["target"] = DICE.choice(list(IDS.values()))
    return body
