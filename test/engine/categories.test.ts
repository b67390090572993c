/** CWD categories of names: as each line of the catalogues, by names of other releases, in genotypes. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import type { countOperation } from '../../src/operations/questions/count.ts'
import type { cwdOperation } from '../../src/operations/questions/cwd.ts'
import { FILE_CATALOGUES } from '../../src/reference/catalogues.ts'
import { splitSuffix } from '../../src/engine/lift/relation.ts'
import { errorOf } from '../support/errors.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { smallRelease } from '../support/small-release.ts'

const POPULATIONS = ['AFA', 'API', 'EURO', 'HIS', 'MENA', 'NAM', 'UNK']

const FILES = { cwd2: 'CWD2.csv', ciwd3: 'ciwd.3.0.0.csv', eurcwd: 'EURCWD.csv' }

function publishedText(id: keyof typeof FILES): string {
  return readFileSync(sharedPath(`upstream/cwd/${FILES[id]}`), 'utf8')
}

/** Lines with a name. */
function publishedRows(id: keyof typeof FILES): string[][] {
  const lines = publishedText(id).trim().split(/\r?\n/)
  return lines.filter((line) => line.includes('*')).map((line) => line.split(','))
}

/** A name of `then` that stands for none of the same alleles in 3.58.0, by the published lists alone. */
function isReused(name: string, then: string): boolean {
  const history = publishedHistory()
  const { stem } = splitSuffix(name)
  const spellings = [...history.ownersOf(name), ...history.spellingsUnder(`${stem}:`)]
  const [before, after] = [then, '3.58.0'].map((release) =>
    spellings.map(({ accession }) => accession).filter((one) => {
      const own = history.nameIn(release, one)
      return own === name || own?.startsWith(`${stem}:`)
    }),
  ) // prettier-ignore
  return after?.length !== 0 && before?.every((one) => after?.includes(one) !== true) === true
}

/** Answers, after checking how the input was read. */
const executor = localExecutor(
  makeKnowledge(
    hasShared
      ? {
          release: realRelease('3580'),
          mac: realMacs(),
          history: publishedHistory,
          catalogue: (id) => FILE_CATALOGUES[id].parse(publishedText(id)),
        }
      : { release: smallRelease() },
  ),
)

function ask(gl_string: string, input: object = { catalogue: 'ciwd3' }) {
  const asked = { gl_string, category: true, ...input }
  // the answer of this operation
  return executor.execute('cwd', asked) as ReturnType<typeof cwdOperation.run>
}

