/** POST /table: the bytes that the command line writes, the messages about them, and files that are not tables. */
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import type { ServiceOptions } from '../../src/service/options.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { callHla } from '../support/call-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { installedData } from '../support/installed-data.ts'
import { tempFolder } from '../support/temp.ts'
import { makeWorkbook, textRows } from '../support/workbook.ts'

const temp = tempFolder()
const open: Service[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.drain({ delay: 0, patience: 0 })))
})

async function listening(
  options: Partial<ServiceOptions> = {},
  knowledge = makeKnowledge(openStarter()),
): Promise<string> {
  const service = openService(knowledge, options)
  open.push(service)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
  return `http://127.0.0.1:${port}/table`
}

const DONORS = `ID,A_1,A_2,B_1,B_2,note
1,01:01,02:01,07:02,08:01,"x, y"
2,01:AB,,99:99,44:02,
3,A*01:01,NNNN,07:02,08:01,z
`

const post = (url: string, body: string | Uint8Array<ArrayBuffer>) => fetch(url, { method: 'POST', body })

/** The parts of an answer; files as bytes. */
async function partsOf(answer: Response): Promise<Record<string, { text: string; name: string }>> {
  expect(answer.status).toBe(200)
  const form = await answer.formData()
  const parts = await Promise.all(
    [...form].map(async ([name, value]) => {
      const part = typeof value === 'string' ? { text: value, name: '' } : await readPart(value)
      return [name, part] as const
    }),
  )
  return Object.fromEntries(parts)
}

async function readPart(file: File): Promise<{ text: string; name: string }> {
  return { text: Buffer.from(await file.arrayBuffer()).toString('latin1'), name: file.name }
}

/** Output of the command line. */
async function converted(args: readonly string[], table: string | Uint8Array, name: string): Promise<string> {
  // an ending such as .csv would set the delimiter
  const [file, output] = [temp(name), temp('output.txt')]
  writeFileSync(file, table)
  await callHla(['redux', '-q', ...args, '-i', file, '-o', output], {
    cwd: temp('.'),
    env: hasShared ? { HLA_DATA_DIR: await installedData() } : {},
  })
  return readFileSync(output, 'latin1')
}

const LONG = 'who,gene,call,reads\nS1,A,01:01,9\nS1,A,02:01,8\nS1,B,07:02,7\nS2,A,24:02,6\n'

describe('a table with a row a typing', () => {
  const told = ['--long', 'sample=who', '--long', 'allele=call']
  const query = '?name=long.csv&long=sample=who,allele=call'
  test.for([
    ['', []],
    [',scores=reads', ['--long', 'scores=reads']],
    [',locus=gene&shape=long', ['--shape', 'long', '--long', 'locus=gene']],
    ['&shape=gl&input_format=long', ['--shape', 'gl', '--input-format', 'long']],
  ] as const)('is answered with the bytes of the command line: %s', async ([more, args]) => {
    const parts = await partsOf(await post((await listening()) + query + more, LONG))
    expect(parts['table']?.text).toBe(await converted(['-r', 'starter', ...told, ...args], LONG, 'long.csv'))
    expect(parts['plan']?.text).toContain('read as    sample who, locus gene, allele call')
  })

  test('the header again is told, and that of another table refused', async () => {
    const url = await listening()
    const parts = await partsOf(await post(url, 'id,A1,A2\n1,01:01,02:01\nid,A1,A2\n2,01:01,03:01\n'))
    expect(JSON.parse(parts['summary']?.text ?? '')).toMatchObject({
      rows: 2,
      notes: { 'repeated-header': 1 },
      said: expect.arrayContaining([
        { code: 'repeated-header', message: expect.stringMatching(/^line 3 repeats the header/) },
      ]),
    })
    const rows = '1,01:01,02:01\n'.repeat(1500)
    const refused = await partsOf(await post(url, `id,A1,A2\n${rows}id,C1,C2\n1,03:03,07:02\n`))
    expect(refused['error']?.text).toContain('line 1502 of')
  })

  test('what a program wrote is recognized, and what is left out is said in the plan', async () => {
    const phlat = 'Locus\tAllele1\tAllele2\tLLtot\tPval1\tPval2\nHLA_A\tA*01:01\tA*02:01\t-1\t1\t1\n'
    const parts = await partsOf(await post(`${await listening()}?name=S1.sum`, phlat))
    expect(parts['table']?.text).toContain('\nS1\tA*01:01\tA*01:01\tA*02:01\tA*02:01\t-1\t1\t-1\t1\n')
    const left = await partsOf(await post((await listening()) + query, LONG))
    expect(left['plan']?.text).toContain('left out   reads')
  })
})

