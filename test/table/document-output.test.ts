/** HML and donor import files as output: valid by their schemas and rules, and read back equal by their own readers. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { messageText } from '../../src/operations/faces.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { cellsIn, convertRecords } from '../support/record-tables.ts'
import { realRelease } from '../support/releases.ts'
import { rounds } from '../support/rounds.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { noteSkipped } from '../support/skipped.ts'

const DATE = 'date=2026-01-02'
const DONOR = 'updateMode=diff,changeType=N,donorType=D'

const DOCUMENTS = [
  ['hml', DATE, 'f.hml'],
  ['donors', DONOR, 'f.json'],
] as const

type Asked = Omit<NonNullable<Parameters<typeof convertRecords>[1]>, 'set'> & { set?: string | undefined }

/** `set: undefined` gives no fields. */
function written(table: string | Buffer, outputFormat: 'hml' | 'donors', more: Asked = {}) {
  const { set, ...rest } = { set: outputFormat === 'hml' ? DATE : DONOR, ...more }
  return convertRecords({ 't.csv': table }, { outputFormat, ...rest, ...(set === undefined ? {} : { set }) })
}

const TABLE = [
  'id,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2',
  'P1,A*01:01,A*02:01/A*02:03,B*07:02,B*08:01,DRB1*15:01,DRB1*03:01',
  'P2,A*02:01,,B*08:01,,DRB1*03:01,',
  '',
].join('\n')

