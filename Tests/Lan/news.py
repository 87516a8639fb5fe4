# SPDX-License-Identifier: Apache-2.0
"""News of nodes: each says on its stream what changed, and who waits for something to come about looks again then."""

import http.client
import threading


class News:
    """Counts what was told, so that nothing is missed by who looks meanwhile."""

    def __init__(self):
        self.condition = threading.Condition()
        self.count = 0

    def tell(self):
        with self.condition:
            self.count += 1
            self.condition.notify_all()

    def wait(self, known, seconds):
        """Returns when more was told than the `known` first, or so many seconds later."""
        with self.condition:
            self.condition.wait_for(lambda: self.count > known, seconds)

    def follow(self, connection):
        """Passes on what a node says, on a thread of its own, until the node ends; its end is news as well."""
        threading.Thread(target=self.read, args=(connection,), daemon=True).start()

    def read(self, connection):
        try:
            connection.request("GET", "/api/v1/stream")
            for line in connection.getresponse():
                if line.startswith(b"event:"):
                    self.tell()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
            self.tell()


NEWS = News()