const HML = `<hml version="1.0.1">
<sample id="S1"><typing><allele-assignment><glstring>HLA-A*01:01+HLA-A*02:01</glstring></allele-assignment></typing></sample>
<sample><typing></typing></sample>
<sample id="S3"><typing><allele-assignment><glstring>HLA-A*01:+HLA-A*02:01</glstring></allele-assignment></typing></sample>
</hml>
`
const DONOR_FILE = `{"donors": [
{"recordId": "1", "hla": {"a": {"dna": {"field1": "*01:01", "field2": "*02:01"}}}},
{"recordId": "1"},
{"recordId": "3", "hla": {"a": {"dna": {"field1": "*01:", "field2": ""}}}},
]}
`

describe('a document', () => {
  test.for([
    ['S.xml', HML, 'S.lgx.tsv', ['/hml/sample[2]', '/hml/sample[3]/typing[1]']],
    ['S.xml.gz', new Uint8Array(gzipSync(HML)), 'S.lgx.tsv', ['/hml/sample[2]', '/hml/sample[3]/typing[1]']],
    ['S.json', DONOR_FILE, 'S.lgx.tsv', ['/donors[2]', '/donors[3]/hla/a/dna/field1']],
  ] as const)(
    '%s is answered with the bytes of the command line, the report too',
    async ([name, bytes, made, paths]) => {
      const url = await listening()
      const parts = await partsOf(await post(`${url}?name=${name}`, bytes))
      const report = temp('report.csv')
      expect(parts['table']).toEqual({ name: made, text: await converted(['-r', 'starter', '--errors', report], bytes, name) }) // prettier-ignore
      expect(parts['errors']?.text).toBe(readFileSync(report, 'latin1'))
      const remote = await converted(
        ['--remote', url.replace(/\/table$/, ''), '--errors', report],
        bytes,
        name,
      )
      expect([remote, readFileSync(report, 'latin1')]).toEqual([parts['table']?.text, parts['errors']?.text])
      const { failures } = JSON.parse(parts['summary']?.text ?? '') as { failures: { path: string }[] }
      expect(failures.map(({ path }) => path)).toEqual(paths)
    },
  )

  test('that is cut short is refused', async () => {
    const answer = await post(`${await listening()}?name=S.xml`, HML.slice(0, -8))
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('is not XML that can be read')]) // prettier-ignore
  })
})