test('an HML message: a sample a person, a typing a locus', async () => {
  const set = `${DATE},project-name=LAB & Co,reporting-center=744,center-code=1,collection-method=buccal swab,typing-method=sbt-ngs,test-id=GTR0,test-id-source=NCBI-GTR`
  const { output, failures } = await written(TABLE.split('\n').slice(0, 2).join('\n'), 'hml', { columns: 'A_1..B_2', set }) // prettier-ignore
  expect(failures).toEqual([])
  expect(output).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<hml xmlns="http://schemas.nmdp.org/spec/hml/1.0" version="1.0.2" project-name="LAB &amp; Co">
  <reporting-center reporting-center-id="744"/>
  <sample id="P1" center-code="1">
    <collection-method>buccal swab</collection-method>
    <typing gene-family="HLA" date="2026-01-02">
      <allele-assignment date="2026-01-02" allele-db="IMGT/HLA" allele-version="3.58.0">
        <glstring>HLA-A*01:01+HLA-A*02:01/HLA-A*02:03</glstring>
      </allele-assignment>
      <typing-method><sbt-ngs locus="HLA-A" test-id="GTR0" test-id-source="NCBI-GTR"/></typing-method>
    </typing>
    <typing gene-family="HLA" date="2026-01-02">
      <allele-assignment date="2026-01-02" allele-db="IMGT/HLA" allele-version="3.58.0">
        <glstring>HLA-B*07:02+HLA-B*08:01</glstring>
      </allele-assignment>
      <typing-method><sbt-ngs locus="HLA-B" test-id="GTR0" test-id-source="NCBI-GTR"/></typing-method>
    </typing>
  </sample>
</hml>
`)
})

test('a donor import file: a line a donor', async () => {
  const { output, failures } = await written(TABLE, 'donors', { set: `${DONOR},donPool=AN,ethn=CAEU` })
  expect(failures).toEqual([])
  expect(output).toBe(`{
  "updateMode": "diff",
  "donors": [
    {"recordId":"P1","changeType":"N","donorType":"D","donPool":"AN","ethn":"CAEU","hla":{"a":{"dna":{"field1":"*01:01","field2":"*02:01/02:03"}},"b":{"dna":{"field1":"*07:02","field2":"*08:01"}},"drb1":{"dna":{"field1":"*15:01","field2":"*03:01"}}}},
    {"recordId":"P2","changeType":"N","donorType":"D","donPool":"AN","ethn":"CAEU","hla":{"a":{"dna":{"field1":"*02:01","field2":null}},"b":{"dna":{"field1":"*08:01","field2":null}},"drb1":{"dna":{"field1":"*03:01","field2":null}}}}
  ]
}
`)
})

test('antigens are serology of their locus', async () => {
  const table = 'id,A_1,A_2,B_1,B_2,C_1,C_2,DRB1_1,DRB1_2\nP1,A1,A2,B7,B8,Cw4,,DR15,DR3\n'
  const { output, failures } = await written(table, 'donors', {
    more: { options: { keep: ['serology'] } },
  })
  expect(failures).toEqual([])
  const [donor] = (JSON.parse(output) as { donors: readonly { hla: unknown }[] }).donors
  expect(donor?.hla).toEqual({
    a: { ser: { field1: '1', field2: '2' } },
    b: { ser: { field1: '7', field2: '8' } },
    c: { ser: { field1: '4', field2: null } },
    drb1: { ser: { field1: '15', field2: '3' } },
  })
})

describe('fields', () => {
  const ONE = 'A*01:01,A*02:01,B*07:02,B*08:01,DRB1*15:01,DRB1*03:01'
  const HEAD = 'A_1,A_2,B_1,B_2,DRB1_1,DRB1_2'

  test('a column comes before the value for all, where it has one', async () => {
    const table = `id,donorType,change,ethn,${HEAD}\nP1,C,NU,AF,${ONE}\nP2,,,,${ONE}\n`
    const { output, plan } = await written(table, 'donors', { personColumns: 'changeType=change' })
    expect(output.match(/"changeType":"\w+","donorType":"\w","ethn":[^,]+/g)).toEqual([
      '"changeType":"NU","donorType":"C","ethn":"AF"',
      '"changeType":"N","donorType":"D","ethn":null',
    ])
    expect(plan?.rowNotes.map(({ message }) => message)[0]).toBe('columns about persons: donorType=donorType, ethn=ethn') // prettier-ignore
  })

  test.for([
    ['hml', {}, /^HML needs date$/],
    ['donors', { set: 'changeType=N' }, /^Atlas donor import needs updateMode, donorType$/],
    ['hml', { set: 'date=2026-13-02' }, /it is not a date like/],
    ['hml', { set: `${DATE},version=1.0.3` }, /it is not one of 1\.0\.2 1\.0\.1/],
    ['hml', { set: `${DATE},typing-method=ssp` }, /it is not one of sbt-ngs sbt-sanger/],
    ['hml', { set: `${DATE},projet=X` }, /HML has version, project-name/],
    ['hml', { set: `${DATE},${DATE}` }, /each once/],
    ['hml', { set: `${DATE},center-code=\u0001` }, /it cannot be written/],
    ['hml', { personColumns: 'project-name=id' }, /HML has date, center-code/],
    ['donors', { set: `${DONOR},ethn=XX` }, /it is not one of AFNA/],
    ['pypop', { set: 'populatio=X' }, /PyPop has population/],
  ] as const)('%s %j is refused', async ([outputFormat, more, message]) => {
    await expect(
      convertRecords({ 't.csv': `id,${HEAD}\nP1,${ONE}\n` }, { outputFormat, ...more }),
    ).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) as string })
  })

  test.for([
    ['hml', 'typing_date', '2026-1-2', 'HML cannot hold the date "2026-1-2", which is not a date like 1968-06-28'],
    ['hml', 'typing_date', '', 'HML cannot hold a person without a date'],
    ['hml', 'test_id', 'T', 'HML cannot hold a test-id without a typing-method'],
    ['hml', 'typing_method', 'SSO', 'HML cannot hold the typing-method "SSO", which is not one of sbt-ngs sbt-sanger'],
    ['donors', 'donorType', 'X', 'Atlas donor import cannot hold the donorType "X", which is not one of D C B'],
    ['donors', 'changeType', 'n', 'Atlas donor import cannot hold the changeType "n", which is not one of D U N NU'],
    ['donors', 'ethn', 'FIN', 'Atlas donor import cannot hold the ethn "FIN", which is not one of AFNA'],
  ] as const)('%s: %s %j fails its person, and the others are written', async ([format, column, value, message]) => {
    const good: Readonly<Record<string, string>> = { typing_date: '2026-01-02', donorType: 'D', changeType: 'N' }
    const table = `id,${column},${HEAD}\nP1,${value},${ONE}\nP2,${good[column] ?? ''},${ONE}\n`
    const set = format === 'donors' ? DONOR : column === 'typing_date' ? undefined : DATE
    const { output, failures } = await written(table, format, { set })
    expect(failures).toEqual([expect.stringContaining(`t.csv:2: ${message}`)])
    expect(output).toContain('"P2"')
    expect(output).not.toContain('"P1"')
  }) // prettier-ignore

  test('a test-id with its source and a method, Sanger in version 1.0.1', async () => {
    const of = async (more: string) => (await written(`id,${HEAD}\nP1,${ONE}\nP2,${ONE}\n`, 'hml', { set: `${DATE}${more}`, idColumn: 'id' })).failures // prettier-ignore
    const alone = ',typing-method=sbt-ngs,test-id=T'
    await expect(of(alone)).rejects.toMatchObject({ code: 'not-in-format' })
    await expect(of(',typing-method=sbt-sanger,version=1.0.1')).rejects.toMatchObject({
      code: 'not-in-format',
    })
    expect(await of(`${alone},test-id-source=S`)).toEqual([])
    expect(await of(',typing-method=sbt-sanger')).toEqual([])
  })

  test('what is missing and expected is a note', async () => {
    const { plan } = await written(TABLE, 'hml', { set: `${DATE},project-name=LAB` })
    expect(plan?.rowNotes.map(({ message }) => messageText(message, 'command-line'))).toEqual([
      'HML without reporting-center, typing-method, test-id; --set reporting-center=VALUE,typing-method=sbt-ngs|sbt-sanger,test-id=VALUE, or --person-columns typing-method=COLUMN,test-id=COLUMN gives them',
    ])
  })
})

const [B, DRB] = ['B*07:02,B*08:01', 'DRB1*15:01,DRB1*03:01']

/** Typings of A -> what is written of them, or the reason why nothing is. */
const DECIDED = [
  ['a null allele', 'A*01:22N,A*02:01', 'HLA-A*01:22N+HLA-A*02:01', ['*01:22N', '*02:01']],
  ['both the same', 'A*02:01,A*02:01', 'HLA-A*02:01+HLA-A*02:01', ['*02:01', '*02:01']],
  ['a blank', 'A*02:01,', 'HLA-A*02:01', ['*02:01', null]],
  ['a list', 'A*01:01,A*02:01/A*02:03', 'HLA-A*01:01+HLA-A*02:01/HLA-A*02:03', ['*01:01', '*02:01/02:03']],
  ['possible genotypes', 'A*01:01+A*02:01|A*02:01+A*24:02,', 'HLA-A*01:01+HLA-A*02:01|HLA-A*02:01+HLA-A*24:02', 'possible genotypes'],
  ['a long list', 'A*01:01,A*02:01/A*02:03/A*02:10/A*02:16', 'HLA-A*01:01+HLA-A*02:01/HLA-A*02:03/HLA-A*02:10/HLA-A*02:16', 'longer than 20 characters'],
  ['an untyped locus', ',', undefined, undefined],
  ['one that failed', 'A*99:99,A*02:01', 'whose other is not known', 'whose other is not known'],
  ['an unknown one', 'UUUU,A*02:01', 'whose other is not known', 'whose other is not known'],
  ['a new allele', 'A*01:01,NEW', 'a new allele', 'a new allele'],
  ['an absent gene', 'NNNN,NNNN', 'an absent gene', 'an absent gene'],
  ['a haplotype', 'A*01:01~A*02:01,', 'haplotypes', 'haplotypes'],
] as const // prettier-ignore

describe('each kind of typing', () => {
  test.for(DECIDED)('%s in HML', async ([, typings, want]) => {
    const { output, failures } = await written(`id,A_1,A_2,B_1,B_2\nP1,${typings},${B}\n`, 'hml', { methods: ['U2'] }) // prettier-ignore
    const isWritten = want === undefined || want.startsWith('HLA-')
    const texts = [...output.matchAll(/<glstring>(.*)<\/glstring>/g)].map(([, text]) => text)
    expect(texts).toEqual([...(isWritten && want !== undefined ? [want] : []), 'HLA-B*07:02+HLA-B*08:01'])
    expect(failures.some((one) => one.includes(want ?? '-'))).toBe(!isWritten)
  })

  test.for(DECIDED)('%s of a donor', async ([, typings, , want]) => {
    const table = `id,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2\nP1,${typings},${B},${DRB}\nP2,A*02:01,,${B},${DRB}\n`
    const { output, failures } = await written(table, 'donors', { methods: ['U2'] })
    const [first] = (JSON.parse(output) as { donors: readonly { recordId: string; hla: { a: { dna: unknown } } }[] }).donors // prettier-ignore
    if (typeof want === 'object') {
      expect(failures).toEqual([])
      expect(first?.hla.a.dna).toEqual({ field1: want[0], field2: want[1] })
      return
    }
    expect(first?.recordId).toBe('P2')
    if (want !== undefined) expect(failures.some((one) => one.includes(want))).toBe(true)
    expect(failures.at(-1)).toBe('t.csv:2: Atlas donor import cannot hold a donor without a typing of A [not-in-format]') // prettier-ignore
  })

  test('DRB3, DRB4 and DRB5 in columns of several genes are each a typing of their gene', async () => {
    const table = 'id,DRB1_1,DRB1_2,DRBX_1,DRBX_2\nP1,DRB1*03:01,DRB1*15:01,DRB3*01:01,DRB3*02:171\n'
    const { output } = await written(table, 'hml', { methods: ['U2'] })
    expect(output.match(/HLA-DRB3[^<]*(?=<)/g)).toEqual(['HLA-DRB3*01:01+HLA-DRB3*02:171'])
  })
})

test('a name outside HLA has no prefix', async () => {
  const asked = { locus: ['MICA=M_1,M_2'], methods: ['U2'] }
  const { output } = await written('id,M_1,M_2\nP1,MICA*002:01:01,MICA*002:01\n', 'hml', asked)
  expect(output).toContain('<glstring>MICA*002:01:01+MICA*002:01</glstring>')
})

describe('persons that cannot be written', () => {
  test('one without a typing, one twice, and none at all', async () => {
    const rows = ['P1,A*01:01,A*02:01', 'P2,,', 'P1,A*02:01,']
    const { output, failures, record } = await written(`id,A_1,A_2\n${rows.join('\n')}\n`, 'hml', { idColumn: 'id' }) // prettier-ignore
    expect(output.match(/<sample /g)).toHaveLength(1)
    expect(failures).toEqual([
      't.csv:3: HML cannot hold a person without a typing [not-in-format]',
      't.csv:4: HML cannot hold "P1" twice [not-in-format]',
    ])
    expect(record?.status).toMatchObject({ ok: 3, untyped: 3, error: 2 })
    await expect(written('id,A_1,A_2\nP1,A*99:99,\n', 'hml')).rejects.toMatchObject({
      code: 'not-in-format',
      message: 'HML needs at least one person, and none was written',
    })
  })

  test('a donor of a change that the mode does not have, and one that is deleted', async () => {
    const table = `id,changeType,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2\nP1,U,A*01:01,,${B},${DRB}\nP2,N,A*01:01,,${B},${DRB}\nP3,D,,,,,,\n`
    const full = await written(table, 'donors', { set: 'updateMode=full,donorType=D' })
    expect(full.failures.map((one) => one.slice(0, 70))).toEqual([
      't.csv:2: Atlas donor import cannot hold changeType U in a file whose u',
      't.csv:4: Atlas donor import cannot hold changeType D in a file whose u',
    ])
    const diff = await written(table, 'donors', { set: 'updateMode=diff,donorType=D' })
    expect(diff.failures).toEqual([])
    expect(diff.output).toContain('{"recordId":"P3","changeType":"D","donorType":"D","ethn":null}')
  })

  test.for([
    ['A2,A3', undefined],
    ['A2,A2/A3', ['A_1', 'A_2']],
    ['A2/A1,A3', ['A_1', 'A_2']],
    ['A2/A1,', ['A_1']],
  ] as const)('antigens %s, of which a donor has one per copy', async ([cells, columns = []]) => {
    const table = `id,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2\nP1,${cells},${B},${DRB}\nP2,A2,A3,${B},${DRB}\n`
    const { failures } = await written(table, 'donors', { more: { options: { keep: ['serology'] } } })
    expect(failures).toEqual([
      ...columns.map(
        (one) =>
          `t.csv:2:${one}: Atlas donor import cannot hold antigens of A other than one per copy [not-in-format]`,
      ),
      ...(columns.length === 0
        ? []
        : ['t.csv:2: Atlas donor import cannot hold a donor without a typing of A [not-in-format]']),
    ])
  })

  test('a locus that donors do not have', async () => {
    const table = `id,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2,H_1\nP1,A*01:01,,${B},${DRB},H*01:01\n`
    const { failures } = await written(table, 'donors')
    expect(failures.at(-1)).toContain('Atlas donor import cannot hold typings of H')
  })
})

test.for(DOCUMENTS)(
  '%s is UTF-8 in every encoding of the table, and ends its lines alike',
  async ([format]) => {
    const table = `${TABLE}Ä"€ & <𝔸>,A*01:01,,${B},${DRB}\n`.replace('Ä"€ & <𝔸>', '"Ä""€ & <𝔸>"')
    const { bytes, failures } = await written(table, format)
    expect(failures).toEqual([])
    const wide = Buffer.from(`\ufeff${table}`, 'utf16le')
    expect((await written(wide, format)).output).toBe(bytes.toString())
    expect((await written(table, format, { piece: 3 })).output).toBe(bytes.toString())
    const latin = Buffer.from(table.replace(/€|𝔸/gu, 'ß'), 'latin1')
    expect((await written(latin, format)).output).toBe(bytes.toString().replace(/€|𝔸/gu, 'ß'))
    const { output } = await written(table, format, { eol: 'crlf' })
    expect(output).toBe(bytes.toString().replaceAll('\n', '\r\n'))
  },
)

