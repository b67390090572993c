/** A byte order mark is removed once, at the first byte of the file, for any text above the header and any reader. */
import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { RawTableOptions } from '../../src/options/table-options.ts'
import { isHlaError } from '../../src/errors.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { convertNaively, type NaiveTable } from '../support/naive-table.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'
import { type DrivenTable, DRIVERS, driveTable } from '../support/table-drivers.ts'
import { rounds } from '../support/rounds.ts'

const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
const executor = localExecutor(knowledge)
const known = new Map<string, string>()

/** Reduces one typing with its locus. */
function reduced(typing: string): string {
  const found = known.get(typing)
  if (found !== undefined) return found
  // the output schema of redux
  const { ard } = executor.execute('redux', { gl_string: typing, reduction_method: 'lgx' }) as { ard: string }
  known.set(typing, ard)
  return ard
}

/** A kind of file, and how it is read. */
interface Kind {
  readonly name: string
  readonly delimiter: string
  readonly hasHeader: boolean
  readonly width: number
  readonly typed: readonly number[]
  /** Cells are GL Strings; otherwise typings of A. */
  readonly isGl?: boolean
  readonly isBelow?: boolean
  readonly rawOptions?: RawTableOptions
}

const PAIR = { width: 3, typed: [1, 2] } as const
const KINDS: readonly Kind[] = [
  { name: 'x.csv', delimiter: ',', hasHeader: true, ...PAIR },
  { name: 'x.csv', delimiter: ',', hasHeader: false, ...PAIR, rawOptions: { header: false, locus: ['A=2,3'] } },
  { name: 'x.pop', delimiter: '\t', hasHeader: true, ...PAIR, isBelow: true },
  { name: 'x.hped', delimiter: '\t', hasHeader: false, width: 22, typed: Array.from({ length: 16 }, (_, at) => at + 6) },
  { name: 'x.glid', delimiter: ';', hasHeader: false, width: 2, typed: [1], isGl: true },
] // prettier-ignore

interface Drawn {
  readonly kind: Kind
  readonly above: readonly string[]
  readonly isSkipped: boolean
  readonly comments: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly eol: string
  readonly isEnded: boolean
  readonly mark: boolean
  readonly encoding: NaiveTable['encoding']
  readonly bom: NaiveTable['bom']
  readonly cuts: readonly number[]
  readonly isPacked: boolean
}

const TYPINGS = ['A*01:01:01:01', 'A*02:01', 'A*01:XX', 'A*01:01:01:01/A*01:01:01:02N', '']

const tables: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom(...KINDS),
  above: fc.array(fc.constantFrom('title', '', 'x\ty', 'W\u00fcrzburg', ','), { maxLength: 3 }),
  isSkipped: fc.boolean(),
  comments: fc.array(fc.constantFrom('#', '# made', ''), { maxLength: 2 }),
  rows: fc.array(fc.array(fc.constantFrom(...TYPINGS), { minLength: 22, maxLength: 22 }), { minLength: 1, maxLength: 4 }),
  eol: fc.constantFrom('\n', '\n', '\r\n'),
  isEnded: fc.boolean(),
  mark: fc.constantFrom(true, true, false),
  encoding: fc.constantFrom('utf8' as const, 'utf8' as const, 'utf16le' as const, 'utf16be' as const, 'latin1' as const),
  bom: fc.constantFrom('keep' as const, 'keep' as const, 'add' as const, 'drop' as const),
  cuts: fc.array(fc.nat(40), { maxLength: 4 }),
  isPacked: fc.boolean(),
}) // prettier-ignore

function writtenOut(drawn: Drawn): { table: DrivenTable; naive: NaiveTable } {
  const { kind, eol, encoding, bom, cuts } = drawn
  const { delimiter, hasHeader, width, typed, isBelow = false, isGl = false } = kind
  // programs' files may have rows about the data; empty lines and comments need options
  const above = isBelow ? drawn.above.filter((line) => line !== '') : drawn.isSkipped ? drawn.above : []
  const comments = isBelow ? [] : drawn.comments
  const rows = drawn.rows.map((cells, at) =>
    Array.from({ length: width }, (_, column) => {
      const cell = cells[column] ?? ''
      if (!typed.includes(column)) return column === 0 ? `D\u00e9${at}` : 'x'
      return isGl ? cell : cell.replaceAll('A*', '')
    }),
  )
  const header = hasHeader ? [['id', 'A_1', 'A_2']] : []
  const lines = [...above, ...comments, ...[...header, ...rows].map((cells) => cells.join(delimiter))]
  const text = lines.join(eol) + (drawn.isEnded ? eol : '')
  // in Latin-1 a mark would indicate another encoding
  const hasMark = drawn.mark && encoding !== 'latin1'
  const whole = hasMark ? `\ufeff${text}` : text
  const plain = encoding === 'utf16be' ? Buffer.from(whole, 'utf16le').swap16() : Buffer.from(whole, encoding)
  const comment = comments.length > 0 ? '#' : undefined
  const rawOptions: RawTableOptions = {
    ...kind.rawOptions,
    bom,
    skip: [...(above.length > 0 && !isBelow ? [String(above.length)] : []), ...(comment === undefined ? [] : [comment])],
    ...(delimiter === ',' ? { delimiter: 'comma' } : {}),
    ...(hasMark || !encoding.startsWith('utf16') ? {} : { encoding: 'utf16' }),
    // excludes antigens, and fields of other loci
    ...(kind.name.endsWith('.hped') ? { delimiter: 'tab', locus: typed.map((at) => `A=${at + 1}`).slice(0, 1), cellSeparator: 'none' } : {}),
  } // prettier-ignore
  return {
    table: { name: kind.name, bytes: drawn.isPacked ? gzipSync(plain) : plain, cuts, rawOptions },
    naive: {
      bytes: plain,
      encoding,
      skip: above.length,
      comment,
      hasHeader,
      delimiter,
      typed: kind.name.endsWith('.hped') ? typed.slice(0, 1) : typed,
      bom,
    },
  }
}

describe('a byte order mark', () => {
  test('stands before everything, and nothing else is lost or moved', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.constantFrom(...DRIVERS), async (drawn, driver) => {
        const { table, naive } = writtenOut(drawn)
        const { isGl = false } = drawn.kind
        const expected = convertNaively(naive, (typing) =>
          typing === '' ? '' : isGl ? reduced(typing) : reduced(typing.replace(/[^/]+/g, 'A*$&')),
        )
        const written = await driveTable(table, driver, knowledge).catch((error: unknown) => error)
        if (naive.encoding === 'latin1' && naive.bom === 'add') {
          expect(written).toMatchObject({ code: 'usage' })
          return
        }
        if (isHlaError(written)) throw written
        // the outcome is not an error
        expect((written as Buffer).toString('latin1')).toBe(expected.toString('latin1'))
      }),
      { numRuns: rounds(2500) },
    )
  })
})
