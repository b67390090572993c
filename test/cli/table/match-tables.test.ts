/** hla match over tables: every cell beside the answer about that pair, orders, limits, and what cannot be read. Whole programs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../../src/operations/knowledge.ts'
import { localExecutor } from '../../../src/operations/executor.ts'
import { matchCells } from '../../../src/operations/answers/matching.ts'
import { installedData } from '../../support/installed-data.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { realMacs, realRelease } from '../../support/releases.ts'
import { rounds } from '../../support/rounds.ts'
import { runHla } from '../../support/run-hla.ts'
import { hasShared } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const LOCI = ['A', 'B', 'C', 'DRB1', 'DQB1', 'DPB1']
const HEADER = LOCI.flatMap((locus) => [`${locus}_1`, `${locus}_2`])

/** Typings of each locus: names, codes, XX codes, antigens, nulls, lists; one that cannot be read. */
const POOL: Readonly<Record<string, readonly string[]>> = {
  A: ['A*01:01', 'A*02:01', 'A*03:01', 'A*24:02', 'A*24:09N', 'A*01:XX', 'A*02:AB', 'A2', 'A9', 'A*02:01/A*02:06', 'A*99:99'],
  B: ['B*07:02', 'B*08:01', 'B*15:01', 'B*44:02', 'B*07:XX', 'B62', 'B*15:01/B*15:02', 'B*44:02:01:02S'],
  C: ['C*07:01', 'C*07:02', 'C*04:01', 'C*04:09N', 'C*07:XX', 'C*04:01/C*04:09N'],
  DRB1: ['DRB1*15:01', 'DRB1*03:01', 'DRB1*04:01', 'DRB1*04:XX', 'DR15', 'DRB1*03:01/DRB1*03:02'],
  DQB1: ['DQB1*06:02', 'DQB1*02:01', 'DQB1*03:01', 'DQB1*03:XX', 'DQ6'],
  DPB1: ['DPB1*04:01', 'DPB1*04:02', 'DPB1*01:01', 'DPB1*17:01', 'DPB1*09:01', 'DPB1*61:01N', 'DPB1*04:01/DPB1*02:01'],
} // prettier-ignore

interface Made {
  readonly id: string
  readonly cells: readonly string[]
  readonly glString: string
}

/** Persons whose cells and GL Strings say the same. */
function makePersons(count: number, prefix: string, seed: number): readonly Made[] {
  const random = randomNumbers(seed)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  return Array.from({ length: count }, (_, at) => {
    const blocks = LOCI.flatMap((locus) => {
      if (random() < 0.1) return [{ cells: ['', ''], text: '' }]
      const [one, two] = [pick(POOL[locus] ?? []), pick(POOL[locus] ?? [])]
      if (random() < 0.15) return [{ cells: [one, random() < 0.5 ? '-' : 'X'], text: one.includes('*') ? one : `${one}+${one}` }] // prettier-ignore
      return [{ cells: [one, two], text: `${one}+${two}` }]
    })
    const texts = blocks.map(({ text }) => text).filter((text) => text !== '')
    return { id: `${prefix}${at}`, cells: blocks.flatMap(({ cells }) => cells), glString: texts.join('^') }
  })
}

function tableOf(persons: readonly Made[]): string {
  return [['id', ...HEADER], ...persons.map(({ id, cells }) => [id, ...cells])].map((row) => `${row.join(',')}\n`).join('') // prettier-ignore
}

function rowsOf(csv: string): string[][] {
  return csv.trimEnd().split('\n').slice(1).map((line) => line.split(',')) // prettier-ignore
}

