/** The layers: which folder of src may import which. docs/architecture.md draws it. */

/** Layer -> layers it may import, besides itself and the leaves. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // files, pipes, signals: knows neither HLA nor the file store nor the command line
  io: [],
  nomenclature: [],
  reference: ['nomenclature', 'io'],
  engine: ['nomenclature', 'reference'],
  operations: ['nomenclature', 'reference', 'engine'],
  // each option once, as a table
  options: [],
  manual: ['engine', 'operations'],
  table: ['nomenclature', 'reference', 'engine', 'operations', 'options', 'io'],
  // what both servers share
  web: ['io'],
  // what the pages of both servers share: runs in browsers
  'web/page': [],
  service: ['reference', 'engine', 'operations', 'options', 'table', 'io', 'web', 'web/page'],
  client: ['nomenclature', 'reference', 'engine', 'operations', 'table'],
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
  'drive/page': ['web/page'],
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
    'client',
    'drive/contract',
    'drive/persistence',
    'drive/domain',
    'drive/api',
    'api',
  ],
  // src/*.ts, what the package exports
  api: ['engine', 'reference', 'operations'],
}

/** Folders that belong to the layer of another: the commands of the store are command line, and lie with the store's client. */
const PART_OF: Readonly<Record<string, string>> = { 'client/drive/cli': 'cli' }

/** The table as a picture in Mermaid: an arrow to each layer that is not reached through another. */
export function layersPicture(): string {
  const layers = Object.keys(MAY_IMPORT)
  const boxes = layers.map((layer) => `  ${idOf(layer)}["${layer}"]`)
  const arrows = layers.flatMap((from) => directOf(from).map((to) => `  ${idOf(from)} --> ${idOf(to)}`))
  return ['graph TD', ...boxes, ...arrows].join('\n')
}

/** The layer of a file of `src`. */
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
