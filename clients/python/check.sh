#!/usr/bin/env bash
# Builds wheel and source archive, installs them where nothing else is, and runs the tests over what is installed.
#   PYTHON=python3.12 bash check.sh     by another Python; it needs venv, setuptools and wheel
#   OUT=folder bash check.sh            keeps both archives there
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the program of this checkout, built
mkdir "$work/bin"
ln -s "$here/../../bin/hla.cjs" "$work/bin/hla"
export PATH="$work/bin:$PATH"
unset PYTHONPATH HLA_PROGRAM

# a copy: building leaves files beside the sources
build() {
  (cd "$1" && "$python" -c "import setuptools.build_meta as back; back.build_$2('$3')" > "$work/build.log" 2>&1) || { cat "$work/build.log"; exit 1; }
}
mkdir "$work/source" "$work/made" "$work/again"
cp -r "$here"/{pyproject.toml,MANIFEST.in,README.md,src,tests} "$work/source"
find "$work/source" -name __pycache__ -prune -exec rm -rf {} +
build "$work/source" sdist "$work/made"
build "$work/source" wheel "$work/made"
# the source archive has what the wheel is made of
tar -xzf "$work"/made/*.tar.gz -C "$work/again"
build "$(echo "$work"/again/*)" wheel "$work/again"
list() { "$python" -m zipfile -l "$(echo "$1"/*.whl)" | awk '{print $1}' | sort; }
diff <(list "$work/made") <(list "$work/again")
list "$work/made" | grep -q '^hla/py.typed$'

if command -v mypy > /dev/null; then
  mypy --strict --python-version 3.9 --ignore-missing-imports --cache-dir "$work/mypy" "$work/source/src/hla"
else
  echo "no mypy: types are not checked"
fi

"$python" -m venv "$work/empty"
"$work/empty/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps "$work"/made/*.whl
cp -r "$here/tests" "$work/tests"
(cd "$work" && "$work/empty/bin/python" -W error::ResourceWarning -m unittest)
# from the folder, beside what else is installed
"$python" -c 'import pandas' 2> /dev/null || echo "no pandas for $python: its tests are not run"
"$python" -m venv --system-site-packages "$work/beside"
"$work/beside/bin/pip" install --quiet --disable-pip-version-check --no-index --no-build-isolation "$work/source"
(cd "$work" && "$work/beside/bin/python" -m unittest tests.test_tables)
if [ -n "${OUT:-}" ]; then mkdir -p "$OUT" && cp "$work"/made/* "$OUT"; fi
ls "$work/made"
