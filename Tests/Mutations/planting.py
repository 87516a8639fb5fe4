# SPDX-License-Identifier: Apache-2.0
"""Deliberate defects, and the sources that hold all of them at once, each behind a condition of its own."""

import dataclasses
import pathlib
import re
import shutil
import tomllib
import zlib

KEYS = {"name", "file", "find", "put", "why", "checker", "waits", "needs"}

SWITCH = """\
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The number of the defect that this process has; 0: none.
package let plantedDefect = UInt32(ProcessInfo.processInfo.environment["MINGLE_DEFECT"] ?? "") ?? 0
"""

# Only what the simulator is made of is built. A defect may leave a warning behind.
MANIFEST = """
var needed: Set<String> = []
var open = ["MingleSimulator"]
while let name = open.popLast() {
    guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for case .byNameItem(let dependency, _) in target.dependencies { open.append(dependency) }
}
package.targets.removeAll { !needed.contains($0.name) }
package.targets.append(.executableTarget(name: "mutant", dependencies: ["MingleSimulator"]))
"""
STRICT = ".treatAllWarnings(as: .error),"


class Misplaced(Exception):
    """A defect does not fit the sources any more."""


@dataclasses.dataclass(frozen=True)
class Defect:
    """One deliberate mistake: `put` stands for `find` in `file`, and DEFECT in it for the condition."""

    name: str
    area: str
    file: str
    find: str
    put: str
    why: str
    checker: str
    # What the simulator lacks to show it; such a defect is planted and not looked for.
    waits: str = ""
    # Further conditions of the world, as arguments of the run: "peers=9".
    needs: str = ""

    @property
    def number(self):
        """What the environment calls it: the same whatever else is planted, so that builds stay incremental."""
        return zlib.crc32(self.name.encode()) or 1

    @property
    def planted(self):
        return self.put.replace("DEFECT", f"(plantedDefect == {self.number})")


def load(folder):
    """All defects of the files in `folder`, whose names are the areas."""
    defects = []
    for path in sorted(pathlib.Path(folder).glob("*.toml")):
        for entry in tomllib.loads(path.read_text())["defect"]:
            if not set(entry) <= KEYS:
                raise Misplaced(f"{path.name}: {entry.get('name')} has unknown keys: {', '.join(sorted(set(entry) - KEYS))}")
            defects.append(Defect(area=path.stem, **entry))
    names = [defect.name for defect in defects]
    if len(set(names)) < len(names) or len({defect.number for defect in defects}) < len(names):
        raise Misplaced("two defects have the same name or number")
    return defects


def plant(defects, text):
    """The text of one file with its defects in it; each must fit exactly one place, and no two the same."""
    places = []
    for defect in defects:
        count = text.count(defect.find)
        if count != 1:
            raise Misplaced(f"{defect.name}: its text occurs {count} times in {defect.file}, not once")
        if "DEFECT" not in defect.put:
            raise Misplaced(f"{defect.name}: its put has no DEFECT")
        start = text.index(defect.find)
        places.append((start, start + len(defect.find), defect))
    places.sort(key=lambda place: place[0])
    for (_, end, first), (start, _, second) in zip(places, places[1:]):
        if start < end:
            raise Misplaced(f"{first.name} and {second.name} change the same text")
    for start, end, defect in reversed(places):
        text = text[:start] + defect.planted + text[end:]
    return text if "import MingleModel" in text or "/MingleModel/" in defects[0].file else importing_model(text)


def importing_model(text):
    """The text with an import of the module in which the switch is."""
    lines = text.split("\n")
    last = max(number for number, line in enumerate(lines) if re.match("(package )?import ", line))
    return "\n".join(lines[: last + 1] + ["import MingleModel"] + lines[last + 1 :])


def copy_planted(root, target, defects):
    """Copies the package into `target` with all defects planted; what did not change keeps its time."""
    files = {path.relative_to(root): path.read_bytes() for path in (root / "Sources").rglob("*") if path.is_file()}
    for file in {defect.file for defect in defects}:
        path = pathlib.Path(file)
        if path not in files:
            raise Misplaced(f"{file} does not exist")
        here = [defect for defect in defects if defect.file == file]
        files[path] = plant(here, files[path].decode()).encode()
    files[pathlib.Path("Sources/MingleModel/PlantedDefect.swift")] = SWITCH.encode()
    files[pathlib.Path("Sources/mutant/main.swift")] = (root / "Tests/Mutations/Runner/main.swift").read_bytes()
    manifest = (root / "Package.swift").read_text().replace(STRICT, "") + MANIFEST
    files[pathlib.Path("Package.swift")] = manifest.encode()
    for path in target.glob("Sources/**/*"):
        if path.is_file() and path.relative_to(target) not in files:
            path.unlink()
    for path, content in files.items():
        write_if_changed(target / path, content)
    take_packages(root, target)


def write_if_changed(path, content):
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def take_packages(root, target):
    """Spares fetching the packages that this package depends on again, if they have been fetched."""
    for name in ["checkouts", "repositories", "workspace-state.json"]:
        source, copy = root / ".build" / name, target / ".build" / name
        if copy.exists() or not source.exists():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, copy, symlinks=True) if source.is_dir() else shutil.copy2(source, copy)
