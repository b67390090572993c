#!/usr/bin/env bash
# Builds the package and runs R CMD check over it, with the tests, in a folder that is removed; a note is a failure too.
#   OUT=folder bash check.sh     keeps the source archive there
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the program of this checkout, built
mkdir "$work/bin"
ln -s "$here/../../bin/hla.cjs" "$work/bin/hla"
export PATH="$work/bin:$PATH"
unset HLA_PROGRAM

cd "$work"
cp -r "$here" "$work/hla"
R CMD build hla > build.log 2>&1 || { cat build.log; exit 1; }
# nothing is asked of the network: an empty repository stands for the others
mkdir -p "$work/repository/src/contrib"
touch "$work/repository/src/contrib/PACKAGES"
echo "options(repos = c(CRAN = 'file://$work/repository'))" > "$work/profile"
export R_PROFILE="$work/profile" _R_CHECK_XREFS_REPOSITORIES_="file://$work/repository" _R_CHECK_CRAN_INCOMING_=false
R CMD check --no-manual hla_*.tar.gz > check.log 2>&1 || { cat check.log hla.Rcheck/tests/*.fail 2> /dev/null; exit 1; }
tail -3 check.log
grep -q '^Status: OK' check.log || { cat check.log; exit 1; }
if [ -n "${OUT:-}" ]; then mkdir -p "$OUT" && cp hla_*.tar.gz "$OUT"; fi