describe.skipIf(!hasShared)('tables of persons', () => {
  const cwd = temp('.')
  const size = Math.ceil(Math.sqrt(rounds(10_000)))
  const patients = makePersons(size, 'p', 1)
  const donors = makePersons(size, 'd', 2)
  const files = ['--patients', 'patients.csv', '--donors', 'donors.csv']
  let env: Record<string, string>
  let service: ChildProcess
  const run = (args: readonly string[]) => runHla(['match', ...args], { cwd, env })

  beforeAll(async () => {
    env = { HLA_DATA_DIR: await installedData() }
    writeFileSync(join(cwd, 'patients.csv'), tableOf(patients))
    writeFileSync(join(cwd, 'donors.csv'), tableOf(donors))
  }, 300_000)
  afterAll(() => service?.kill())

  test('each row has the answer about its pair', async () => {
    const { stdout, status } = await run([...files, '--count', '12/12', '-q'])
    expect(status).toBe(1) // some typings cannot be read
    const executor = localExecutor(makeKnowledge({ release: realRelease('3580'), mac: realMacs() }))
    const byId = (persons: readonly Made[]) => new Map(persons.map((one) => [one.id, one.glString]))
    const [own, other] = [byId(patients), byId(donors)]
    const rows = rowsOf(stdout)
    expect(rows).toHaveLength(size * size)
    // one answer takes long, most of it for grades, which rows have none of
    const every = Math.ceil(rows.length / rounds(600))
    for (const [patient = '', donor = '', ...cells] of rows.filter((_, at) => at % every === 0)) {
      const input = {
        patient: own.get(patient) ?? '',
        donor: other.get(donor) ?? '',
        count: '12/12',
        no_grade: true,
      }
      if (input.patient === '' || input.donor === '') continue
      const answer = executor.execute('match', input) as Parameters<typeof matchCells>[0]
      expect([patient, donor, ...cells]).toEqual([patient, donor, ...matchCells(answer, LOCI)])
    }
  }, 600_000)

  test('sure matches come first, then possible ones, then ids; limits and --top keep that order', async () => {
    const { stdout } = await run([...files, '--count', '10/10', '-q'])
    const rows = rowsOf(stdout)
    const bounds = (row: readonly string[]) => (row[2] ?? '').split('-').map(Number)
    const key = (row: readonly string[]) => {
      const [least = 0, most = least] = bounds(row)
      return [20 - least, 20 - most].map((one) => String(one).padStart(2, '0')).join() + (row[1] ?? '')
    }
    for (const { id } of patients) {
      const own = rows.filter(([patient]) => patient === id).map(key)
      expect(own).toEqual(own.toSorted())
    }
    const limited = rowsOf((await run([...files, '--min', '7/10', '--min-sure', '4/10', '-q'])).stdout)
    const kept = rows.filter((row) => {
      const [least = 0, most = least] = bounds(row)
      return most >= 7 && least >= 4
    })
    expect(kept.length).toBeGreaterThan(0)
    expect(limited).toEqual(kept)
    const top = rowsOf((await run([...files, '--count', '10/10', '--top', '3', '-q'])).stdout)
    expect(top).toEqual(patients.flatMap(({ id }) => rows.filter(([patient]) => patient === id).slice(0, 3)))
  }, 300_000)

  test('a patient turned into a donor turns the directions round', async () => {
    const turned = ['--patients', 'donors.csv', '--donors', 'patients.csv']
    const [there, back] = [await run([...files, '-q', '-f', 'jsonl']), await run([...turned, '-q', '-f', 'jsonl'])] // prettier-ignore
    interface Row { readonly patient: string; readonly donor: string; readonly loci: readonly { readonly locus: string; readonly verdict: string; readonly gvh?: unknown; readonly hvg?: unknown }[] } // prettier-ignore
    const read = (text: string) => text.trimEnd().split('\n').map((line) => JSON.parse(line) as Row) // prettier-ignore
    const reversed = new Map(read(back.stdout).map((row) => [`${row.donor} ${row.patient}`, row.loci]))
    for (const { patient, donor, loci } of read(there.stdout)) {
      const turnedLoci = reversed.get(`${patient} ${donor}`) ?? []
      expect(turnedLoci.map(({ locus, verdict, gvh, hvg }) => [locus, verdict, hvg, gvh])).toEqual(
        loci.map(({ locus, verdict, gvh, hvg }) => [locus, verdict, gvh, hvg]),
      )
    }
  }, 300_000)

  test('a table of pairs and two tables by id have the rows of all against all', async () => {
    const renamed = donors.map((donor, at) => ({ ...donor, id: `p${at}` }))
    writeFileSync(join(cwd, 'same.csv'), tableOf(renamed))
    const header = ['patient_id', 'donor_id', ...HEADER.map((one) => `patient_${one}`), ...HEADER.map((one) => `donor_${one}`)] // prettier-ignore
    const lines = patients.map(({ id, cells }, at) => [id, donors[at]?.id ?? '', ...cells, ...(donors[at]?.cells ?? [])]) // prettier-ignore
    writeFileSync(join(cwd, 'pairs.tsv'), [header, ...lines].map((row) => `${row.join('\t')}\n`).join(''))
    const all = rowsOf((await run([...files, '--count', '10/10', '-q'])).stdout)
    const own = patients.map(({ id }, at) => all.find((row) => row[0] === id && row[1] === `d${at}`))
    expect(rowsOf((await run(['-i', 'pairs.tsv', '--count', '10/10', '-q'])).stdout)).toEqual(own)
    const byId = await run(['--patients', 'patients.csv', '--donors', 'same.csv', '--by-id', '--count', '10/10', '-q']) // prettier-ignore
    expect(rowsOf(byId.stdout)).toEqual(own.map((row = [], at) => [row[0], `p${at}`, ...row.slice(2)]))
  }, 300_000)

  test('a service gives the same bytes', async () => {
    const args = [join(import.meta.dirname, '../../../bin/hla.cjs'), 'serve', '--port', '0', '--access-log', 'off'] // prettier-ignore
    service = spawn(process.execPath, args, { cwd, env: { HOME: cwd, HLA_SYSTEM_DATA_DIR: join(cwd, 'no'), ...env } }) // prettier-ignore
    const url = await new Promise<string>((resolve, reject) => {
      let said = ''
      service.stderr?.on('data', (bytes: Buffer) => {
        said += bytes.toString()
        const found = /on (http:\S+)\n/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
      service.on('exit', () => reject(new Error(said)))
    })
    for (const more of [[], ['-f', 'jsonl', '--nulls', 'count', '--antigen', 'A,B', '--top', '2']]) {
      const local = await run([...files, ...more])
      expect(await run([...files, ...more, '--remote', url])).toEqual(local)
    }
  }, 300_000)

  test('what cannot be read is unread, at its place', async () => {
    writeFileSync(
      join(cwd, 'p.csv'),
      'id,A_1,A_2,B_1,B_2\n1,99:99,01:01,07:02,08:01\n2,01:01,02:01,07:02,NEW\n',
    )
    writeFileSync(join(cwd, 'd.csv'), 'id,A_1,A_2,B_1,B_2\nd,01:01,02:01,07:02,08:01\n')
    const args = ['--patients', 'p.csv', '--donors', 'd.csv', '-q', '--errors', 'e.csv', '-o', 'out.csv']
    const { status, stderr } = await run(args)
    expect(status).toBe(1)
    expect(stderr).toContain('p.csv:2:A_1: A*99:99 is not in')
    expect(stderr).toContain('p.csv:3:B_1: NEW')
    const written = rowsOf(readFileSync(join(cwd, 'out.csv'), 'utf8'))
    expect(written.map((row) => [row[0], row[5], row[8], row.at(-1)])).toEqual([
      ['1', 'unread', 'match', 'A'],
      ['2', 'match', 'unread', 'B'],
    ])
    expect(rowsOf(readFileSync(join(cwd, 'e.csv'), 'utf8')).map((row) => row.slice(0, 6))).toEqual([
      ['1', '2', '1', 'A_1', 'A', '99:99 01:01'],
      ['2', '3', '2', 'B_1', 'B', '07:02 NEW'],
    ])
  })

  test.for([
    ['01:01,', 'potential', '0-1'],
    ['01:01,97', 'potential', '0-1'],
    ['01:01,99', 'potential', '0-1'],
    ['01:01,98', 'mismatch', '1'],
    ['01:01,-', 'mismatch', '1'],
    ['01:01,X', 'mismatch', '1'],
    ['01:01,01:01', 'mismatch', '1'],
    ['NA,NA', 'untyped', ''],
  ] as const)('cells %s: %s', async ([cells, verdict, hvg]) => {
    writeFileSync(join(cwd, 'one.csv'), `id,A_1,A_2\n1,${cells}\n2,02:01,03:01\n`)
    writeFileSync(join(cwd, 'd.csv'), 'id,A_1,A_2\nd,01:01,02:01\n')
    const { stdout } = await run(['--patients', 'one.csv', '--donors', 'd.csv', '-q'])
    const row = rowsOf(stdout).find(([id]) => id === '1') ?? []
    expect([row[5], row[7]]).toEqual([verdict, hvg])
  })

  test.for([
    ['hla#3.25.0#A*02:01:08+A*24:02', 'match'],
    ['hla#3.25.0#A*02:01:08+A*24:02|A*02:01:08+A*03:01', 'potential'],
    ['A*02:01:08+A*24:02', 'unread'],
    ['hla#3.25.0#A2+A24', 'potential'],
    ['hla#3.99.0#A*24:02', 'unread'],
    ['hla#3.58.0#A*02:1040+A*24:02', 'match'],
  ] as const)('the code %s is read by its release: %s', async ([code, verdict]) => {
    // A*02:01:08 of 3.25.0 has become A*02:1040
    writeFileSync(join(cwd, 'code.csv'), `id,gl\n1,${code}\n`)
    writeFileSync(join(cwd, 'd.csv'), 'id,A_1,A_2\nd,02:1040,24:02\n')
    const { stdout, status } = await run(['--patients', 'code.csv', '--donors', 'd.csv', '-q'])
    expect([status, rowsOf(stdout)[0]?.[5]]).toEqual([verdict === 'unread' ? 1 : 0, verdict])
  })

  test('rows have no grades, records have them', async () => {
    const [csv, jsonl] = [await run([...files, '-q']), await run([...files, '-q', '-f', 'jsonl'])]
    const records = jsonl.stdout.trimEnd().split('\n').map((line) => JSON.parse(line)) // prettier-ignore
    const verdicts = (loci: readonly { readonly locus: string; readonly verdict: string }[]) =>
      LOCI.map((one) => loci.find(({ locus }) => locus === one)?.verdict ?? '')
    const columns = csv.stdout.split('\n', 1)[0]?.split(',') ?? []
    const at = LOCI.map((locus) => columns.indexOf(`${locus}_verdict`))
    expect(rowsOf(csv.stdout).map((row) => at.map((column) => row[column]))).toEqual(
      records.map(({ loci }) => verdicts(loci)),
    )
    expect(jsonl.stdout).toContain('"grade":"antigen"')
  }, 300_000)

  describe('provenance', () => {
    const verify = async (file: string, ...more: string[]) => {
      const { stdout, status } = await runHla(['provenance', 'verify', file, ...more], { cwd, env })
      const lines = stdout.trimEnd().split('\n').map((line) => line.split('\t')) // prettier-ignore
      return { status, lines: lines.map(([what, verdict]) => `${what} ${verdict}`) }
    }

    test('of two tables names both, and a rerun gives the same bytes', async () => {
      const asked = [
        '-o',
        'all.csv',
        '--errors',
        'bad.csv',
        '--provenance',
        '--min',
        '7/10',
        '--top',
        '2',
        '-q',
      ]
      const { status } = await run([...files, ...asked])
      expect(status).toBe(1)
      const record = JSON.parse(readFileSync(join(cwd, 'all.csv.hla.json'), 'utf8'))
      expect(record.inputs.map(({ name }: { name: string }) => name)).toEqual(['patients.csv', 'donors.csv'])
      expect(record.plans).toHaveLength(2)
      expect(record).toMatchObject({ exit: 1, summary: { patients: size, donors: size } })
      expect(record.summary.written).toBe(rowsOf(readFileSync(join(cwd, 'all.csv'), 'utf8')).length)
      const same = ['input ok', 'input ok', 'output ok', 'report ok', 'record ok', 'data ok', 'hla ok', 'options ok', 'rerun ok'] // prettier-ignore
      expect(await verify('all.csv.hla.json', '--rerun')).toEqual({ status: 0, lines: same })
    }, 300_000)

    test('tells a changed table, and a changed option', async () => {
      writeFileSync(join(cwd, 'rows.csv'), 'id,patient_A_1,patient_A_2,donor_A_1,donor_A_2\n1,02:01,03:01,02:01,24:02\n') // prettier-ignore
      await run(['-i', 'rows.csv', '-o', 'rows.jsonl', '--provenance=rows.json', '-q'])
      expect((await verify('rows.json')).lines).toEqual(['input ok', 'output ok', 'record ok', 'data ok', 'hla ok', 'options ok']) // prettier-ignore
      const record = readFileSync(join(cwd, 'rows.json'), 'utf8')
      writeFileSync(join(cwd, 'rows.csv'), 'id,patient_A_1,patient_A_2,donor_A_1,donor_A_2\n')
      writeFileSync(join(cwd, 'rows.json'), record.replace('"minSure": 0', '"minSure": 1'))
      const { status, lines } = await verify('rows.json')
      expect(status).toBe(1)
      expect(lines).toEqual(['input differs', 'output ok', 'record differs', 'data ok', 'hla ok', 'options differs']) // prettier-ignore
    })

    test('needs an output file', async () => {
      const { status, stderr } = await run([...files, '--provenance'])
      expect(status).toBe(2)
      expect(stderr).toContain('--provenance needs an output file')
    })
  })

  test('--plan shows both tables and stops', async () => {
    const { status, stdout } = await run([...files, '--plan'])
    expect(status).toBe(0)
    expect(stdout.match(/^id +id$/gm)).toHaveLength(2)
    expect(stdout).toMatch(/^match +release 3\.58\.0$/m)
  })

  test.for([
    [['--patients', 'patients.csv'], '--patients requires --donors'],
    [[...files, '--min', '8/9'], '--min is a number of alleles such as 8/10'],
    [[...files, '--min', '8/10', '--count', '8/8'], '--count "8/8" does not count'],
    [[...files, '--by-id', '--top', '3'], "cannot be used with option '--by-id'"],
    [['A*01:01', 'A*01:01', '--top', '3'], '--top is about tables'],
    [['A*01:01', '-i', 'donors.csv'], 'donors.csv is a table, but the patient is given as text'],
    [['-i', 'patients.csv'], 'not of a patient and a donor'],
  ] as const)('%j is refused', async ([args, message]) => {
    const { status, stderr, stdout } = await run(args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})
