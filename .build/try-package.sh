#!/usr/bin/env bash
# The packed program, installed where nothing else is, does what it should:  try-package.sh TARBALL [FOLDER]
# FOLDER, when given, keeps the installation: FOLDER/bin/hla.
set -euo pipefail
tarball=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=${2:-$folder/global}
mkdir -p "$prefix" "$folder/home" "$folder/work"
# a home where nothing is, and no settings of ours; but npm as it is set up, and the packages it fetched before
cache=$(npm config get cache) settings=$(npm config get userconfig)
alone=(env -u HLA_DATA_DIR -u HLA_RELEASE -u HLA_CONFIG "HOME=$folder/home" "npm_config_cache=$cache" "npm_config_userconfig=$settings")
cd "$folder/work"

# engine-strict: of what comes with it, all must be for this version of Node
"${alone[@]}" npm install --silent --engine-strict --global --prefix "$prefix" --omit=dev "$tarball"
size=$(du -sk "$prefix" | cut -f1)
echo "installed size: $((size / 1000)) MB"
test "$size" -le 25000
want='A*01:01:01G'
global=$("${alone[@]}" "$prefix/bin/hla" redux -q -r starter -m G 'A*01:01:01:01')
echo "installed globally: $global"
test "$global" = "$want"
test -e "$prefix/share/man/man1/hla.1"

"${alone[@]}" "$prefix/bin/hla" serve -r starter --port 0 --access-log off > /dev/null 2> "$folder/serve.log" &
server=$!
trap 'kill "$server" 2> /dev/null || true; rm -rf "$folder"' EXIT
for _ in $(seq 100); do
  url=$(grep -o -m 1 'on http://[0-9.:]*' "$folder/serve.log" | cut -c 4-) && break
  sleep 0.1
done
served=$("${alone[@]}" "$prefix/bin/hla" redux -q --remote "$url" -m G 'A*01:01:01:01')
kill "$server"
echo "as a service: $served"
test "$served" = "$want"

# with a cache of its own: npx keeps what it installed by the name of the file
npx=$("${alone[@]}" "npm_config_cache=$folder/cache" npx --yes --package "$tarball" hla redux -q -r starter -m G 'A*01:01:01:01')
echo "by npx: $npx"
test "$npx" = "$want"

# as a library, with types that resolve
cat > use.mjs << 'JS'
import { openRelease, redux } from 'hla'
console.log(redux(openRelease('starter'), 'A*01:01:01:01', 'G').text)
JS
"${alone[@]}" npm install --silent --no-save --prefix . "$tarball"
library=$("${alone[@]}" node use.mjs)
echo "as a library: $library"
test "$library" = 'A*01:01:01G'
sed 's/console.log(\(.*\))/export const text: string = \1/' use.mjs > use.mts
"$root/node_modules/.bin/tsc" --noEmit --strict --module nodenext --target es2022 --types node --typeRoots "$root/node_modules/@types" use.mts

# nothing of how it is made
found=$(cd "$prefix/lib/node_modules/hla" && find . -path ./node_modules -prune -o -type f \( -name '*.ts' ! -name '*.d.ts' -o -name '*.test.*' -o -name 'tsconfig*' \
  -o -path './src/*' -o -path './test/*' -o -path './.*/*' \) -print)
test -z "$found" || { echo "files of the making in the package: $found" >&2; exit 1; }
