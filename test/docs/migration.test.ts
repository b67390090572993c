/** Runs every line of the migration guide, and compares with py-ard's recorded answers where they exist. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { REQUESTS, type RequestRow } from '../../src/manual/topics/migrate.ts'
import { PROGRAMS, QUESTIONS, SETTINGS } from '../../src/manual/migration.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { buildService } from '../../src/service/service.ts'
import { answerOf, isRecorded } from '../conformance/comparison.ts'
import { callLine } from '../support/call-hla.ts'
import { type CorpusRow, readCorpus, recorded } from '../support/corpus.ts'
import { installedData } from '../support/installed-data.ts'
import { smallBranch, within, writeFiles } from '../support/published-release.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { RUN_FOLDER, runShell } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

function folder(name: string): string {
  const cwd = join(RUN_FOLDER, 'migration', name)
  mkdirSync(cwd, { recursive: true })
  return cwd
}

/** Their output describes the machine, or releases without recorded answers. */
const UNRECORDED = ['pyard -v', "pyard --expand-mac-hats 'A*01:AB'"]

describe.skipIf(!hasShared).concurrent('a question of py-ard', () => {
  const corpus = hasShared
    ? ['alleles-3580', 'alleles-3290', 'codes-3580', 'config-3580', 'invalid-3580', 'ops-3580'].flatMap(
        answersIn,
      )
    : []

  test.for(QUESTIONS)('$peer', async ({ peer, ours, output }) => {
    const cwd = folder('questions')
    const data = await installedData()
    try {
      symlinkSync(data, join(cwd, 'DIR'))
    } catch {
      // an earlier row has made the link
    }
    const { stdout, stderr, status } = await callLine(ours, { cwd, env: { HLA_DATA_DIR: data } })
    if (output !== undefined) expect(stdout).toBe(`${output}\n`)
    expect(status < 2 || /\[no-hats\]/.test(stderr) ? '' : stderr.replace(/^hla: note: .*\n/gm, '')).toBe('')
    const recorded = corpus.filter((row) => asksFor(row, peer))
    expect(recorded.length > 0).toBe(!UNRECORDED.includes(peer))
    expect(recorded.filter((row) => !isPrinted(row, output ?? ''))).toEqual([])
  })
})

const FLAGS: Readonly<Record<string, string>> = {
  'cwd': '--cwd', 'similar': '--similar', 'mac-expand': '--expand-mac', 'mac-lookup': '--lookup-mac', 'xx-expand': '--expand-xx',
  'splits': '--splits', 'validate': '--validate -g',
} // prettier-ignore

interface Recorded extends CorpusRow {
  readonly release: string
}

function answersIn(file: string): Recorded[] {
  return readCorpus(`dev/${file}.tsv.gz`).map((row) => ({ ...row, release: file.slice(-4) }))
}

/** Whether the command line asks this question; without a method it asks for all. */
function asksFor({ op, method, input, config, release }: Recorded, peer: string): boolean {
  const asked = peer.replace(' -d DIR', '').replace('--expand ', '--expand-xx ').replaceAll("'", '')
  const words = [
    'pyard',
    ...(release === '3580' ? [] : ['-i', release]),
    ...(config === '{"strict": false}' ? ['--non-strict'] : config === '' ? [] : [config]),
    ...(op === 'redux' ? ['-g', input] : [FLAGS[op] ?? op, input]),
  ].join(' ')
  return asked === words || (op === 'redux' && asked === `${words} -r ${method}`)
}

const ALL = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S', '1F']

/** Compares with hla's output: a column for each method, two for broad and splits; for common alleles the first. */
function isPrinted({ op, method, status, output: said }: Recorded, printed: string): boolean {
  const cells = printed.split('\t')
  if (op === 'validate') return (cells[0] === 'valid') === (status === 'ok')
  if (op === 'splits') return cells.join('=') === said
  return (cells.length === ALL.length ? cells[ALL.indexOf(method)] : cells[0]) === said
}