describe.skipIf(!hasShared)('categories', () => {
  const categoryOf = (name: string, input?: object) => {
    const [entry] = ask(name, input).names ?? []
    return [entry?.category, entry?.listed]
  }

  test('of CIWD 3.0.0 are those of its lines', () => {
    const rows = publishedRows('ciwd3')
    const others = rows.filter(([name = '', total, ...by]) => {
      const [entry, ...more] = ask(name).names ?? []
      const populations = Object.fromEntries(POPULATIONS.map((population, at) => [population, by[at]]))
      const expected = { name, position: [0, name.length], category: total, populations }
      return more.length > 0 || JSON.stringify(entry) !== JSON.stringify(expected)
    })
    expect(rows).toHaveLength(10_468)
    expect(others.map(([name = '']) => name)).toEqual(
      rows.map(([name = '']) => name).filter((name) => isReused(name, '3.31.0')),
    )
  })

  test('of CWD 2.0.0 are its names', () => {
    const rows = publishedRows('cwd2')
    const others = rows.filter(([, name = '']) => categoryOf(name, {}).join() !== 'CWD,')
    expect(others.map(([, name = '']) => name)).toEqual(rows.map(([, name = '']) => name).filter((name) => isReused(name, '3.9.0'))) // prettier-ignore
    expect(categoryOf('A*01:104', {})).toEqual(['none', undefined])
  })

  test('of EURCWD are those of its lines', () => {
    const rows = publishedRows('eurcwd')
    const others = rows.filter(([name = '', category]) => categoryOf(name, { catalogue: 'eurcwd' }).join() !== `${category},`) // prettier-ignore
    const names = others.map(([name = '']) => name)
    expect(names).toEqual(['C*07:37', 'DQB1*02:03'])
    expect(names.filter((name) => !isReused(name, '3.20.0'))).toEqual([])
    // renamed in 3.21.0; in no release before
    expect(categoryOf('DQA1*01:07Q', { catalogue: 'eurcwd' })).toEqual(['WD', 'DQA1*01:07'])
    expect(categoryOf('DQB1*03:191', { catalogue: 'eurcwd' })).toEqual(['WD', undefined])
    expect(categoryOf('A*01:04N', { catalogue: 'eurcwd' })).toEqual(['none', undefined])
  })

  // by the published history, every name that was renamed since
  test.for(['ciwd3', 'eurcwd'] as const)('of a renamed name of %s are those of its former name', (id) => {
    const history = publishedHistory()
    const { release } = FILE_CATALOGUES[id]
    const renamed = publishedRows(id).flatMap(([name = '', total]) => {
      const accession = history.accessionIn(release, name)
      const now = accession === undefined ? undefined : history.nameIn('3.58.0', accession)
      return now === undefined || now === name || now.startsWith(`${name}:`) ? [] : [[name, now, total]]
    })
    expect(renamed.length).toBeGreaterThan(id === 'ciwd3' ? 10 : 1)
    const others = renamed.filter(
      ([name, now = '', total]) => categoryOf(now, { catalogue: id }).join() !== `${total},${name}`,
    )
    expect(others).toEqual([])
  })

  test.for([
    ['A*01:01:01:01', {}, 'A*01:01:01:01', ['A*01:01:01:01 C']],
    ['A*01:04', {}, '', ['A*01:04 none']],
    // an unlisted four-field name, a group, a code, an antigen and an old name
    ['A*01:01:01:120', {}, 'A*01:01:01:120', ['A*01:01:01:120 C A*01:01:01']],
    ['A*01:01:01G', {}, 'A*01:01:01G', ['A*01:01:01G C']],
    ['A*01:AB', {}, 'A*01:01/A*01:02', ['A*01:01 C', 'A*01:02 C']],
    ['A*0102', {}, 'A*01:02', ['A*01:02 C']],
    ['HLA-A*03:04+A*01:228', {}, '', ['A*03:04 WD', 'A*01:228 none']],
    ['HLA-A*03:01/A*03:04+A*24:329Q/A*03:01', { categories: ['C'] }, 'HLA-A*03:01+HLA-A*03:01', ['A*03:01 C', 'A*03:04 WD', 'A*24:329Q none', 'A*03:01 C']], // prettier-ignore
  ] as const)('of %s with %j: %s, %j', ([text, filter, cwd, names]) => {
    const answer = ask(text, { catalogue: 'ciwd3', ...filter })
    expect(answer.cwd).toBe(cwd)
    const shown = answer.names?.map(({ name, category, listed }) => [name, category, listed ?? []].flat().join(' ')) // prettier-ignore
    expect(shown).toEqual(names)
  })

  test('the answer names the catalogue, what it leaves out, and names that it has otherwise', () => {
    const answer = ask('B*07:02/A*01:104'.replace('A*01:104', 'B*07:999'), { catalogue: 'ciwd3', populations: ['EURO'] }) // prettier-ignore
    expect(answer).toMatchObject({ catalogue: 'CIWD 3.0.0 (C, I, WD in EURO)', dropped: ['B*07:999'] })
    expect(ask('C*07:37').notes).toMatchObject([{ code: 'reissued', offending: 'C*07:37', position: [0, 7] }])
    expect(ask('A*01:01:01:120').notes).toMatchObject([{ code: 'fewer-fields', position: [0, 14] }])
  })

  test('EURCWD has neither populations nor the categories I and R', () => {
    const refused = (filter: object) =>
      errorOf(() => ask('A*01:01', { catalogue: 'eurcwd', ...filter }))?.code
    expect(refused({ populations: ['EURO'] })).toBe('bad-request')
    expect(refused({ categories: ['C', 'R'] })).toBe('bad-request')
    expect(
      ask('A*01:01/A*01:06', { catalogue: 'eurcwd', populations: ['TOTAL'], categories: ['C'] }),
    ).toMatchObject({
      catalogue: 'EURCWD (C)',
      cwd: 'A*01:01',
      dropped: ['A*01:06'],
    })
  })

  test('count takes the categories of EURCWD', () => {
    const gl_strings = ['A*01:01+A*01:06', 'A*02:01/A*02:06+DQA1*01:07Q', 'A*01:04N']
    const input = { gl_strings, of: 'categories', catalogue: 'eurcwd' }
    // the answer of this operation
    const { counts } = executor.execute('count', input) as ReturnType<typeof countOperation.run>
    const shown = counts.map(({ locus, kind, name, typings }) => [locus, kind, name, typings].join(' '))
    expect(shown).toEqual([
      'A name C 1', 'A name WD 1', 'A name none 2', 'A ambiguous  2',
      'DQA1 name WD 2', 'DQA1 untyped  4',
    ]) // prettier-ignore
  })

  test('the reduction says what it leaves out, too', () => {
    const input = { category: undefined, catalogue: 'ciwd3', categories: ['C'] }
    const { cwd, dropped, notes } = ask('A*03:01/A*03:04', input)
    expect([cwd, dropped]).toEqual(['A*03:01', ['A*03:04']])
    expect(notes).toMatchObject([{ code: 'left-out', message: expect.stringContaining('CIWD 3.0.0 (C in TOTAL) leaves out 1 of 2: A*03:04') }]) // prettier-ignore
  })
})
