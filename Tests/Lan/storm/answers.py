# SPDX-License-Identifier: Apache-2.0
"""What became of a request that may be cut off at any place: acknowledged, refused, never sent, or nobody knows."""

import http.client
import json
import os
from typing import NamedTuple

from nodes import LocalConnection

ACKED, REFUSED, UNSENT, MAYBE = "acknowledged", "refused", "unsent", "maybe"


class Answer(NamedTuple):
    """How a request ended, the HTTP status if there was one, and what was answered."""

    state: str
    status: int = 0
    value: dict = {}


def attempt(node, method, path, body=None):
    """Asks a node that may be dead, stopped or dying, over a connection of its own.

    Only a 2xx acknowledges. Where the connection broke before an answer, the node may have done it or not.
    """
    if isinstance(body, dict):
        body = json.dumps(body).encode()
    connection = LocalConnection(os.path.join(node.data, "node.sock"))
    try:
        connection.connect()
    except OSError:
        return Answer(UNSENT)
    try:
        connection.request(method, "/api/v1/" + path, body)
        response = connection.getresponse()
        return read_answer(response.status, response.read())
    except (OSError, http.client.HTTPException):
        return Answer(MAYBE)
    finally:
        connection.close()


def read_answer(status, data):
    try:
        value = json.loads(data) if data else {}
    except ValueError:
        value = {"detail": data[:200].decode(errors="replace")}
    return Answer(ACKED if 200 <= status < 300 else REFUSED, status, value)


def begin_upload(node, path, data, part):
    """Sends so many parts of an upload and leaves it there; returns the connection, to be closed after the kill."""
    connection = LocalConnection(os.path.join(node.data, "node.sock"))
    connection.connect()
    connection.putrequest("PUT", "/api/v1/" + path)
    connection.putheader("Content-Length", str(len(data)))
    connection.endheaders()
    connection.send(data[: int(len(data) * part)])
    return connection
