/** Conversions that read from a file store, write into one, or both: killed, and resumed to what one run gives, once. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../support/drive.ts'
import { holdingProxy } from '../support/holding-proxy.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { type Ran, runHla, type RunOptions } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const ROWS = 40_000
const SEED = Number(process.env['HLA_TEST_SEED'] ?? Date.now() % 1_000_000)
const ROUNDS = process.env['HLA_LONG'] === undefined ? 4 : 30
let store: Drive

beforeAll(async () => {
  store = await startDrive()
})
afterAll(() => store.stop('SIGKILL'))

/** More than two pieces of an upload, with failures. */
function tableText(rows: number): string {
  const note = (at: number) => 'abcdefghij'.repeat(20).slice(at % 40)
  const lines = Array.from(
    { length: rows },
    (_, at) => `D${at},${note(at)},${at % 997 === 0 ? 'A*99:99' : 'A*01:01:01'},A*02:0${1 + (at % 9)}`,
  )
  return `ID,NOTE,A1,A2\n${lines.join('\n')}\n`
}

interface Place {
  /** Its home, and where its files are. */
  readonly cwd: string
  readonly url?: string
}

function placed(name: string): Place {
  mkdirSync(temp(name))
  return { cwd: temp(name) }
}

function hla({ cwd, url = store.url }: Place, words: readonly string[], options: Partial<RunOptions> = {}) {
  const env = { HLA_DRIVE_URL: url, HLA_DRIVE_TOKEN: store.token, HLA_RELEASE: 'starter' }
  return runHla(words, { cwd, ...options, env: { ...env, ...options.env } })
}

async function put(place: Place, path: string, content: string | Uint8Array): Promise<void> {
  const ran = await hla(place, ['drive', 'put', '-q', '-p', '-', path], { stdin: content })
  expect(ran).toMatchObject({ status: 0 })
}

async function bytesOf(place: Place, file: string): Promise<Buffer> {
  if (!file.startsWith('drive:')) return readFileSync(join(place.cwd, file))
  const ran = await hla(place, ['drive', 'get', '-q', file.slice(6), '-o', 'fetched'])
  expect(ran).toMatchObject({ status: 0 })
  return readFileSync(join(place.cwd, 'fetched'))
}

/** How many each of these has, by its title; two files of one title would be refused. */
async function revisionsOf(
  place: Place,
  folder: string,
  titles: readonly string[],
): Promise<Record<string, number>> {
  const logs = titles.map(async (title) => {
    const ran = await hla(place, ['drive', 'log', `${folder}/${title}`, '--json'])
    expect(ran).toMatchObject({ status: 0 })
    return [title, ran.stdout.trim().split('\n').length] as const
  })
  return Object.fromEntries(await Promise.all(logs))
}

/** What is kept here of conversions into a store. */
function kept({ cwd }: Place): string[] {
  const folder = join(cwd, '.local/state/hla/conversions')
  return statSync(folder, { throwIfNoEntry: false }) === undefined
    ? []
    : readdirSync(folder).map((name) => join(folder, name))
}

function isCopy(name: string): boolean {
  return name.endsWith('.part') && !name.includes('.hla-state.json')
}

function stateIn(place: Place): string {
  return kept(place).find((name) => name.endsWith('.hla-state.json')) ?? ''
}

const OFTEN = ['--checkpoint', '2000', '--summary', 'json=summary.json', '-q']

function convert(
  place: Place,
  [input, output]: readonly [string, string],
  { resume = false, more = [], ...options }: Partial<RunOptions> & { resume?: boolean; more?: string[] } = {},
): Promise<Ran> {
  const words = ['redux', '-i', input, '-o', output, ...OFTEN, ...more, ...(resume ? ['--resume'] : [])]
  return hla(place, words, options)
}

/** What a conversion wrote: the same for each of the same table. */
async function written(place: Place, output: string): Promise<Record<string, string>> {
  const record: unknown = JSON.parse((await bytesOf(place, `${output}.hla.json`)).toString())
  const { input, output: made, summary, exit } = record as Record<string, Record<string, unknown>>
  return {
    output: (await bytesOf(place, output)).toString('latin1'),
    errors: (await bytesOf(place, `${output}.errors.csv`)).toString(),
    summary: readFileSync(join(place.cwd, 'summary.json'), 'utf8'),
    provenance: JSON.stringify([input?.['sha256'], made?.['sha256'], made?.['bytes'], summary, exit]),
  }
}

