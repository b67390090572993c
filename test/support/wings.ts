/** The wings of the program: `npm test -- WING` runs the tests of one, all together are `npm run test:all`. */

export const WINGS = ['engine', 'reference', 'operations', 'tables', 'cli', 'service', 'remote', 'store', 'pages', 'package'] as const // prettier-ignore

export type Wing = (typeof WINGS)[number]

/** Beginning of a path in `src` or `test` -> its wing. The longest one counts; anything else belongs to the package. */
const WING_OF: Readonly<Record<string, Wing>> = {
  'src/engine/': 'engine',
  'src/nomenclature/': 'engine',
  'test/engine/': 'engine',
  'test/nomenclature/': 'engine',
  'test/conformance/': 'engine',

  'src/reference/': 'reference',
  'src/cli/run/data/': 'reference',
  'test/reference/': 'reference',
  'test/cli/data/': 'reference',

  'src/operations/': 'operations',
  'src/advice': 'operations',
  'src/error': 'operations',
  'test/operations/': 'operations',
  'test/advice': 'operations',
  'test/closest': 'cli',

  'src/table/': 'tables',
  'src/cli/run/table/': 'tables',
  'src/byte-blocks': 'tables',
  'src/format-count': 'tables',
  'src/glob': 'tables',
  'test/table/': 'tables',
  'test/byte-blocks': 'tables',
  'test/glob': 'tables',
  'test/cli/table/': 'tables',

  'src/cli/': 'cli',
  'src/io/': 'cli',
  'src/manual/': 'cli',
  'src/options/': 'cli',
  'test/cli/': 'cli',
  'test/io/': 'cli',
  'test/options': 'cli',
  'test/transcripts': 'cli',
  'test/freeze/': 'cli',
  'test/docs/completion/': 'cli',
  'test/docs/examples': 'cli',
  'test/docs/generated-files': 'cli',
  'test/docs/roff': 'cli',
  'test/docs/topics': 'cli',

  'src/service/': 'service',
  'src/web/': 'service',
  'test/service/': 'service',
  'test/web/': 'service',
  'test/cli/serve': 'service',

  'src/remote/': 'remote',
  'test/remote/': 'remote',
  'test/cli/remote': 'remote',

  'src/drive/': 'store',
  'test/drive/': 'store',
  'test/freeze/store': 'store',

  'src/drive/page/': 'pages',
  'src/service/page/': 'pages',
  'src/web/page/': 'pages',
  'test/drive/page': 'pages',
  'test/drive/conversion/page': 'pages',
  'test/service/page': 'pages',
  'test/web/csv': 'pages',
  'test/web/first-look': 'pages',
}

/** `file`: path from the root of the project. */
export function wingOf(file: string): Wing {
  const [longest] = Object.keys(WING_OF)
    .filter((beginning) => file.startsWith(beginning))
    .toSorted((one, other) => other.length - one.length)
  return WING_OF[longest ?? ''] ?? 'package'
}

/** @throws where there is no such wing */
export function readWing(name: string): Wing {
  const wing = WINGS.find((one) => one === name)
  if (wing === undefined) throw new Error(`no wing ${name}: use ${WINGS.join(', ')}`)
  return wing
}
