/** Every line of the migration guide, run; what py-ard answered is compared where it was recorded. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROGRAMS, QUESTIONS, SETTINGS } from '../../src/manual/migration.ts'
import { type CorpusRow, readCorpus } from '../support/corpus.ts'
import { installedData } from '../support/installed-data.ts'
import { smallBranch, within, writeFiles } from '../support/published-release.ts'
import { RUN_FOLDER, runShell } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

function folder(name: string): string {
  const cwd = join(RUN_FOLDER, 'migration', name)
  mkdirSync(cwd, { recursive: true })
  return cwd
}

describe.skipIf(!hasShared).concurrent('a question of py-ard', () => {
  const corpus = hasShared
    ? ['alleles-3580', 'alleles-3290', 'config-3580', 'ops-3580'].flatMap(answersIn)
    : []

  test.for(QUESTIONS)('$peer', async ({ peer, ours, output }) => {
    const cwd = folder('questions')
    const data = await installedData()
    try {
      symlinkSync(data, join(cwd, 'DIR'))
    } catch {
      // of the row before
    }
    const { stdout, stderr, status } = await runShell(ours, { cwd, env: { HLA_DATA_DIR: data } })
    if (output !== undefined) expect(stdout).toBe(`${output}\n`)
    expect(status < 2 || /\[no-hats\]/.test(stderr) ? '' : stderr).toBe('')
    const recorded = corpus.filter((row) => asAsked(row) === peer)
    expect(recorded.filter(({ output: said }) => output?.split('\t')[0] !== said)).toEqual([])
  })

  test('most of those that can be are recorded', () => {
    const asked = new Set(corpus.map(asAsked))
    expect(QUESTIONS.filter(({ peer }) => asked.has(peer)).length).toBeGreaterThanOrEqual(7)
  })
})

const FLAGS: Readonly<Record<string, string>> = {
  cwd: '--cwd', similar: '--similar', 'mac-expand': '--expand-mac', 'mac-lookup': '--lookup-mac', 'xx-expand': '--expand-xx',
} // prettier-ignore

interface Recorded extends CorpusRow {
  readonly release: string
}

function answersIn(file: string): Recorded[] {
  return readCorpus(`dev/${file}.tsv.gz`).map((row) => ({ ...row, release: file.slice(-4) }))
}

/** The command line that asked it. */
function asAsked({ op, method, input, config, release }: Recorded): string {
  const words = [
    'pyard',
    ...(release === '3580' ? [] : ['-i', release]),
    ...(config === '{"strict": false}' ? ['--non-strict'] : config === '' ? [] : [config]),
    ...(op === 'redux' ? ['-g', `'${input}'`, '-r', method] : [FLAGS[op] ?? op, `'${input}'`]),
  ]
  return words.join(' ')
}

describe('a program of py-ard', () => {
  test.for(PROGRAMS)('$peer', async ({ peer, ours }) => {
    const cwd = folder(peer.replace(/\W+/g, '-'))
    const branches = [
      ...within('3570', smallBranch('3.57.0', '2024-07-01')),
      ...within('3580', smallBranch('3.58.0')),
    ]
    writeFiles(join(cwd, 'IMGTHLA'), new Map(branches))
    writeFileSync(join(cwd, 'numer.v3.txt'), 'LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n')
    const { stderr, status } = await runShell(ours, { cwd })
    expect(status === 0 ? '' : stderr).toBe('')
  })
})

describe.skipIf(!hasShared).concurrent('a setting of reduce_conf.json', () => {
  test.for(SETTINGS)('$key', async ({ key, ours, cell, columns }) => {
    const cwd = folder(key.replace(/\W+/g, '-'))
    writeFileSync(join(cwd, 'donors.csv'), `id,A_1,A_2\n1,${cell?.[0] ?? '01:01'},\n`)
    const command = ours.includes('-i ') ? `hla redux ${ours}` : `hla redux -i donors.csv ${ours}`
    const env = { HLA_DATA_DIR: await installedData() }
    if (key.includes('drb345')) writeFileSync(join(cwd, 'donors.csv'), DRB)
    const { stdout, stderr, status } = await runShell(command, { cwd, env })
    expect(status === 0 ? '' : stderr).toBe('')
    const [header = '', row = ''] = stdout.split('\n')
    if (columns !== undefined) expect(header).toBe(columns)
    if (cell !== undefined) expect(row.split(',')[2]).toBe(cell[1])
  })
})