const NAMES = {
  A: ['A*01:01', 'A*02:01', 'A*24:02', '01:22N', '02:01/02:03', 'A*01:01:01:01'],
  B: ['B*07:02', 'B*08:01', '15:01/27:08', '08:01:01'],
  C: ['C*01:02', 'C*03:03', 'C*04:59Q'],
  DRB1: ['DRB1*15:01', 'DRB1*03:01', 'DRB1*04:01'],
  DRB3: ['DRB3*01:01', 'DRB3*02:171'],
  DPB1: ['DPB1*04:02', 'DPB1*01:01'],
} as const
const LOCI = Object.keys(NAMES) as (keyof typeof NAMES)[]

function randomCohort(random: () => number): string {
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)]
  const persons = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, at) => {
    const untyped = new Set(random() < 0.3 ? [pick(LOCI), pick(LOCI), pick(LOCI)] : [])
    const cells = LOCI.flatMap((locus) => {
      if (untyped.has(locus)) return ['', '']
      const one = () => pick(NAMES[locus]) ?? ''
      const kind = random()
      if (kind < 0.1) return [one(), '']
      if (kind < 0.13) return ['', one()]
      if (kind < 0.16) return ['99:99', one()]
      if (kind < 0.18) return [pick(['UUUU', 'NEW', 'NNNN', 'x y']) ?? '', one()]
      if (kind < 0.21 && locus === 'A') return ['01:AB', one()]
      return [one(), one()]
    })
    return [`P${at < 5 ? at : 0}`, ...cells].join(',')
  })
  return `id,${LOCI.flatMap((locus) => [`${locus}_1`, `${locus}_2`]).join(',')}\n${persons.join('\n')}\n`
}

