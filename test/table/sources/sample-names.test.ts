/** Samples of several files that do not name them: by the file, or by the part of the path in which files differ. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameSamples } from '../../../src/table/sources/gathering/sample-names.ts'
import { convertRecords } from '../../support/record-tables.ts'
import { rounds } from '../../support/rounds.ts'

const named = (files: readonly (readonly [path: string, program?: string])[]) => {
  const { names, open } = nameSamples(files.map(([path, program]) => ({ path, program })))
  return [...names].map(([path, name]) => (open.has(path) ? `? ${name}` : name))
}

describe('names of samples', () => {
  test.for([
    // equal names in one program: the part of the path in which they differ
    [[['S1/optitype/result.tsv', 'OptiType'], ['S2/optitype/result.tsv', 'OptiType']], ['S1', 'S2']],
    [[['out/S1.tsv', 'OptiType'], ['out/S2.tsv', 'OptiType']], ['S1', 'S2']],
    [[['b1/S1/r.tsv', 'OptiType'], ['b2/S1/r.tsv', 'OptiType'], ['b2/S2/r.tsv', 'OptiType']], ['b1/S1', 'b2/S1', 'b2/S2']],
    // a program that wrote one file of that name is named by the same part
    [[['S1/r.tsv', 'OptiType'], ['S2/r.tsv', 'OptiType'], ['S2/r.json', 'arcashla']], ['S1', 'S2', 'S2']],
    [[['x/S1/a.tsv', 't1k'], ['x/S2/a.tsv', 't1k'], ['y/S1/b.json', 'xhla'], ['y/S2/b.json', 'xhla']], ['S1', 'S2', 'S1', 'S2']],
    // equal names from different programs: the name, where folders are named after programs or have more in common
    [[['optitype/S1.tsv', 'OptiType'], ['arcashla/S1.json', 'arcashla']], ['S1', 'S1']],
    [[['hla_optitype/S1.tsv', 'OptiType'], ['arcas/S1.json', 'arcashla']], ['S1', 'S1']],
    [[['S1.tsv', 'OptiType'], ['S1.json', 'arcashla']], ['S1', 'S1']],
    [
      [['r1/S1.tsv', 'OptiType'], ['r1/S2.tsv', 'OptiType'], ['r2/S1.json', 'xhla'], ['r2/S2.json', 'xhla']],
      ['S1', 'S1', 'S2', 'S2'],
    ],
    // both fit: each file has a name of its own
    [[['S1/result.tsv', 'OptiType'], ['S2/result.json', 'arcashla']], ['? S1/result', '? S2/result']],
    [
      [['a/S1.tsv', 'OptiType'], ['b/S1.tsv', 'OptiType'], ['a/S2.tsv', 'OptiType'], ['b/S2.tsv', 'OptiType']],
      ['? a/S1', '? b/S1', '? a/S2', '? b/S2'],
    ],
  ] as const)('%j: %j', ([files, expected]) => expect(named(files)).toEqual(expected)) // prettier-ignore
})

const OPTITYPE = (alleles: string) =>
  `\tA1\tA2\tB1\tB2\tC1\tC2\tReads\tObjective\n0\t${alleles.replace(',', '\t')}\tB*07:02\tB*08:01\t\t\t9\t9\n`
const ARCAS = (alleles: string) => JSON.stringify({ DRB1: [`DRB1*15:01`], A: alleles.split(',') })
const PHLAT = (alleles: string) =>
  `Locus\tAllele1\tAllele2\tLLtot\tPval1\tPval2\nHLA_A\t${alleles.replace(',', '\t')}\t-1\t1\t1\n`
const PROGRAMS = [
  { folders: ['optitype', 'hla_optitype'], name: 'result', ending: '.tsv', write: OPTITYPE },
  { folders: ['arcashla', 'arcas'], name: 'genotype', ending: '.json', write: ARCAS },
  { folders: ['phlat'], name: 'out', ending: '.sum', write: PHLAT },
] as const
/** Alleles of a person, which no other has. */
const PERSONS = ['A*01:01,A*02:01', 'A*24:02,A*24:02', 'A*01:01,A*01:01', 'A*02:01,A*02:01']

interface Layout {
  readonly isByFolder: boolean
  /** Persons of which a program has a result. */
  readonly typed: readonly (readonly number[])[]
  /** True when all programs give their files one name. */
  readonly isAlike: boolean
  /** Which of its names the folder of a program has; undefined for none. */
  readonly folders: readonly (number | undefined)[]
}

const layouts: fc.Arbitrary<Layout> = fc.record({
  isByFolder: fc.boolean(),
  typed: fc.tuple(...PROGRAMS.map(() => fc.subarray([0, 1, 2, 3]))),
  isAlike: fc.boolean(),
  folders: fc.tuple(...PROGRAMS.map(() => fc.constantFrom(0, 1, undefined))),
})

