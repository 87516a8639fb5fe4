#!/usr/bin/env bash
# Makes a street fair of a running node: `mingle run` in another terminal, then this script, then <http://127.0.0.1:4780>.
set -euo pipefail
cd "$(dirname "$0")"

mingle profile --name "${1:-The fair}"
mingle event create "Street fair" --preset fair
mingle places import stalls.geojson --mapping categories.json
mingle site-plan add title=Streets "outline=$(cat outline.geojson)"
mingle place list --near 55.6933,12.5487 --radius 60
mingle category list --search espresso
mingle invite