describe('a killed conversion', () => {
  const table = tableText(ROWS)

  test.for([
    ['drive:/k1/in.csv', 'drive:/k1/out', '.csv'],
    ['drive:/k2/in.csv.gz', 'drive:/k2/out', '.csv.gz'],
    ['in.csv', 'drive:/k3/out', '.csv.gz'],
    ['drive:/k4/in.csv', 'out', '.csv.gz'],
  ] as const)(
    `of %s into %s (%s) is resumed (HLA_TEST_SEED=${SEED})`,
    { timeout: 1_200_000 },
    async ([input, output, suffix], { expect }) => {
      const random = randomNumbers(SEED + input.length * 7 + output.length)
      const isStored = output.startsWith('drive:')
      const place = placed(`kill-${input.length}-${output.length}${suffix}`)
      const content = input.endsWith('.gz') ? gzipSync(table) : table
      if (input.startsWith('drive:')) await put(place, input.slice(6), content)
      else writeFileSync(join(place.cwd, input), content)
      if (isStored) await put(place, `${output.slice(6, 9)}/x.txt`, 'x')
      const more = ['--provenance']
      const began = performance.now()
      expect(await convert(place, [input, `${output}${suffix}`], { more })).toMatchObject({ status: 1 })
      const took = performance.now() - began
      const whole = await written(place, `${output}${suffix}`)
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = `${output}-${round}${suffix}`
        // one that is there gets a revision
        if (isStored && round % 2 === 1) await put(place, name.slice(6), 'before')
        rmSync(join(place.cwd, 'summary.json'), { force: true })
        const status = await killAndResume(place, [input, name], { random, took, more })
        expect(await written(place, name)).toEqual(whole)
        // a run that is killed while it removes them can leave copies, but no state that could be gone on with
        if (status === 1) expect(kept(place)).toEqual([])
        else for (const one of kept(place).filter(isCopy)) rmSync(one)
        expect(kept(place)).toEqual([])
        if (!isStored) continue
        const title = name.slice(10)
        const titles = [title, `${title}.errors.csv`, `${title}.hla.json`]
        expect(Object.values(await revisionsOf(place, output.slice(6, 9), titles))).toEqual([
          1 + (round % 2),
          1,
          1,
        ])
      }
    },
  )
})

interface Killing {
  readonly random: () => number
  readonly took: number
  readonly more: string[]
}

/** Up to three runs are killed, or their store is; then one is left alone. The status of the last. */
async function killAndResume(
  place: Place,
  files: readonly [string, string],
  { random, took, more }: Killing,
): Promise<number> {
  for (let run = 0; run < 8; run += 1) {
    const isLast = run >= 3 || random() < run / 4
    const after = took * (0.15 + random())
    const isOfStore = !isLast && random() < 0.3
    const signal = random() < 0.7 ? 'SIGKILL' : 'SIGTERM'
    const kill = isLast || isOfStore ? {} : ({ signal, after } as const)
    const running = convert(place, files, { resume: run > 0, more, ...kill })
    if (isOfStore) await restartStore(after)
    const { status, stderr } = await running
    // a store that was away for too long
    expect({ stderr, isExpected: [1, 5, 137, 143].includes(status) }).toMatchObject({ isExpected: true })
    if (isLast) expect({ stderr, status }).toMatchObject({ status: 1 })
    // all is there when the summary is: what is killed behind it has done its work
    const summary = statSync(join(place.cwd, 'summary.json'), { throwIfNoEntry: false })
    if (status === 1 || (summary?.size ?? 0) > 0) return status
  }
  throw new Error('it never ended')
}

async function restartStore(after: number): Promise<void> {
  const { folder, token, url } = store
  await new Promise((over) => setTimeout(over, after))
  await store.stop('SIGKILL')
  store = await startDrive({ folder, token, args: ['--port', new URL(url).port] })
}

