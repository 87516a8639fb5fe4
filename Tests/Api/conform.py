# SPDX-License-Identifier: Apache-2.0
"""Makes each call of the API once, and then has schemathesis draw requests; see run."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema_rs

from examples import examples, taking_leave
from party import Party

# These are not reached here: a stream never ends, a second node would have to be at the door, and the node's person
# would have to be invited or have another device.
ELSEWHERE = {
    ("GET", "/stream"): "StreamTests", ("POST", "/join"): "the guest of this party joins by it",
    ("POST", "/moments/{id}/ignore"): "GuestRouteTests",
    ("DELETE", "/devices/{id}"): "Tests/Lan/devices.py", ("POST", "/people/{id}/rescue"): "RescueRouteTests",
}


def validator(description, call):
    """The statuses of success of a call, and what checks its answer; None where it is not JSON."""
    statuses = [status for status in call["responses"] if status != "default"]
    content = call["responses"][statuses[0]].get("content", {}).get("application/json")
    schema = content and {**content["schema"], "components": description["components"]}
    return {int(status) for status in statuses}, schema and jsonschema_rs.validator_for(schema)


def make_each(party, description, calls):
    """Makes calls, and returns which were made and what was wrong."""
    made, wrong = set(), []
    for template, method, path, body, *headers in calls:
        call = description["paths"].get("/" + template, {}).get(method.lower())
        if call is None:
            wrong.append(f"{method} {template} is not described")
            continue
        expected, check = validator(description, call)
        status, _, data = party.founder.send(method, path, body, *headers)
        made.add((method, "/" + template))
        if status not in expected:
            wrong.append(f"{method} {path}: {status} instead of {sorted(expected)}: {data[:300].decode(errors='replace')}")
        elif check is not None:
            errors = list(check.iter_errors(json.loads(data)))
            wrong += [f"{method} {path}: {error.message} at {error.instance_path}" for error in errors[:2]]
    return made, wrong


def draw(party, count):
    """Has schemathesis draw requests; the ids of what there is stand in for some of those that it draws."""
    hooks = pathlib.Path(__file__).with_name("hooks.py")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as ids:
        json.dump(party.ids, ids)
        ids.flush()
        command = [
            str(pathlib.Path(sys.executable).with_name("schemathesis")), "run", party.founder.base + "openapi.json",
            "--max-examples", str(count), "--phases", "fuzzing", "--workers", "2", "--no-color",
            "--exclude-path", "/stream", "--exclude-path-regex", "^/(people/\\{id\\}|events/\\{id\\}|events|join)$",
            "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
            "--exclude-checks", "positive_data_acceptance", "--suppress-health-check", "all", "--seed", "1",
        ]
        environment = {"SCHEMATHESIS_HOOKS": hooks.stem, "MINGLE_IDS": ids.name, "PYTHONPATH": str(hooks.parent)}
        # It leaves its findings in the working folder.
        return subprocess.run(command, env={**os.environ, **environment}, cwd=party.folder.name).returncode


def main():
    with Party() as party:
        description = party.founder.ask("GET", "openapi.json")
        described = {(method.upper(), path) for path, calls in description["paths"].items() for method in calls}
        result = draw(party, int(sys.argv[1]))
    with Party() as party:
        made, wrong = make_each(party, description, examples(party))
        more, worse = make_each(party, description, taking_leave(party))
    missing = described - made - more - set(ELSEWHERE)
    wrong += worse + [f"{method} {path} has no example" for method, path in sorted(missing)]
    print("\n".join(wrong) or f"{len(made | more)} of {len(described)} calls succeed as described")
    sys.exit(1 if wrong or result else 0)


main()