describe('a table', () => {
  test.for([
    ['donors.csv', '', []],
    ['donors.csv', '&method=G,lgx', ['-m', 'G', '-m', 'lgx']],
    ['donors.csv', '&method=S&into=append', ['-m', 'S', '--into', 'append']],
    ['donors.csv', '&on_error=report', ['--on-error', 'report']],
    ['donors.csv', '&columns=A_1..A_2&gl_out=gl', ['-c', 'A_1..A_2', '--gl-out', 'gl']],
    ['donors.csv', '&locus=A=A_1,A_2%20B=B_1,B_2', ['-l', 'A=A_1,A_2', '-l', 'B=B_1,B_2']],
    [
      'donors.csv',
      '&output_format=arlequin&person_columns=population=ID&columns=A_1..A_2',
      ['--output-format', 'arlequin', '--person-columns', 'population=ID', '-c', 'A_1..A_2'],
    ],
    ['donors.csv', '&output_format=grimm', ['--output-format', 'grimm']],
    [
      'donors.csv',
      '&output_format=hml&set=date=2026-01-02,project-name=A%20B',
      ['--output-format', 'hml', '--set', 'date=2026-01-02,project-name=A B'],
    ],
    ['donors.csv.gz', '', []],
  ] as const)('%s%s is what `hla redux` writes', async ([name, query, args]) => {
    const table = name.endsWith('.gz') ? new Uint8Array(gzipSync(DONORS)) : DONORS
    const answer = await post(`${await listening()}?name=${name}${query}`, table)
    const { table: got } = await partsOf(answer)
    expect(got?.text).toBe(await converted(['-r', 'starter', ...args], table, name))
  })

  test('that is a workbook comes back as CSV, from the sheet that is named', async () => {
    const rows = textRows(DONORS.trim().split('\n').map((line) => line.replaceAll('"', '').replace('x, y', 'x').split(','))) // prettier-ignore
    const sheets = [
      { name: 'Notes', rows: textRows([['nothing here']]) },
      { name: 'Donors', rows },
    ]
    const body = new Uint8Array(makeWorkbook({ sheets }))
    const url = await listening()
    const parts = await partsOf(await post(`${url}?name=donors.xlsx&sheet=Donors`, body))
    const csv = await converted(['-r', 'starter'], DONORS.replace('"x, y"', 'x'), 'same.csv')
    expect(parts['table']).toEqual({ text: csv, name: 'donors.lgx.csv' })
    expect(parts['plan']?.text).toContain('sheets Notes (sheet reads one)')
    expect(parts['errors']?.text).toContain('Donors!D3: ')
    const refused = await post(`${url}?name=donors.xlsx&sheet=Other`, body)
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('Sheets: Notes, Donors'),
    ])
  })

  test.for([
    ['', []],
    ['&cell_separator=/', ['--cell-separator', '/']],
    ['&cell_separator=none', ['--cell-separator', 'none']],
    ['&bare_digits=mixed', ['--bare-digits', 'mixed']],
  ] as const)('of two typings per cell%s is what `hla redux` writes', async ([query, args]) => {
    const joined = 'id,A,B,C\n1,"01:01,02:01","07:02,08:01",04:01/07:01\n2,"01:01,-",="07:02",\'07:01\n'
    const answer = await post(`${await listening()}?name=joined.csv${query}`, joined)
    const { table: got } = await partsOf(answer)
    expect(got?.text).toBe(await converted(['-r', 'starter', ...args], joined, 'joined.csv'))
    if (query === '') expect(got?.text).toContain('"01:01,02:01",A*01:01+A*02:01,')
  })

  test('of digits that may be several things alone is refused, with the parameter that says what they are', async () => {
    const url = `${await listening()}?name=asked.csv`
    const table = 'id,A_1,A_2\n1,0101,203\n2,0201,2402\n'
    const refused = await post(url, table)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('A_1 A_2 of asked.csv contain only digits without ":"'),
      hint: 'say which: bare_digits=v2 or antigen; bare_digits=error reports each cell',
    })
    const parts = await partsOf(await post(`${url}&bare_digits=error`, table))
    expect(JSON.parse(parts['summary']?.text ?? '')).toMatchObject({ failed: 4 })
  })

  test('comes with its plan, its failures and a summary', async () => {
    const parts = await partsOf(await post(`${await listening()}?name=C:\\a\\donors.csv`, DONORS))
    expect(Object.keys(parts)).toEqual(['plan', 'table', 'errors', 'summary'])
    expect(parts['plan']?.text).toContain('A_1 A_2')
    expect(parts['table']?.name).toBe('donors.lgx.csv')
    expect(parts['errors']?.name).toBe('donors.lgx.csv.errors.csv')
    expect(parts['errors']?.text).toMatch(/^row,line,.*\n2,3,2,B_1,B,99:99,starter,/)
    expect(JSON.parse(parts['summary']?.text ?? '')).toMatchObject({
      rows: 3,
      typings: 12,
      failed: 1,
      failures: [{ row: 2, column: 'B_1', value: '99:99' }],
      text: '3 rows, 12 typings (10 distinct): 9 ok, 1 absent, 1 untyped, 1 failed (1 starter)',
    })
  })

  test('tells of columns that look like typings and are not read, in the words of a query', async () => {
    const table = 'id,A_1,A_2,x1,x2\n1,01:01,pending,01:01,24:02\n'
    const parts = await partsOf(await post(`${await listening()}?name=a.csv`, table))
    expect(parts['plan']?.text).toContain('\nunread     x1 x2 ')
    const summary = JSON.parse(parts['summary']?.text ?? '') as Record<string, unknown>
    expect(summary).toMatchObject({
      unread: [{ columns: ['x1', 'x2'], code: 'no-locus' }],
      said: [
        {
          code: 'unread-columns',
          message: 'not read: x1 x2 (typings, but the name has no locus; locus names it)',
        },
        { code: 'unknown-words' },
      ],
    })
    const query = 'name=a.csv&locus=A=A_1,A_2&only_named=true&missing=pending'
    const named = await partsOf(await post(`${await listening()}?${query}`, table))
    expect(JSON.parse(named['summary']?.text ?? '')).toMatchObject({ failed: 0, said: [] })
  })

  test('of Latin-1 stays Latin-1', async () => {
    const table = new Uint8Array(Buffer.from('ID;A_1;A_2\nMüller;01:01;02:01\n', 'latin1'))
    const parts = await partsOf(await post(`${await listening()}?name=a.csv`, table))
    expect(parts['table']?.text).toBe('ID;A_1;A_1_lgx;A_2;A_2_lgx\nMüller;01:01;A*01:01;02:01;A*02:01\n')
  })

  test('that is cut short says so in place of its summary', async () => {
    const rows = DONORS + '4,01:01,02:01,07:02,08:01,\n'.repeat(200_000)
    const packed = gzipSync(rows)
    const parts = await partsOf(
      await post(`${await listening()}?name=a.csv.gz`, new Uint8Array(packed.subarray(0, -9))),
    )
    expect(Object.keys(parts)).toEqual(['plan', 'table', 'error'])
    expect(parts['error']?.text).toContain('cut short')
  })

  test('is converted as fast as it is read, and others are answered meanwhile', async () => {
    const url = await listening()
    const rows = DONORS + '4,01:01,02:01,07:02,08:01,\n'.repeat(100_000)
    const converting = post(`${url}?name=a.csv`, rows)
    const over = converting.then((answer) => answer.arrayBuffer()).then(() => true)
    let answered = 0
    while (!(await Promise.race([over, fetch(url.replace('table', 'healthz')).then(() => false)])))
      answered += 1
    expect(answered).toBeGreaterThan(5)
  })
})