describe('what is kept of a conversion into a store', () => {
  async function interrupted(name: string, rows = ROWS): Promise<{ place: Place; files: [string, string] }> {
    const place = placed(name)
    await put(place, `/${name}/in.csv`, tableText(rows))
    const files: [string, string] = [`drive:/${name}/in.csv`, `drive:/${name}/out.csv`]
    const { status, stderr } = await convert(place, files, {
      signal: 'SIGTERM',
      more: ['-j', '1', '--progress', 'jsonl'],
      // in the middle: the first failures are shown
      when: /:\d{4,}:A1: /,
    })
    expect({ stderr, status }).toMatchObject({ status: 143 })
    return { place, files }
  }

  test('is for its user alone, holds no token, and is gone at the end', { timeout: 60_000 }, async () => {
    const { place, files } = await interrupted('kept')
    const names = kept(place)
    expect(names).toHaveLength(3)
    for (const name of names) {
      expect(statSync(name).mode & 0o777).toBe(0o600)
      expect(readFileSync(name, 'latin1')).not.toContain(store.token)
    }
    expect(readFileSync(stateIn(place), 'utf8')).toContain('upload_id=')
    expect(statSync(join(stateIn(place), '..')).mode & 0o777).toBe(0o700)
    expect(await convert(place, files, { resume: true })).toMatchObject({ status: 1 })
    expect(kept(place)).toEqual([])
  })

  test('is of no use for another input', { timeout: 60_000 }, async () => {
    const { place, files } = await interrupted('other')
    await put(place, '/other/in.csv', tableText(10))
    const refused = await convert(place, files, { resume: true })
    expect(refused).toMatchObject({ status: 6, stdout: '' })
    expect(refused.stderr).toMatch(/the input was revision \S+, there is \S+ by now/)
    expect(kept(place)).toHaveLength(3)
    // without it the earlier one is dropped
    expect(await convert(place, files)).toMatchObject({ status: 1 })
    expect(kept(place)).toEqual([])
    expect(await revisionsOf(place, '/other', ['out.csv'])).toEqual({ 'out.csv': 1 })
  })

  test('is enough when the store has forgotten the upload', { timeout: 60_000 }, async () => {
    const { place, files } = await interrupted('forgotten')
    const addresses = [
      ...readFileSync(stateIn(place), 'utf8').matchAll(/\/upload\/[^"\\]*upload_id=[\w%-]+[^"\\]*/g),
    ]
    expect(addresses).not.toEqual([])
    for (const [address] of addresses) expect((await store.ask('DELETE', address)).status).toBe(499)
    expect(await convert(place, files, { resume: true })).toMatchObject({ status: 1 })
    const again: [string, string] = [files[0], 'whole.csv']
    await convert(place, again, { more: ['--provenance'] })
    expect((await written(place, files[1]))['output']).toBe((await written(place, 'whole.csv'))['output'])
    const titles = ['out.csv', 'out.csv.errors.csv', 'out.csv.hla.json']
    expect(Object.values(await revisionsOf(place, '/forgotten', titles))).toEqual([1, 1, 1])
  })

  test.for([
    ['before it arrived', false],
    ['after it arrived', true],
  ] as const)(
    'makes one revision of what was killed at its last request, %s',
    { timeout: 60_000 },
    async ([, isFirst]) => {
      const name = `late-${isFirst}`
      const place = placed(name)
      await put(place, `/${name}/in.csv`, tableText(500))
      // that of the output: its report and its provenance are smaller
      const proxy = await holdingProxy(
        store.url,
        /^PUT \S+upload_id=\S+ [^]*content-range: bytes 0-\d{6}\/\d/i,
      )
      const slow: Place = { ...place, url: proxy.url }
      const files = [`drive:/${name}/in.csv`, `drive:/${name}/out.csv`] as const
      const first = convert(slow, files, { signal: 'SIGKILL', after: 4000 })
      await proxy.held
      expect((await first).status).toBe(137)
      if (isFirst) expect(await proxy.release()).toBe(200)
      expect(await convert(slow, files, { resume: true })).toMatchObject({ status: 1 })
      if (!isFirst) expect(await proxy.release()).toBe(200)
      const titles = ['out.csv', 'out.csv.errors.csv', 'out.csv.hla.json']
      expect(Object.values(await revisionsOf(place, `/${name}`, titles))).toEqual([1, 1, 1])
      expect(kept(place)).toEqual([])
    },
  )

  test('cannot be kept where nothing can be written, which is said', async () => {
    const place = placed('unwritable')
    await put(place, '/unwritable/in.csv', tableText(10))
    const files = ['drive:/unwritable/in.csv', 'drive:/unwritable/out.csv'] as const
    writeFileSync(join(place.cwd, 'file'), '')
    const env = { XDG_STATE_HOME: join(place.cwd, 'file') }
    const refused = await convert(place, files, { env })
    expect(refused).toMatchObject({ status: 4, stdout: '' })
    expect(refused.stderr).toContain('--checkpoint 0 does without')
    expect(await convert(place, files, { env, more: ['--checkpoint', '0'] })).toMatchObject({ status: 1 })
    expect(await revisionsOf(place, '/unwritable', ['out.csv'])).toEqual({ 'out.csv': 1 })
  })
})
