/** Allowed imports between the folders of src. docs/architecture.md draws them. */

/** Layer -> layers it may import, besides itself and the leaves. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // files, pipes, signals: independent of HLA, the file store and the command line
  io: [],
  nomenclature: [],
  reference: ['nomenclature', 'io'],
  engine: ['nomenclature', 'reference'],
  // a table of all options
  options: [],
  operations: ['nomenclature', 'reference', 'engine', 'options'],
  manual: ['engine', 'operations'],
  table: ['nomenclature', 'reference', 'engine', 'operations', 'options', 'io'],
  // shared by both servers
  web: ['io'],
  // shared by the pages of both servers; runs in browsers
  'web/page': [],
  service: ['reference', 'engine', 'operations', 'options', 'table', 'io', 'web', 'web/page'],
  remote: ['nomenclature', 'reference', 'engine', 'operations', 'table', 'io'],
  'drive/contract': [],
  'drive/protocol': ['drive/contract'],
  'drive/persistence': ['drive/contract'],
  'drive/domain': ['drive/contract', 'drive/protocol', 'drive/persistence'],
  'drive/delivery': ['drive/contract', 'drive/persistence', 'drive/domain'],
  'drive/api': [
    'drive/contract',
    'drive/protocol',
    'drive/persistence',
    'drive/domain',
    'drive/delivery',
    'web',
  ],
  'drive/page': ['drive/contract', 'web/page'],
  // the service's client; the store's commands are built on it
  'drive/client': ['drive/contract', 'remote', 'operations'],
  cli: [
    'io',
    'nomenclature',
    'reference',
    'engine',
    'operations',
    'options',
    'manual',
    'table',
    'web',
    'service',
    'remote',
    'drive/contract',
    'drive/client',
    'drive/persistence',
    'drive/domain',
    'drive/api',
    'api',
  ],
  // src/*.ts, the exports of the package
  api: ['engine', 'reference', 'operations'],
}

/**
 * Floors of folders within a layer, from below: files import files of their own floor and of those before it.
 * docs/architecture.md describes those of tables. The longest name that fits is a file's floor.
 */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  cli: ['cli/options', 'cli/run', 'cli/commands'],
  table: [
    'table/words', 'table/input', 'table/cells', 'table/plan', 'table/sources', 'table/answers', 'table/output', 'table/rows', 'table/run',
    'table/rewrite', 'table/concordance', 'table/match',
  ],
} // prettier-ignore

/** Folders that belong to another layer: the store's commands are part of the command line. */
const PART_OF: Readonly<Record<string, string>> = {
  'drive/commands': 'cli',
  'drive/rules': 'cli',
  'drive/serve': 'cli',
}

/** The table as a Mermaid diagram; arrows that follow from others are left out. */
export function layersPicture(): string {
  const layers = Object.keys(MAY_IMPORT)
  const boxes = layers.map((layer) => `  ${idOf(layer)}["${layer}"]`)
  const arrows = layers.flatMap((from) => directOf(from).map((to) => `  ${idOf(from)} --> ${idOf(to)}`))
  return ['graph TD', ...boxes, ...arrows].join('\n')
}

/** Layer of a file of `src`. */
export function layerOf(file: string): string {
  const folders = file.split('/').slice(0, -1).join('/')
  const [layer] = [...Object.keys(MAY_IMPORT), ...Object.keys(PART_OF)]
    .filter((one) => folders === one || folders.startsWith(`${one}/`))
    .toSorted((a, b) => b.length - a.length)
  if (layer === undefined) return folders === '' ? 'api' : folders
  return PART_OF[layer] ?? layer
}

function idOf(layer: string): string {
  return layer.replace('/', '_')
}

function directOf(layer: string): readonly string[] {
  const below = MAY_IMPORT[layer] ?? []
  return below.filter((one) => !below.some((other) => MAY_IMPORT[other]?.includes(one)))
}