describe('what is not a table', () => {
  test.for([
    ['', 'it is empty'],
    ['a,b\n1,2\n', 'no typing columns'],
    ['\0\u0001\u0002', ''],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:0\n', 'git-lfs pointer'],
    [new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0]), 'zstd'],
    [new Uint8Array([0x1f, 0x8b, 0, 0]), 'cannot read'],
    [new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'is compressed with xz: unpack it first'],
    ['%PDF-1.7\nA_1,A_2\n01:01,02:01\n', 'is a PDF document: export its table as CSV or text'],
  ] as const)('%j is refused', async ([body, why]) => {
    const answer = await post(`${await listening()}?name=a.csv`, body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining(why) })
  })

  test.for([
    ['method=L', 'unknown method'],
    ['columns=none', 'no column "none"'],
    ['input_format=none', 'must be one of'],
    ['on_error=fail', 'must be one of'],
    ['accept=nothing', 'unknown leniency'],
    ['colums=A_1', 'unknown property "colums"'],
  ] as const)('?%s is refused', async ([query, why]) => {
    const answer = await post(`${await listening()}?${query}`, DONORS)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining(why) })
  })

  test('a longer one than allowed is refused, packed or not', async () => {
    const url = await listening({ maxTable: 100_000 })
    // exceeds the limit within the plan's rows; exceeding it later aborts the answer
    const rows = DONORS + `4,01:01,02:01,07:02,08:01,${'x'.repeat(100)}\n`.repeat(50_000)
    const long = await post(`${url}?name=a.csv`, rows)
    expect(long.status).toBe(413)
    expect(await long.json()).toMatchObject({ message: expect.stringContaining('longer than 0.1 MiB') })
    const packed = await post(`${url}?name=a.csv`, new Uint8Array(gzipSync(rows)))
    expect(packed.status).toBe(400)
    expect(await packed.json()).toMatchObject({ message: expect.stringContaining('longer than 0.1 MiB') })
    const none = await post(await listening({ maxTable: 0 }), DONORS)
    expect(await none.json()).toMatchObject({ message: expect.stringContaining('no tables') })
  })
})

