/** Packages within the bundles: dist/sbom.cdx.json (CycloneDX 1.6) and their licences, dist/licences.txt. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { name, ROOT, version } from './description.mjs'

const SBOM = join(ROOT, 'dist/sbom.cdx.json')
const LICENCES = join(ROOT, 'dist/licences.txt')

/** Folders of bundled packages of this build: a bundle may be one of several programs that the build runs. */
const folders = new Set()

/** Notes the packages of which a bundle has code; `metafile` is esbuild's, and its paths begin at `from`. */
export function notePackages({ outputs }, from) {
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, folder] = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
      // a module that a plugin names with a colon loads another bundle
      if (folder !== undefined && bytesInOutput > 0 && !path.includes(':')) folders.add(resolve(from, folder))
    }
}

/** Adds the noted packages to those of the programs before it. */
export function writeBundled() {
  const packages = [...folders].map(readPackage)
  const refs = new Set(packages.map(({ component }) => component['bom-ref']))
  const before = readSbom().components.filter((component) => !refs.has(component['bom-ref']))
  const components = [...before, ...packages.map(({ component }) => component)].toSorted(byRef)
  writeFileSync(SBOM, `${JSON.stringify({ ...EMPTY, components }, null, 1)}\n`)
  const texts = readText(LICENCES).split(RULE).filter((text) => text !== '' && !refs.has(text.split('\n')[0]))
  const licences = [...texts, ...packages.map(({ licence }) => licence)].toSorted()
  writeFileSync(LICENCES, licences.map((text) => `${text.trimEnd()}\n`).join(RULE))
}

const RULE = `\n${'-'.repeat(80)}\n`
const ROOT_REF = `pkg:npm/${name}@${version}`

const EMPTY = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': ROOT_REF, name, version, purl: ROOT_REF } },
  components: [],
}

function readSbom() {
  const text = readText(SBOM)
  return text === '' ? EMPTY : JSON.parse(text)
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function readPackage(folder) {
  const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [, group, own] = /^(?:(@[^/]+)\/)?(.+)$/.exec(described.name)
  const ref = `pkg:npm/${described.name.replace('@', '%40')}@${described.version}`
  const component = {
    type: 'library',
    'bom-ref': ref,
    ...(group === undefined ? {} : { group }),
    name: own,
    version: described.version,
    licenses: [licenceOf(described.license)],
    purl: ref,
  }
  return { component, licence: `${ref}\n\n${licenceText(folder, described)}` }
}

function licenceOf(license) {
  if (typeof license !== 'string') throw new Error('a bundled package names no licence')
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } }
}

/** Text of the licence; a package without the file is under the usual text of the licence that it names. */
function licenceText(folder, { license, author }) {
  const file = readdirSync(folder).find((one) => /^(?:licen[cs]e|copying)(?:$|\.|-)/i.test(one))
  const by = typeof author === 'string' ? author : (author?.name ?? '')
  return file === undefined ? `${license}, by ${by}` : readFileSync(join(folder, file), 'utf8').trim()
}

function byRef(one, other) {
  return one['bom-ref'] < other['bom-ref'] ? -1 : 1
}
