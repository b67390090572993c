/** The notes of a release, which are its section of the changelog, and the check of its version.  [disk] */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** The section without its heading. @throws {Error} the section is missing or empty */
export function notesOf(changelog, version) {
  const lines = changelog.split('\n')
  // `## 1.2.0`, optionally followed by a date
  const begin = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `))
  if (begin < 0) throw new Error(`CHANGELOG.md has no section "## ${version}"`)
  const rest = lines.slice(begin + 1)
  const end = rest.findIndex((line) => line.startsWith('## '))
  const notes = rest
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim()
  if (!/^- /m.test(notes)) throw new Error(`section "## ${version}" of CHANGELOG.md says nothing`)
  return `${notes}\n`
}

/** Entries of the unreleased section. */
export function countUnreleased(changelog) {
  const [, section = ''] = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? []
  return section.match(/^- /gm)?.length ?? 0
}

/** Reserved domain (RFC 2606), which stands for the home that the project does not have yet. */
const PLACEHOLDER = 'hla.example.org'

/** Recipes and packages take their address from it. @throws {Error} `homepage` or a file still names the placeholder */
export function checkHome(homepage, files) {
  if (!homepage.includes(PLACEHOLDER) && files.length === 0) return
  const where = files.length === 0 ? 'package.json' : files.join(', ')
  throw new Error(`the project has no home: replace ${PLACEHOLDER} in ${where} (docs/releasing.md, "Placeholders")`)
}

/** @throws {Error} `version` is invalid, or not later than all of `tags` */
export function checkVersion(version, tags) {
  if (parse(version) === undefined) throw new Error(`${version} is not a version such as 1.2.3 or 1.2.3-rc.1`)
  const released = tags.map((tag) => tag.replace(/^v/, '')).filter((tag) => parse(tag) !== undefined)
  const last = released.toSorted(compareVersions).at(-1)
  if (last !== undefined && compareVersions(version, last) <= 0)
    throw new Error(`${version} is not later than ${last}, which is released`)
}

function parse(text) {
  const found = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/.exec(
    text,
  )
  return found === null ? undefined : { core: found.slice(1, 4).map(Number), pre: found[4]?.split('.') }
}

/** Semantic Versioning 2.0.0, section 11. */
export function compareVersions(one, other) {
  const [a, b] = [parse(one), parse(other)]
  const core = a.core.map((number, at) => number - b.core[at]).find((difference) => difference !== 0)
  if (core !== undefined) return core
  if (a.pre === undefined || b.pre === undefined)
    return Number(a.pre === undefined) - Number(b.pre === undefined)
  for (let at = 0; at < Math.max(a.pre.length, b.pre.length); at += 1) {
    const difference = comparePart(a.pre[at], b.pre[at])
    if (difference !== 0) return difference
  }
  return 0
}

function comparePart(a, b) {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  const [first, second] = [a, b].map((part) => (/^\d+$/.test(part) ? Number(part) : undefined))
  if (first !== undefined && second !== undefined) return first - second
  if (first !== undefined || second !== undefined) return first === undefined ? 1 : -1
  return a < b ? -1 : Number(a > b)
}

// node .build/release-notes.mjs CHANGELOG.md VERSION [TAG ...]
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [changelog, version, ...tags] = process.argv.slice(2)
  try {
    checkVersion(version, tags)
    process.stdout.write(notesOf(readFileSync(changelog, 'utf8'), version))
  } catch (error) {
    process.stderr.write(`release: ${error.message}\n`)
    process.exitCode = 1
  }
}