const DRB = 'id,DRB1_1,DRB1_2,DRB3_1,DRB3_2,DRB4_1,DRB4_2\n1,03:01,04:01,01:01,,01:03,\n'

describe.skipIf(!hasShared).concurrent('a recorded run of pyard-reduce-csv', () => {
  const peer = (name: string) => readFileSync(sharedPath('conformance/peer-batch', name), 'utf8')
  // all but the last column, which these runs left out
  const input = () => peer('in.csv').replace(/,[^,\n]*$/gm, '')

  test.for(['c1-replace', 'c2-newcols-gl', 'c4-all-kinds'])(
    '%s: with the options of the table, every cell that it reduced is the same here',
    async (name) => {
      const config = JSON.parse(peer(`${name}.json`)) as Record<string, unknown>
      const cwd = folder(name)
      writeFileSync(join(cwd, 'in.csv'), input())
      const { stdout, stderr } = await runShell(commandFor(config), {
        cwd,
        env: { HLA_DATA_DIR: await installedData() },
      })
      expect(stderr).not.toMatch(/hla: (?:internal )?error/)
      const compared = comparedCells(input(), stdout, peer(`${name}.out.csv`))
      expect(compared.length).toBeGreaterThan(20)
      expect(compared.filter(({ us, them }) => us !== them)).toEqual([])
    },
  )
})

/** The settings that the table knows as its options; names with spaces around them, and old names, as py-ard reads them. */
function commandFor(config: Readonly<Record<string, unknown>>): string {
  const rows = SETTINGS.filter(({ key }) => {
    const wanted = Object.entries(
      JSON.parse(`{${key.startsWith('"in_csv') ? '' : key}}`) as Record<string, unknown>,
    )
    return wanted.length > 0 && wanted.every(([name, value]) => config[name] === value)
  })
  const keeping = rows.flatMap(({ ours }) => /--keep (\S+)/.exec(ours)?.[1] ?? [])
  const keep = keeping.length === 0 ? '' : `--keep ${keeping.join(',')}`
  const others = rows.map(({ ours }) => ours.replace(/--keep \S+( -m \S+)?/, '')).join(' ')
  const { donor } = config['locus_column_mapping'] as { donor: Record<string, string[]> }
  const loci = Object.entries(donor).map(
    ([locus, columns]) => `-l ${locus.toUpperCase()}=${columns.join(',')}`,
  )
  const method = `-m ${String(config['redux_type'])}`
  return `hla redux -q -i in.csv --accept space --bare-digits v2 ${method} ${loci.join(' ')} ${keep} ${others.replace(/-m \S+/, '')}`
}

function comparedCells(
  given: string,
  ours: string,
  theirs: string,
): { cell: string; us: string; them: string }[] {
  const [input, us, them] = [given, ours, theirs].map(readCells)
  const rows = [...(them?.keys() ?? [])]
  return rows.flatMap((place) => {
    const [line = '', column = ''] = place.split(' ')
    const source = input?.get(`${line} ${column.replace(/^reduced_/, '')}`)?.trim() ?? ''
    const said = them?.get(place) ?? ''
    // what it could not reduce it keeps; our cell is blank then
    if (said === source || said === '' || !/^(reduced_)?(a|b|c|d\w+)_?\d$/.test(column)) return []
    // the peer reduces the parts of a list one by one, and keeps the same name twice
    const expected = [...new Set(said.split('/'))].join('/')
    return [{ cell: `${place}: ${source}`, us: us?.get(place) ?? '', them: expected }]
  })
}

/** `1 a1` -> the cell of column a1 in the first row. */
function readCells(text: string): Map<string, string> {
  const [header = [], ...rows] = text.trimEnd().split('\n').map((line) => line.split(',')) // prettier-ignore
  return new Map(
    rows.flatMap((row, at) => row.map((cell, column) => [`${at + 1} ${header[column]}`, cell] as const)),
  )
}