/** Path -> text, and the person that it is about. */
function filesIn({
  isByFolder,
  typed,
  isAlike,
  folders,
}: Layout): Map<string, { text: string; person: number }> {
  const files = PROGRAMS.flatMap((program, at) =>
    (typed[at] ?? []).map((person) => {
      const folder =
        folders[at] === undefined ? undefined : (program.folders[folders[at]] ?? program.folders[0])
      const stem = isByFolder ? (isAlike ? 'result' : program.name) : `P${person}`
      const parts = isByFolder ? [`P${person}`, folder] : [folder ?? `run${at}`]
      const path = ['cohort', ...parts.filter((part) => part !== undefined), stem + program.ending].join('/')
      return [path, { text: program.write(PERSONS[person] ?? ''), person }] as const
    }),
  )
  return new Map(files)
}

describe('folders of results', () => {
  test('of random layouts: no row is of two persons, with --merge and without', async () => {
    await fc.assert(
      fc.asyncProperty(layouts, fc.boolean(), async (layout, merge) => {
        const files = filesIn(layout)
        fc.pre(files.size > 1)
        const texts = Object.fromEntries([...files].map(([path, { text }]) => [path, text]))
        const { output } = await convertRecords(texts, {
          into: 'none',
          glOut: 'gl',
          ...(merge ? { merge } : {}),
        })
        const rows = output.trimEnd().split('\n').slice(1)
        for (const row of rows) {
          const persons = new Set(
            [...files].flatMap(([path, { person }]) => (row.includes(path) ? [person] : [])),
          )
          expect([row, persons.size]).toEqual([row, 1])
        }
        if (!merge) expect(rows).toHaveLength(files.size)
      }),
      { numRuns: rounds(1000) },
    )
  })

  test('500 folders of one program are 500 samples', async () => {
    const files = Array.from({ length: 500 }, (_, at) => [`c/S${at}/optitype/result.tsv`, OPTITYPE('A*01:01,A*02:01')] as const)
    const { output, plan } = await convertRecords(Object.fromEntries(files), { into: 'replace' })
    expect(output.trimEnd().split('\n').slice(1).map((row) => row.split(',')[0])).toEqual(files.map((_, at) => `S${at}`))
    expect(plan?.source?.samples?.()).toMatchObject([{ level: 'note', code: 'sample-names' }])
  }) // prettier-ignore

  test('where both readings fit, a warning names both options, and each joins or parts the rows', async () => {
    const files = { 'c/S1/result.tsv': OPTITYPE('A*01:01,A*02:01'), 'c/S2/result.json': ARCAS('A*24:02,A*24:02') }
    const { output, plan } = await convertRecords(files, { into: 'replace', merge: true })
    expect(output.split('\n')).toHaveLength(4)
    const [note] = plan?.source?.samples?.() ?? []
    expect([note?.level, note?.message]).toEqual([
      'warning',
      'S1/result, S2/result: either the files or their folders are named after samples, so each file has a row; --sample-from name or --sample-from folder says which',
    ])
    const rows = async (sampleFrom: 'name' | 'folder') =>
      (await convertRecords(files, { into: 'replace', merge: true, sampleFrom })).output.trimEnd().split('\n').length - 1
    expect([await rows('name'), await rows('folder')]).toEqual([1, 2])
  }) // prettier-ignore

  test('programs that agree on a locus are one typing of it, and their disagreement is said with both', async () => {
    const files = (alleles: string) => ({ 'optitype/S1.tsv': OPTITYPE('A*01:01,A*02:01'), 'arcashla/S1.json': ARCAS(alleles) }) // prettier-ignore
    const agreed = await convertRecords(files('A*02:01,A*01:01'), { into: 'replace', merge: true })
    expect([agreed.failures, agreed.output]).toEqual([
      [],
      expect.stringContaining(',A*01:01,A*02:01,B*07:02'),
    ])
    const other = await convertRecords(files('A*02:01,A*24:02'), { into: 'replace', merge: true })
    expect(other.failures).toEqual([
      expect.stringContaining(
        '2 files type A of one person differently: A*01:01 A*02:01, A*02:01 A*24:02 (lines optitype/S1.tsv:2, arcashla/S1.json:1)',
      ),
    ])
    expect(other.output).toContain(',,,B*07:02')
  })

  test('a file that names its sample, and has several persons, keeps their names', async () => {
    const table = 'sample,A_1,A_2\nS3,01:01,24:02\nS4,01:01,02:01\n'
    const files = { 'one.csv': table, 'two.csv': table }
    const { output, plan } = await convertRecords(files, { into: 'replace', sampleFrom: 'name' })
    const names = output.trimEnd().split('\n').slice(1).map((row) => row.split(',')[0]) // prettier-ignore
    expect(names).toEqual(['one:S3', 'one:S4', 'two:S3', 'two:S4'])
    expect(plan?.source?.notes).toMatchObject([
      { file: 'one.csv', level: 'warning', code: 'several-persons' },
      { file: 'two.csv', level: 'warning', code: 'several-persons' },
    ])
  })

  test('two typings in a cell of a long table are read as when it is alone', async () => {
    const long = 'Locus\tGenotype\tQuality\nA\tA*02:01,A*02:01\t9\nB\tB*08:01,B*07:02\t9\n'
    const { failures, output } = await convertRecords({ 'a.txt': long, 'b.csv': 'sample,A_1,A_2\nS3,01:01,24:02\n' }, { into: 'replace' }) // prettier-ignore
    expect(failures).toEqual([])
    expect(output).toContain(',A*02:01,A*02:01,B*08:01,B*07:02\n')
  })
})
