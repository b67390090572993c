/** Lost names in the summary of a table: the same lines for local, parallel and remote answers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../../src/operations/knowledge.ts'
import { openService } from '../../../src/service/service.ts'
import { publishedHistory } from '../../support/history.ts'
import { installedData } from '../../support/installed-data.ts'
import { realMacs, realRelease } from '../../support/releases.ts'
import { callHla } from '../../support/call-hla.ts'
import { hasShared } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const PERSONS = 3000

/**
 * One person in six has a code with a renamed member. B*14:BZEFK and HLA-B*14:CAVKT have the same one; 01/28/59 and
 * A*01:AB lose nothing.
 */
const CELLS = [
  ['B*14:CAVKT', 'B*14:01', 'C*04:CCMS', 'C*04:01'],
  ['B*14:01', 'B*14:BZEFK', 'C*04:01', 'C*04:AB'],
  ['HLA-B*14:CAVKT', 'B*14:CAVKT', 'C*04:03', 'C*04:01'],
  ['B*14:01', 'B*14:02', 'C*04:03', ''],
  ['B*07:02', 'B*08:01', 'C*04:FHNJ', 'C*04:CCMS/C*04:FHNJ'],
  ['B*07:02', 'B*99:99', 'C*07:01', 'C*07:02'],
] as const
const COLUMNS = ['B_1', 'B_2', 'C_1', 'C_2']
const rows = Array.from({ length: PERSONS }, (_, at) => [`D${at}`, ...(CELLS[at % CELLS.length] ?? [])])

function text(cell: (value: string) => string): string {
  return [['id', ...COLUMNS], ...rows].map((row) => row.map(cell).join(',')).join('\n') + '\n'
}

/** Summary lines by method U2, for 500 of each row. */
const LINES = [
  'B*14:78N is B*14:78 now: 2 codes, 2,000 cells',
  'C*04:59 is C*04:59Q now: 2 codes, 1,500 cells',
]
const DETAILS = [`${LINES[0]} (B*14:BZEFK B*14:CAVKT)`, `${LINES[1]} (C*04:CCMS C*04:FHNJ)`]
const RECORDS = [
  { name: 'B*14:78N', kind: 'renamed', present: ['B*14:78'], codes: 2, cells: 2000 },
  { name: 'C*04:59', kind: 'renamed', present: ['C*04:59Q'], codes: 2, cells: 1500 },
]