test('one that takes more work than allowed ends with what is wrong, and the next is converted', async () => {
  const rows = Array.from({ length: 8_000 }, (_, at) => `${at},A*01:${at},A*99:${at}\n`)
  const table = `ID,A_1,A_2\n${rows.join('')}`
  const url = await listening({ maxTableTime: 100 })
  const { error, summary } = await partsOf(await post(`${url}?name=a.csv`, table))
  expect(JSON.parse(error?.text ?? '')).toMatchObject({
    code: 'bad-request',
    message: 'the table takes more than 0.1 s of work; the command line takes its time',
  })
  expect(summary).toBeUndefined()
  const { summary: short } = await partsOf(await post(`${url}?name=a.csv`, DONORS))
  expect(short?.text).toContain('"rows":')
  const { summary: long } = await partsOf(
    await post(`${await listening({ maxTableTime: 0 })}?name=a.csv`, table),
  )
  expect(long?.text).toContain('"failed":')
})

/** Uploads that have each sent only `text`, a part of their announced length. */
function begun(url: string, count: number, text: string): Promise<Socket[]> {
  const head = `POST /table HTTP/1.1\r\nhost: x\r\ncontent-length: ${text.length + 1000}\r\n\r\n${text}`
  return Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').resume()
      socket.on('error', () => undefined)
      return new Promise<Socket>((resolve) => socket.write(head, () => resolve(socket)))
    }),
  )
}

test('tables that are being sent keep nobody out', async () => {
  const url = await listening()
  const slow = await begun(url, 20, 'ID,A_1')
  await pause(200)
  expect((await post(url, DONORS)).status).toBe(200)
  for (const socket of slow) socket.destroy()
})

test('of tables that do not fit into memory together the slowest is refused', async () => {
  const url = await listening({ maxTable: 100_000 })
  const slow = await begun(url, 5, `ID,A_1\n${'x'.repeat(90_000)}`)
  const rows = DONORS + '4,01:01,02:01,07:02,08:01,x\n'.repeat(3000)
  expect((await post(url, rows)).status).toBe(200)
  expect((await post(url, rows)).status).toBe(200)
  for (const socket of slow) socket.destroy()
})

test('a table that comes too slowly is refused', async () => {
  const url = await listening({ requestTimeout: 300 })
  const [socket] = await begun(url, 1, 'ID,A_1')
  let said = ''
  socket?.on('data', (bytes) => (said += bytes.toString()))
  await expect.poll(() => said).toContain('HTTP/1.1 408 ')
})

test('one that takes long but comes is not', async () => {
  const url = await listening({ requestTimeout: 300 })
  const rows = DONORS + '4,01:01,02:01,07:02,08:01,x\n'.repeat(1000)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let said = ''
  socket.on('data', (bytes) => (said += bytes.toString()))
  socket.write(`POST /table HTTP/1.1\r\nhost: x\r\ncontent-length: ${rows.length}\r\n\r\n`)
  for (let at = 0; at < rows.length; at += 4000) {
    socket.write(rows.slice(at, at + 4000))
    await pause(150)
  }
  await expect.poll(() => said).toContain('"rows":1003')
  expect(said).toContain('HTTP/1.1 200 ')
  socket.destroy()
})

describe.skipIf(!hasShared)('on the full release', () => {
  test('a registry file gives the bytes of the command line', async () => {
    const knowledge = makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
    const table = new Uint8Array(readFileSync(sharedPath('registry/wmda/don.gl.txt.gz')))
    const url = await listening({}, knowledge)
    const { table: got } = await partsOf(
      await post(`${url}?name=don.gl.txt.gz&input_format=wmda-lines`, table),
    )
    expect(got?.text).toBe(
      await converted(['-r', '3.58.0', '--input-format', 'wmda-lines'], table, 'don.gl.txt.gz'),
    )
  })
})

test('no character of a name ends or breaks the head of a part', async () => {
  const url = await listening()
  for (let code = 0; code <= 0x7f; code += 1) {
    // the last folder is the name
    if (code === 0x2f || code === 0x5c) continue
    const name = `a${String.fromCharCode(code, code)}b.csv`
    const answer = await post(`${url}?name=${encodeURIComponent(name)}`, 'ID,A_1\n1,01:01\n')
    const lines = (await answer.text()).split('\r\n')
    const at = lines.findIndex((line) => line.includes('; name="table"'))
    const isEscaped = code < 0x20 || code === 0x7f || code === 0x22
    const character = String.fromCharCode(code)
    const shown = isEscaped ? encodeURIComponent(character) : character
    expect(lines[at]).toContain(`; filename="a${shown}${shown}b.`)
    expect(lines[at + 1]).toBe('content-type: application/octet-stream')
  }
})
