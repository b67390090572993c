/** CWD categories of names: as each line of the catalogues, by names of other releases, in genotypes. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import type { cwdOperation } from '../../src/operations/questions/cwd.ts'
import { parseCiwd } from '../../src/reference/sources/ciwd.ts'
import { splitSuffix } from '../../src/engine/lift/relation.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { smallRelease } from '../support/small-release.ts'

const POPULATIONS = ['AFA', 'API', 'EURO', 'HIS', 'MENA', 'NAM', 'UNK']

function publishedRows(file: string): string[][] {
  const [, ...lines] = readFileSync(sharedPath(`upstream/cwd/${file}`), 'utf8')
    .trim()
    .split(/\r?\n/)
  return lines.map((line) => line.split(','))
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
          ciwd3: () => parseCiwd(readFileSync(sharedPath('upstream/cwd/ciwd.3.0.0.csv'), 'utf8')),
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
    const rows = publishedRows('ciwd.3.0.0.csv')
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
    const rows = publishedRows('CWD2.csv')
    const others = rows.filter(([, name = '']) => categoryOf(name, {}).join() !== 'CWD,')
    expect(others.map(([, name = '']) => name)).toEqual(rows.map(([, name = '']) => name).filter((name) => isReused(name, '3.9.0'))) // prettier-ignore
    expect(categoryOf('A*01:104', {})).toEqual(['none', undefined])
  })

  // by the published history, every name that was renamed since 3.31.0
  test('of a renamed name are those of its former name', () => {
    const history = publishedHistory()
    const renamed = publishedRows('ciwd.3.0.0.csv').flatMap(([name = '', total]) => {
      const accession = history.accessionIn('3.31.0', name)
      const now = accession === undefined ? undefined : history.nameIn('3.58.0', accession)
      return now === undefined || now === name || now.startsWith(`${name}:`) ? [] : [[name, now, total]]
    })
    expect(renamed.length).toBeGreaterThan(10)
    const others = renamed.filter(([name, now = '', total]) => categoryOf(now).join() !== `${total},${name}`)
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

  test('the reduction says what it leaves out, too', () => {
    const input = { category: undefined, catalogue: 'ciwd3', categories: ['C'] }
    const { cwd, dropped, notes } = ask('A*03:01/A*03:04', input)
    expect([cwd, dropped]).toEqual(['A*03:01', ['A*03:04']])
    expect(notes).toMatchObject([{ code: 'left-out', message: expect.stringContaining('CIWD 3.0.0 (C in TOTAL) leaves out 1 of 2: A*03:04') }]) // prettier-ignore
  })
})