describe.skipIf(!hasShared)('renamed members of codes in a table', () => {
  const knowledge = hasShared
    ? makeKnowledge({ release: realRelease('3580'), mac: realMacs(), history: publishedHistory })
    : undefined
  const service = knowledge && openService(knowledge, {})
  let [url, data] = ['', '']
  beforeAll(async () => {
    url = (await service?.app.listen({ port: 0, host: '127.0.0.1' })) ?? ''
    data = await installedData()
    writeFileSync(
      temp('plain.csv'),
      text((value) => value),
    )
    writeFileSync(
      temp('quoted.csv'),
      text((value) => `"${value}"`),
    )
    writeFileSync(temp('wide.csv'), Buffer.from(`\ufeff${text((value) => value)}`, 'utf16le'))
    writeFileSync(
      temp('long.csv'),
      `ID,locus,allele\n${rows.flatMap(([id, ...cells]) => cells.filter((one) => one !== '').map((one) => `${id},${/[BC](?=\*)/.exec(one)?.[0]},${one}\n`)).join('')}`,
    )
  })
  afterAll(() => service?.app.close())

  async function renamed(args: readonly string[], operation = 'redux') {
    const words = [
      operation,
      ...(operation === 'redux' ? ['-m', 'U2'] : []),
      ...args,
      '--summary',
      'json=s.json',
      '-o',
      'out',
    ]
    const { status, stderr } = await callHla(words, { cwd: temp('.'), env: { HLA_DATA_DIR: data } })
    expect({ status, stderr }).toMatchObject({ status: 1 })
    const lines = [...stderr.matchAll(/^hla: note: (.*) \[renamed-member\]$/gm)].map(([, line]) => line)
    const record = JSON.parse(readFileSync(temp('s.json'), 'utf8')) as { members?: unknown }
    return { lines, record: record.members, out: readFileSync(temp('out'), 'utf8') }
  }

  test.for([
    ['plain', ['-i', 'plain.csv']],
    ['quoted', ['-i', 'quoted.csv']],
    ['UTF-16', ['-i', 'wide.csv']],
    ['two methods', ['-i', 'plain.csv', '-m', '1F']],
    ['long, in', ['-i', 'long.csv']],
    ['long, out', ['-i', 'plain.csv', '--shape', 'long']],
    ['one GL String a person', ['-i', 'plain.csv', '--shape', 'gl']],
  ] as const)('%s', async ([, args]) => {
    expect(await renamed(args)).toMatchObject({ lines: LINES, record: RECORDS })
  })

  test('--details has the codes', async () => {
    expect((await renamed(['-i', 'plain.csv', '--details'])).lines).toEqual(DETAILS)
  })

  test('a service answers the cells, or the table', async () => {
    expect(await renamed(['-i', 'plain.csv', '--remote', url])).toMatchObject({
      lines: LINES,
      record: RECORDS,
    })
    const sent = await fetch(`${url}/table?method=U2&name=plain.csv`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', accept: 'application/json' },
      body: readFileSync(temp('plain.csv')),
    })
    const answer = await sent.text()
    for (const line of LINES) expect(answer).toContain(line)
  })

  test('a document', async () => {
    const typing = ([first, second]: readonly string[]) => `{"Field1": "${first}", "Field2": "${second}"}`
    const persons = rows.map(([id, b1 = '', b2 = '', c1 = '', c2 = '']) => `{"RecordId": "${id}", "Hla": {"B": {"Dna": ${typing([b1, b2])}}, "C": {"Dna": ${typing([c1, c2])}}}}`) // prettier-ignore
    writeFileSync(temp('d.json'), `{"donors": [${persons.join(',\n')}]}`)
    expect(await renamed(['-i', 'd.json'])).toMatchObject({
      lines: LINES,
      record: RECORDS,
    })
  })

  test('a method whose answer stays the same says nothing', async () => {
    const { stderr } = await callHla(['redux', '-m', '1F', '-i', 'plain.csv', '-o', 'one'], {
      cwd: temp('.'),
      env: { HLA_DATA_DIR: data },
    })
    expect(stderr).not.toContain('renamed-member')
  })

  test('validate and mac name them whatever a method would answer', async () => {
    expect((await renamed(['-i', 'plain.csv'], 'validate')).lines).toEqual(LINES)
    // a list of codes is not a code: the cells with C*04:CCMS/C*04:FHNJ fail
    const [first = '', second = ''] = DETAILS
    expect((await renamed(['-i', 'plain.csv', '--details'], 'mac')).lines).toEqual([
      first,
      second.replace('1,500', '1,000'),
    ])
  })

  test('--lift reads them, and says so', async () => {
    const [first = '', second = ''] = LINES
    const read = [first, second].map((line) => line.replace(' now:', ' now, and read under that name:'))
    const { lines, record, out } = await renamed(['-i', 'plain.csv', '--lift'])
    expect(lines).toEqual(read)
    expect(record).toEqual(RECORDS.map((one) => ({ ...one, lifted: true })))
    expect(out.split('\n')[1]).toBe(
      'D0,B*14:CAVKT,B*14:01/B*14:78/B*14:81,B*14:01,B*14:01,C*04:CCMS,C*04:03/C*04:59Q,C*04:01,C*04:01',
    )
    expect((await renamed(['-i', 'plain.csv', '--lift', '--remote', url])).out).toBe(out)
  })

  describe('expression letters', () => {
    const LETTERS = ['cells that lose an expression letter: 3 N, 2 L']
    const NAMES = [
      'A*01:01:01:02N loses its letter: 2 cells',
      'A*01:04N loses its letter: 1 cell',
      'A*24:02:01:02L loses its letter: 2 cells',
      'B*44:23N loses its letter: 1 cell',
    ]

    beforeAll(() => {
      writeFileSync(
        temp('letters.csv'),
        [
          'id,A_1,A_2,B_1,B_2',
          '1,A*01:01:01:02N,A*24:02:01:02L,B*07:02,B*08:01',
          '2,A*01:01:01:02N/A*01:04N/A*24:02:01:02L,A*01:01,B*44:23N,B*51:01',
        ].join('\n'),
      )
    })

    async function letters(...args: string[]) {
      const words = [...args, '-i', 'letters.csv', '-o', 'out', '--summary', 'json=s.json']
      const { stderr } = await callHla(words, { cwd: temp('.'), env: { HLA_DATA_DIR: data } })
      const record = JSON.parse(readFileSync(temp('s.json'), 'utf8')) as { letters?: unknown }
      const lines = [...stderr.matchAll(/^hla: note: (.*) \[expression-lost\]$/gm)].map(([, line]) => line)
      return { lines, letters: record.letters }
    }

    test.for([
      ['redux', '-m', 'lgx'],
      ['redux', '-m', 'lgx', '-m', 'G'],
      ['redux', '-m', 'lgx', '--shape', 'gl'],
      ['redux', '-m', 'lgx'],
    ])('%s: counted', async (words) => {
      expect(await letters(...words)).toEqual({ lines: LETTERS, letters: { N: 3, L: 2 } })
    })

    test('-v and --details name them', async () => {
      for (const word of ['-v', '--details'])
        expect((await letters('redux', '-m', 'lgx', word)).lines).toEqual(NAMES)
    })

    test('cwd and a service count them, and W loses none', async () => {
      expect((await letters('redux', '-m', 'lgx', '--remote', url)).lines).toEqual(LETTERS)
      expect((await letters('cwd')).letters).toEqual({ N: 2, L: 2 })
      expect(await letters('redux', '-m', 'W')).toEqual({ lines: [], letters: undefined })
    })

    test('the provenance counts them', async () => {
      await letters('redux', '-m', 'lgx', '--provenance')
      const written = JSON.parse(readFileSync(temp('out.hla.json'), 'utf8')) as { summary: object }
      expect(written.summary).toMatchObject({ letters: { N: 3, L: 2 }, notes: { 'expression-lost': 4 } })
    })
  })
})