/** Copies of each locus, sorted: person -> locus -> copies. */
function copiesIn(output: string): Map<string, Map<string, string[]>> {
  const [head = [], ...rows] = cellsIn(output, ',')
  const id = head.findIndex((name) => /^(?:id|sample|recordId)$/.test(name))
  return new Map(
    rows.map((row) => {
      const loci = new Map<string, string[]>()
      for (const [at, cell] of row.entries()) {
        const [, locus] = /^([A-Z]+\d?)(?:_[12])?$/.exec(head[at] ?? '') ?? []
        if (locus === undefined || !/\*/.test(cell)) continue
        loci.set(locus, [...(loci.get(locus) ?? []), ...cell.split('+')].toSorted())
      }
      return [row[id] ?? '', loci]
    }),
  )
}

describe('random cohorts', () => {
  test.for(DOCUMENTS)('%s read back equal, or told of', async ([format, set, file]) => {
    const random = randomNumbers(format === 'hml' ? 5 : 6)
    for (let round = 0; round < rounds(1000, 100); round += 1) {
      const table = randomCohort(random)
      const asked = { 't.csv': table }
      const plain = await convertRecords(asked, { into: 'replace', idColumn: 'id' })
      const lines = cellsIn(table, ',').slice(1)
      const made = await convertRecords(asked, { outputFormat: format, set, idColumn: 'id' }).catch((error: unknown) => error) // prettier-ignore
      if (made instanceof Error) {
        expect(made.message).toContain('needs at least one person')
        continue
      }
      const { output, failures } = made as Awaited<ReturnType<typeof convertRecords>>
      const again = await convertRecords({ [file]: output }, { into: 'replace', outDelimiter: ',' })
      expect(again.failures).toEqual([])
      const places = failures.map((one) => /^t\.csv:(\d+)(?::(\w+))?: /.exec(one)?.slice(1) ?? [])
      const told = (line: number, locus?: string) =>
        places.some(([at, column]) => Number(at) === line && (locus === undefined ? column === undefined : column?.startsWith(`${locus}_`) === true)) // prettier-ignore
      const want = new Map(
        lines.flatMap((row, at) => {
          if (told(at + 2)) return []
          const [head = '', ...rows] = plain.output.split('\n')
          const [loci = []] = [...copiesIn(`${head}\n${rows[at] ?? ''}`).values()]
          return [[row[0] ?? '', new Map([...loci].filter(([locus]) => !told(at + 2, locus)))] as const]
        }),
      )
      const read = copiesIn(again.output)
      expect({ table, failures, read }).toEqual({ table, failures, read: want })
    }
  })

  test('donors break no rule by which they are validated', async () => {
    const random = randomNumbers(7)
    for (let round = 0; round < rounds(200, 20); round += 1) {
      const made = await written(randomCohort(random), 'donors', { idColumn: 'id' }).catch(() => undefined)
      if (made === undefined) continue
      const { failures } = await convertRecords({ 'f.json': made.output }, { isValidated: true })
      expect(failures).toEqual([])
    }
  })
})

