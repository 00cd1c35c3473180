#!/usr/bin/env bash
# Lighthouse's figures of the main pages, on a real `newsloom serve` with the built-in sample, as a
# phone and as a desktop. Needs node with npm, and Chromium (CHROMIUM=, else the one on the path).
# Lighthouse is installed into LIGHTHOUSE (a folder of its own, build/lighthouse unless it is set).
#   scripts/lighthouse.sh [page ...]     such as / /feeds; every page when none is named
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${LIGHTHOUSE:-build/lighthouse}
python=${PYTHON:-.venv/bin/python}
export CHROME_PATH=${CHROMIUM:-$(command -v chromium)}
[ -x "$folder/node_modules/.bin/lighthouse" ] ||
  npm install --silent --no-audit --no-fund --prefix "$folder" lighthouse@13

work=$(mktemp -d)
serving=""
stop() {
  [ -z "$serving" ] || kill "$serving" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

export HOME=$work NEWSLOOM_STORE_PATH=$work/news.db
export NEWSLOOM_FETCH_PROXY=http://127.0.0.1:9  # nothing listens there: the sample, not the web
"$python" -m newsloom serve --starter --port 0 >"$work/serving" 2>&1 &
serving=$!
touch "$work/serving"
until grep -q "is ready: " "$work/serving"; do
  kill -0 "$serving" || { cat "$work/serving"; exit 1; }
  sleep 0.2
done
home=$(sed -n 's/.*is ready: \(http:[^ ]*\)\/.*/\1/p' "$work/serving" | head -1)
sleep 25  # the first pass, with the encoder

article=$("$python" -c '
import json, sys, urllib.request
print(json.load(urllib.request.urlopen(sys.argv[1]))["items"][0]["id"])' "$home/api/v1/articles?limit=1")
pages=("$@")
[ $# -gt 0 ] || pages=(/ "/search?q=the" "/articles/$article" /feeds /stories /digest /settings /you /preferences /account /help)

printf '%-16s %-8s %11s %13s %14s %4s\n' page as performance accessibility "best practices" seo
for page in "${pages[@]}"; do
  for as in mobile desktop; do
    preset=()
    [ "$as" = mobile ] || preset=(--preset=desktop)
    if ! "$folder/node_modules/.bin/lighthouse" "$home$page" "${preset[@]}" --quiet --output=json \
      --output-path="$work/report.json" --chrome-flags="--headless=new --no-sandbox" >"$work/said" 2>&1
    then
      printf '%-16s %-8s failed: %s\n' "$page" "$as" "$(tail -1 "$work/said")"
      continue
    fi
    "$python" - "$page" "$as" "$work/report.json" <<'PY'
import json, sys

page, width, path = sys.argv[1:]
report = json.load(open(path, encoding="utf-8"))
names = ("performance", "accessibility", "best-practices", "seo")
shown = [round(100 * (report["categories"][name]["score"] or 0)) for name in names]
print(f"{page:<16} {width:<8} {shown[0]:>11} {shown[1]:>13} {shown[2]:>14} {shown[3]:>4}")
for name in names:
    for part in report["categories"][name]["auditRefs"]:
        audit = report["audits"][part["id"]]
        if part["weight"] and audit["score"] is not None and audit["score"] < 0.9:
            print(f"    {name}: {audit['id']} {audit.get('displayValue', '')}")
PY
  done
done