describe.skipIf(!hasShared)('a request of its service', () => {
  const SAMPLE = 60
  const app = hasShared ? buildService(makeKnowledge({ release: realRelease('3580'), mac: realMacs() }), { maxAlleles: 0 }) : undefined // prettier-ignore
  const engine = () => makeEngine(realRelease('3580'), realMacs())

  test.for(REQUESTS.filter(({ recorded }) => recorded !== undefined))(
    '$request answers what was recorded',
    async (row) => {
      const { op, method } = row.recorded ?? { op: '' }
      const files = op === 'redux' ? ['gl-3580', 'codes-3580', 'invalid-3580'] : ['ops-3580']
      // other tests judge intended differences, by docs/divergences.md
      const rows = files
      .flatMap((file) => readCorpus(`dev/${file}.tsv.gz`))
      .filter((one) => one.op === op && one.input !== '' && !isOdd(one) && one.input.length < 500 && METHODS.has(one.method) && (method === undefined || one.method === method)) // prettier-ignore
      const picked = rows.filter((_, at) => at % Math.max(1, Math.floor(rows.length / SAMPLE / 8)) === 0)
      const ours = engine()
      const same = picked.filter((one) => isRecorded(answerOf(ours, one), { row: one, release: '3580', unordered: false })) // prettier-ignore
      expect(same.length).toBeGreaterThan(SAMPLE / 2)
      for (const one of same) await expectSame(row, one)
    },
  )

  /** A text with spaces, or a blend of other genes, which the service refuses (blend-gene, blend-genotype). */
  function isOdd({ op, input }: CorpusRow): boolean {
    if (op !== 'blend') return /\s/.test(input)
    const [genotype = '', ...genes] = JSON.parse(input) as string[]
    const isOwn = (text: string, at: number) => text === '' || text.split('+').every((one) => new RegExp(`^(HLA-)?DRB${at + 3}\\*[\\d:]+$`).test(one)) // prettier-ignore
    return !/^(HLA-)?DRB1\*[\d:]+\+(HLA-)?DRB1\*[\d:]+$/.test(genotype) || !genes.every(isOwn)
  }

  const METHODS = new Set(['-', 'G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S', '1F'])

  async function expectSame(
    { request, member }: RequestRow,
    { op, method, input, status, output }: CorpusRow,
  ) {
    const [verb, path = ''] = request.split(' ')
    const url = path.replace(/\{\w+\}/, () => encodeURIComponent(input)).replace(/=$/, () => `=${encodeURIComponent(input)}`) // prettier-ignore
    // /ard takes no GL Strings
    if (path.startsWith('/ard') && /[\^|+~/]/.test(input)) return
    const [DRB1_SLUG, DRB3, DRB4, DRB5] = op === 'blend' ? (JSON.parse(input) as string[]) : []
    const payload = op === 'blend' ? { DRB1_SLUG, DRB3, DRB4, DRB5 } : { gl_string: input, ...(op === 'redux' ? { reduction_method: method } : {}) } // prettier-ignore
    const answer = await app!.inject(
      verb === 'POST' ? { method: 'POST', url, payload } : { method: 'GET', url },
    )
    const body = answer.json() as Record<string, unknown>
    const said = memberText(op, body, member)
    const isRight = status === 'error' ? [400, 404].includes(answer.statusCode) : recorded(said) === output
    expect(isRight ? '' : `${request} ${input}: ${answer.statusCode} ${answer.body.slice(0, 200)}, not ${output}`).toBe('') // prettier-ignore
  }

  /** The member in the format of the corpus; empty if the service answers that there is none. */
  function memberText(op: string, body: Record<string, unknown>, member = ''): string {
    if (op === 'similar') return Array.isArray(body) ? body.join('/') : ''
    if (op === 'splits') return Array.isArray(body['splits']) ? `${String(body['broad'])}=${body['splits'].join('/')}` : '' // prettier-ignore
    const value = body[member]
    return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  }
})

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
    const { stdout, stderr, status } = await callLine(command, { cwd, env })
    expect(status === 0 ? '' : stderr).toBe('')
    const [header = '', row = ''] = stdout.split('\n')
    if (columns !== undefined) expect(header).toBe(columns)
    if (cell !== undefined) expect(row.split(',')[2]).toBe(cell[1])
  })
})

describe.skipIf(!hasShared)('every setting', () => {
  /** Switches of the batch tool alone, or without a recorded run; the tests above run each. */
  const NOT_RECORDED = ['reduce_2field', 'reduce_3field', 'reduce_P', 'apply_compression', 'verbose_log', 'reduced_column_prefix'] // prettier-ignore

  test('was recorded with this value, in a run of pyard-reduce-csv or in an answer of the library, or is named', () => {
    const runs = readdirSync(sharedPath('conformance/peer-batch')).filter((name) => name.endsWith('.json'))
    const configs = [
      ...runs.map((name) => readFileSync(sharedPath('conformance/peer-batch', name), 'utf8')),
      ...new Set(readCorpus('dev/config-3580.tsv.gz').map(({ config }) => config)),
    ].map((text) => JSON.parse(text) as Record<string, unknown>)
    const wanted = SETTINGS.flatMap(({ key }) => key.startsWith('"in_csv') ? [] : Object.entries(JSON.parse(`{${key}}`) as object)) // prettier-ignore
    const isRecordedSetting = ([name, value]: [string, unknown]) =>
      configs.some((config) =>
        typeof value === 'object' ? config[name] !== undefined : config[name] === value,
      )
    const missing = wanted.filter((one) => !isRecordedSetting(one)).map(([name]) => name)
    expect(missing.filter((name) => !NOT_RECORDED.includes(name))).toEqual([])
  })
})

const DRB = 'id,DRB1_1,DRB1_2,DRB3_1,DRB3_2,DRB4_1,DRB4_2\n1,03:01,04:01,01:01,,01:03,\n'

describe.skipIf(!hasShared).concurrent('a recorded run of pyard-reduce-csv', () => {
  const peer = (name: string) => readFileSync(sharedPath('conformance/peer-batch', name), 'utf8')
  // without the last column, which the recorded runs did not have
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

/**
 * The command for the settings that have options; names with spaces around them, and old names, are read as in py-ard.
 */
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
    // py-ard keeps unreduced cells; our cell is blank then
    if (said === source || said === '' || !/^(reduced_)?(a|b|c|d\w+)_?\d$/.test(column)) return []
    // py-ard reduces each part of a list, and keeps duplicates
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
