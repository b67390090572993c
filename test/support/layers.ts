/** The layers: which folder of src may import which. docs/architecture.md draws it. */

/** Layer -> layers it may import, besides itself and the leaves. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  nomenclature: [],
  reference: ['nomenclature'],
  engine: ['nomenclature', 'reference'],
  operations: ['nomenclature', 'reference', 'engine'],
  docs: ['nomenclature', 'reference', 'engine', 'operations'],
  batch: ['nomenclature', 'reference', 'engine', 'operations'],
  // what services have in common
  http: [],
  // what the pages of both services have in common: runs in browsers
  page: [],
  service: ['nomenclature', 'reference', 'engine', 'operations', 'batch', 'http', 'page'],
  client: ['nomenclature', 'reference', 'engine', 'operations'],
  'storage/model': [],
  'storage/query': ['storage/model'],
  'storage/store': ['storage/model', 'storage/query'],
  'storage/library': ['storage/model', 'storage/query', 'storage/store'],
  'storage/delivery': ['storage/model', 'storage/store', 'storage/library'],
  'storage/api': [
    'storage/model',
    'storage/query',
    'storage/store',
    'storage/library',
    'storage/delivery',
    'http',
  ],
  'storage/page': ['page'],
  cli: [
    'nomenclature',
    'reference',
    'engine',
    'operations',
    'docs',
    'batch',
    'service',
    'client',
    'storage/model',
    'storage/store',
    'storage/library',
    'storage/api',
    'api',
  ],
  // src/*.ts, what the package exports
  api: ['engine', 'reference', 'operations'],
}

/** The table as a picture in Mermaid: an arrow to each layer that is not reached through another. */
export function layersPicture(): string {
  const layers = Object.keys(MAY_IMPORT)
  const boxes = layers.map((layer) => `  ${idOf(layer)}["${layer}"]`)
  const arrows = layers.flatMap((from) => directOf(from).map((to) => `  ${idOf(from)} --> ${idOf(to)}`))
  return ['graph TD', ...boxes, ...arrows].join('\n')
}

function idOf(layer: string): string {
  return layer.replace('/', '_')
}

function directOf(layer: string): readonly string[] {
  const below = MAY_IMPORT[layer] ?? []
  return below.filter((one) => !below.some((other) => MAY_IMPORT[other]?.includes(one)))
}