const SCHEMAS = sharedPath('upstream/hml')
const hasXmllint = spawnSync('xmllint', ['--version']).error === undefined
const isChecked = hasXmllint && existsSync(SCHEMAS)
if (!isChecked) noteSkipped('HML is not checked by its schemas: they, or xmllint, are missing')

test.runIf(isChecked).for(['1.0.1', '1.0.2'])('HML %s is valid by its schema', async (version) => {
  const random = randomNumbers(9)
  const more =
    ',project-name=LAB,reporting-center=1,reporting-center-context=X,center-code=2,collection-method=swab,typing-method=sbt-ngs,test-id=T,test-id-source=S'
  for (const rest of ['', more, ...(version === '1.0.2' ? [',typing-method=sbt-sanger'] : [])]) {
    const { output } = await written(`${randomCohort(random)}\n"<&>",${'A*01:01,'.padEnd(19, ',')}\n`, 'hml', { set: `${DATE},version=${version}${rest}`, idColumn: 'id' }) // prettier-ignore
    const schema = `${SCHEMAS}/hml-${version}.xsd`
    const asked = { input: output, encoding: 'utf8' } as const
    const { status, stderr } = spawnSync('xmllint', ['--noout', '--schema', schema, '-'], asked)
    expect({ status, stderr, output }).toEqual({ status: 0, stderr: '- validates\n', output })
  }
})

const PUBLISHED = ['1111.hml101-1.xml', '1111.hml101.xml.gz', 'example7-ngsFull.xml']

test.runIf(hasShared).for(PUBLISHED)('%s, read and written again, says the same', async (name) => {
  const stored = readFileSync(sharedPath('formats/hml', name))
  const bytes = name.endsWith('.gz') ? gunzipSync(stored) : stored
  const release = realRelease('3580')
  const read = (document: Buffer) => convertRecords({ 'f.xml': document }, { into: 'replace', release })
  const made = await convertRecords({ 'f.xml': bytes }, { outputFormat: 'hml', set: DATE, release })
  const [first, again] = [await read(bytes), await read(made.bytes)]
  expect(made.failures).toEqual([])
  expect(first.output).toMatch(/[AB]\*\d/)
  expect(again.output).toBe(first.output)
})
