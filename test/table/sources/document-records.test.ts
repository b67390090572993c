/** Documents as their records: each typing with its place, and the reason why a person cannot be read. */
import { describe, expect, test } from 'vitest'
import { readTableInput } from '../../../src/table/input/input.ts'
import { DONOR_JSON } from '../../../src/table/sources/exchange/donor-reader.ts'
import { HML } from '../../../src/table/sources/exchange/hml-reader.ts'
import { WMDA } from '../../../src/table/sources/exchange/wmda-reader.ts'
import type { RecordFormat, TypingRecord } from '../../../src/table/sources/typing-record.ts'

const LOCI = ['A', 'B', 'C', 'DRB1', 'DRB3', 'DQB1', 'DPB1', 'E', 'MICA']

async function openDocument(format: RecordFormat, text: string, isChecked = false) {
  const input = await readTableInput('f', [Buffer.from(text)])
  const source = format.open(
    {
      input, dialect: input.dialect, rows: [], lines: [], request: {}, header: undefined, isLocus: (name) => LOCI.includes(name),
      isTyping: () => true, cellSeparator: undefined, isChecked,
    },
    true,
  ) // prettier-ignore
  if (source === undefined) throw new Error('another format')
  return source
}

async function recordsOf(format: RecordFormat, text: string, isChecked = false): Promise<TypingRecord[]> {
  const all: TypingRecord[] = []
  for await (const block of (await openDocument(format, text, isChecked)).blocks()) all.push(...block)
  return all
}

/** `P1 A_1 A*01:01 3 /path`: person, place, typing and where that stands. */
function shown({ person, locus, slot, typing, line, places }: TypingRecord): string {
  const place = slot === undefined ? undefined : places?.find(locus, slot)
  return [person, slot === undefined ? locus : `${locus}_${slot}`, typing, place?.line ?? line, place?.path].filter((part) => part !== undefined && part !== '').join(' ') // prettier-ignore
}

/** The same of one that cannot be read: `P1 3 /path: reason`. */
const faults = (records: readonly TypingRecord[]) =>
  records.flatMap(({ person = '', line, path = '', error }) => error === undefined ? [] : [`${person} ${line} ${path}: ${error.message}`]) // prettier-ignore

const rules = (records: readonly TypingRecord[]) =>
  records.map(({ broken = [] }) => broken.map(({ line, path, error }) => `${line} ${path}: ${error.message}`))

describe('donors in JSON', () => {
  const file = (...donors: readonly string[]) => `{"donors": [\n${donors.join(',\n')}\n]}`
  const typed = (hla: string, more = '') => `{"recordId": " D1 "${more}, "hla": ${hla}}`

  test('are their typings, in DNA where it is given', async () => {
    const hla = `{"a": {"DNA": {"field1": "*01:01",\n"field2": " 02:01/02 "}}, "HLA-B": {"dna": {"field1": "", "field2": null}, "ser": {"field1": 7,\n"field2": "8"}},
"C": null, "drb1": {"ser": {"field2": 15}}, "dqb1": {"dna": null, "ser": null}}`
    const records = await recordsOf(DONOR_JSON, file(typed(hla, ', "CHANGETYPE": "N", "donorType": "d"'), '{"recordId": 7, "hla": null}', '{"recordId": "D3"}')) // prettier-ignore
    expect(records.map(shown)).toEqual([
      'D1 A_1 A*01:01 2 /donors[1]/hla/a/dna/field1',
      'D1 A_2 A*02:01/A*02:02 3 /donors[1]/hla/a/dna/field2',
      'D1 B_1 B7 3 /donors[1]/hla/hla-b/ser/field1',
      'D1 B_2 B8 4 /donors[1]/hla/hla-b/ser/field2',
      'D1 DRB1_1 2',
      'D1 DRB1_2 DR15 5 /donors[1]/hla/drb1/ser/field2',
      'D1 DQB1_1 2',
      'D1 DQB1_2 2',
      '7 6',
      'D3 7',
    ])
    expect(records.map(({ values }) => values.join())).toEqual([...Array<string>(8).fill('N,d'), ',', ','])
    expect(rules(records).flat()).toEqual([])
  })

  test.for([
    ['{}', '', '', 'the donor has no recordId'],
    ['{"recordId": null}', '', '', 'the donor has no recordId'],
    ['{"recordId": " "}', '', '', 'the donor has no recordId'],
    ['{"recordId": "D0"}', 'D0', '', 'donor "D0" occurs twice'],
    ['{"recordId": "D1", "RecordID": "D2"}', '', '', '"RecordID" occurs twice'],
    ['{"recordId": "D1", "donorType": "x"}', 'D1', '', 'donorType "x" is not one of D C B'],
    [typed('[]'), 'D1', '/hla', 'an object is expected'],
    [typed('{"a": null, "A": null}'), 'D1', '/hla', '"A" occurs twice'],
    [typed('{"a": "x"}'), 'D1', '/hla/a', 'an object is expected'],
    [typed('{"a": {"dnas": null}}'), 'D1', '/hla/a', '"dnas" is not one of dna ser'],
    [typed('{"": {"dna": null}}'), 'D1', '/hla/', 'a typing of no locus'],
    [typed('{"a": {"dna": "x"}}'), 'D1', '/hla/a/dna', 'an object is expected'],
    [typed('{"a": {"dna": {"field3": "x"}}}'), 'D1', '/hla/a/dna', '"field3" is not one of field1 field2'],
    [typed('{"a": {"ser": {"field1": true}}}'), 'D1', '/hla/a/ser/field1', 'a typing must be a string or a number'],
    [typed('{"a": {"dna": {"field2": ["x"]}}}'), 'D1', '/hla/a/dna/field2', 'a typing must be a string or a number'],
  ] as const)('%s cannot be read', async ([donor, person, path, reason]) => {
    const records = await recordsOf(DONOR_JSON, file('{"recordId": "D0"}', donor, '{"recordId": "D9"}'))
    expect(faults(records)).toEqual([`${person} 3 /donors[2]${path}: ${reason}`])
    expect(records.map((one) => one.person)).toEqual(['D0', person, 'D9'])
    expect(records[1]?.error?.code).toBe('bad-record')
  }) // prettier-ignore

  test.for([
    ['{"recordId": "D1", "changeType": "N", "donorType": "D", "ethn": "CA", "hla": {"a": {"dna": {"field1": "*01:01", "field2": ""}}}}', []],
    ['{"recordId": "D1", "changeType": "D", "donorType": "C"}', []],
    ['{"recordId": "D1"}', ['/changeType: it is missing', '/donorType: it is missing', '/hla: it is missing']],
    [
      '{"recordId": "D1", "changeType": "X", "donorType": "d", "ethn": "XX", "hla": {"zz": null, "HLA-A": null}}',
      [
        '/changeType: "X" is not one of D U N NU', '/donorType: "d" is not one of D C B',
        '/ethn: "XX" is not one of AFNA AFSS ASSW ASSO ASCE ASSE ASNE ASOC CAEU CAER CANA CAAU HICA HISA AF AS CA HI MX OT UK',
        '/hla/zz: it is not one of a b c drb1 drb3 drb4 drb5 dqa1 dqb1 dpa1 dpb1',
      ],
    ],
    [
      '{"recordId": "D1", "changeType": "U", "donorType": "B", "hla": {"a": {"dna": {"field1": "*01:01/01:02/01:03/04", "field2": "123456789012345678901"}, "ser": {"field2": "123456"}}, "b": {"dna": {"field1": "", "field2": "*07:02"}, "ser": null}}}',
      [
        '/hla/a/dna/field1: "*01:01/01:02/01:03/04" is longer than 20 characters', '/hla/a/dna/field2: "123456789012345678901" is longer than 20 characters',
        '/hla/a/ser/field2: "123456" is longer than 5 characters', '/hla/a/ser/field2: "123456" is given without field1',
        '/hla/b/dna/field2: "*07:02" is given without field1',
      ],
    ],
  ] as const)('%s breaks rules', async ([donor, broken]) => {
    const records = await recordsOf(DONOR_JSON, file('{"recordId": "D0", "changeType": "D", "donorType": "D"}', donor), true)
    expect(rules(records)[1]).toEqual(broken.map((one) => `3 /donors[2]${one}`))
    expect(rules(records).filter((_, at) => at !== 1).flat()).toEqual([])
  }) // prettier-ignore

  test('are said to be such', async () => {
    const { blocks: _, dialect, ...said } = await openDocument(DONOR_JSON, file())
    expect(said).toEqual({
      format: 'donor JSON',
      reading: 'the typings of donors: in DNA, else in serology',
      personName: 'recordId',
      extras: [
        { name: 'changeType', isOfTyping: false },
        { name: 'donorType', isOfTyping: false },
      ],
      ignored: ['all else about a donor', 'serology of a locus that has DNA'],
      hasPaths: true,
      isApart: true,
    })
    expect(dialect).toMatchObject({ encoding: 'utf8', delimiter: '\t', eol: '\n', preamble: 0 })
  })
})

describe('WMDA inventories', () => {
  const file = (items: string) => `<INVENTORIES>\n<INVENTORY>\n${items}\n</INVENTORY>\n</INVENTORIES>`
  const A = '<HLA><A><DNA><FIELD1>01:01</FIELD1><FIELD2>02:01</FIELD2></DNA></A></HLA>'
  const item = (content: string) => `<DONOR><ID>D1</ID>${content}</DONOR>`

  test('are the typings of donors and units', async () => {
    const text = file(`<DONOR><ID>D1</ID><GRID>G1</GRID><STATUS>AV</STATUS>${A}</DONOR>
<CBU><GRID>G2</GRID><HLA><B><DNA><FIELD1/></DNA><SER>
<FIELD1>7</FIELD1>
<FIELD2>8</FIELD2></SER></B><C/></HLA><MAT><ID>M</ID>${A}</MAT></CBU>
<DONOR><ID>D3</ID></DONOR>`)
    const records = await recordsOf(WMDA, text)
    expect(records.map(shown)).toEqual([
      'D1 A_1 A*01:01 3 /INVENTORIES/INVENTORY[1]/DONOR[1]/HLA/A/DNA/FIELD1',
      'D1 A_2 A*02:01 3 /INVENTORIES/INVENTORY[1]/DONOR[1]/HLA/A/DNA/FIELD2',
      'G2 B_1 B7 5 /INVENTORIES/INVENTORY[1]/CBU[1]/HLA/B/SER/FIELD1',
      'G2 B_2 B8 6 /INVENTORIES/INVENTORY[1]/CBU[1]/HLA/B/SER/FIELD2',
      'G2 C_1 4',
      'G2 C_2 4',
      'D3 7',
    ])
    expect(records.map(({ values }) => values.join())).toEqual(['G1,D,AV', 'G1,D,AV', 'G2,C,', 'G2,C,', 'G2,C,', 'G2,C,', ',D,']) // prettier-ignore
  })

  const D1 = '/INVENTORIES/INVENTORY[1]/DONOR[2]'
  test.for([
    ['<OTHER/>', ' ', '/INVENTORIES/INVENTORY[1]/OTHER: an inventory consists of DONOR and CBU elements'],
    ['<DONOR/>', ' ', `${D1}: it has neither ID nor GRID`],
    ['<DONOR><ID>D0</ID></DONOR>', 'D0 ', `${D1}: ID "D0" occurs twice`],
    ['<DONOR><ID>D1</ID><GRID>G0</GRID></DONOR>', 'D1 ', `${D1}: GRID "G0" occurs twice`],
    [item('<ID>D2</ID>'), 'D1 ', `${D1}/ID: it occurs twice`],
    [item(A + A), 'D1 ', `${D1}/HLA: it occurs twice`],
    [item('<HLA>x</HLA>'), 'D1 ', `${D1}/HLA: there is text beside elements`],
    [item('<HLA><ZZ/></HLA>'), 'D1 ', `${D1}/HLA/ZZ: there is no such locus`],
    [item('<HLA><A>x</A></HLA>'), 'D1 ', `${D1}/HLA/A: there is text beside elements`],
    [item('<HLA><A><RNA/></A></HLA>'), 'D1 ', `${D1}/HLA/A/RNA: a locus has DNA and SER`],
    [item('<HLA><A><DNA>x</DNA></A></HLA>'), 'D1 ', `${D1}/HLA/A/DNA: there is text beside elements`],
    [item('<HLA><A><SER><FIELD3/></SER></A></HLA>'), 'D1 ', `${D1}/HLA/A/SER/FIELD3: a typing is FIELD1 and FIELD2`],
    [item('<HLA><A><DNA><FIELD1><B/></FIELD1></DNA></A></HLA>'), 'D1 ', `${D1}/HLA/A/DNA/FIELD1/B: a typing is FIELD1 and FIELD2`],
    [item('<HLA><A><DNA><FIELD2/><FIELD2/></DNA></A></HLA>'), 'D1 ', `${D1}/HLA/A/DNA/FIELD2: it occurs twice`],
  ] as const)('%s cannot be read', async ([text, person, said]) => {
    const records = await recordsOf(WMDA, file(`<DONOR><ID>D0</ID><GRID>G0</GRID></DONOR>\n${text}\n<DONOR><ID>D9</ID></DONOR>`))
    expect(faults(records)).toEqual([`${person.trim()} 4 ${said}`])
    expect(records.map((one) => one.person)).toEqual(['D0', person.trim(), 'D9'])
  }) // prettier-ignore

  test.for([
    ['<a/>', 1, '/a: this is not a WMDA inventory: INVENTORIES with INVENTORY elements'],
    ['<INVENTORIES>\n<DONOR/></INVENTORIES>', 2, '/INVENTORIES/DONOR: this is not a WMDA inventory: INVENTORIES with INVENTORY elements'],
    ['<INVENTORIES>\n<INVENTORY SCHEMA_VERSION="1.9"/></INVENTORIES>', 2, '/INVENTORIES/INVENTORY: version "1.9" of inventories is not read'],
  ] as const)('%s is refused', async ([text, line, message]) => {
    const refused = recordsOf(WMDA, text)
    await expect(refused).rejects.toMatchObject({ code: 'io', line, message: `line ${line}: ${message}` })
    if (text.includes('VERSION')) await expect(refused).rejects.toMatchObject({ hint: 'versions are 2.0 2.1 2.2 2.3' })
  }) // prettier-ignore
})

describe('rules of an inventory', () => {
  const RIGHT = 'LISTING_ORGANIZATION="1000" POOL="9999" CONTENT_TYPE="B" UPDATE_MODE="DIFF"'
  const NEEDED = { ID: 'D1', BIRTH_DATE: '1968-06-28', STATUS: 'AV' }
  const HLA = '<HLA><A><DNA><FIELD1>01:01</FIELD1><FIELD2/></DNA></A></HLA>'
  const G = '1234ABCDEFGHIJKLM01'

  /** Broken rules of the second of three items, without the path of the inventory. */
  async function brokenOf(name: 'DONOR' | 'CBU', texts: Readonly<Record<string, string | undefined>>, { attributes = RIGHT, hla = HLA } = {}) {
    const elements = Object.entries({ ...NEEDED, ...texts }).map(([element, text]) => text === undefined ? '' : `<${element}>${text}</${element}>`)
    const other = (id: string) => `<DONOR><ID>${id}</ID><GRID>1234ABCDEFGHIJKLM${id}</GRID><BIRTH_DATE>1968-06-28</BIRTH_DATE>${HLA}<STATUS>AV</STATUS></DONOR>`
    const text = `<INVENTORIES><INVENTORY ${attributes}>\n${other('77')}\n<${name}>${elements.join('')}${hla}</${name}>\n${other('78')}</INVENTORY></INVENTORIES>`
    const [first = [], ...rest] = rules(await recordsOf(WMDA, text, true))
    const begin = `3 /INVENTORIES/INVENTORY[1]/${name}[${name === 'CBU' ? 1 : 2}]`
    return [...first, ...rest.flat().map((one) => one.startsWith(begin) ? one.slice(begin.length) : one)]
  } // prettier-ignore

  test.for([
    ['ID', 'x'.repeat(25), 'x'.repeat(26), 'is longer than 25 characters'],
    ['GRID', G, 'x', 'is not a GRID: four digits, thirteen digits or capital letters, two digits'],
    ['ATTR', 'abc', 'abcd', 'is longer than 3 characters'],
    ['BIRTH_DATE', '2000-02-29', '2001-02-29', 'is not a date like 1968-06-28'],
    ['SEX', 'M', 'W', 'is not one of F M'],
    ['ABO', 'AB', '0', 'is not one of A B O AB'],
    ['RHESUS', 'N', '+', 'is not one of P N'],
    ['ETHN', 'UK', 'XX', 'is not one of AFNA AFSS ASSW ASSO ASCE ASSE ASNE ASOC CAEU CAER CANA CAAU HICA HISA AF AS CA HI MX OT UK'],
    ['CCR5', 'DW', 'W', 'is not one of DD WW DW'],
    ['RSV_PAT', 'x'.repeat(17), 'x'.repeat(18), 'is longer than 17 characters'],
    ['STATUS', 'DE', 'XX', 'is not one of AV TU RS DE'],
    ['STAT_REASON', 'TX', 'QR', 'is not one of DO DD MR PR TX MO UC TQ OT UK'],
    ['STAT_END_DATE', '2000-01-01', '1.1.2000', 'is not a date like 1968-06-28'],
    ['CONTACT_DATE', '2000-01-01', '1.1.2000', 'is not a date like 1968-06-28'],
    ['CHECKUP_DATE', '2000-01-01', '1.1.2000', 'is not a date like 1968-06-28'],
    ['WEIGHT', '999', '0', 'is not a whole number from 1 to 999'],
    ['HEIGHT', '1', '1000', 'is not a whole number from 1 to 999'],
    ['NMBR_TRANS', '32767', '32768', 'is not a whole number from 0 to 32767'],
    ['NMBR_PREG', '0', '-1', 'is not a whole number from 0 to 32767'],
    ['NMBR_MARR', '32767', '32768', 'is not a whole number from 0 to 32767'],
    ['NMBR_PBSC', '0', '1.5', 'is not a whole number from 0 to 32767'],
    ['COLL_TYPE', 'B', 'X', 'is not one of M P B'],
  ] as const)('%s may be %s, and not %s', async ([name, right, wrong, reason]) => {
    expect(await brokenOf('DONOR', { [name]: ` ${right} ` })).toEqual([])
    expect(await brokenOf('DONOR', { [name]: wrong })).toEqual([`/${name}: "${wrong}" ${reason}`])
    if (name !== 'ID' && name !== 'GRID') expect(await brokenOf('DONOR', { [name]: '' })).toEqual(/^(?:ATTR|RSV_PAT)$/.test(name) ? [] : [`/${name}: it is empty`])
  }) // prettier-ignore

  const NEW = `${RIGHT} SCHEMA_VERSION="2.3"`
  test.for([
    ['DONOR', { GRID: G }, NEW, []],
    ['DONOR', {}, NEW, ['/GRID: it is missing']],
    ['DONOR', {}, `${RIGHT} SCHEMA_VERSION="2.2"`, []],
    ['DONOR', { ID: undefined, GRID: G }, NEW, []],
    ['DONOR', { BIRTH_DATE: undefined, STATUS: undefined }, RIGHT, ['/BIRTH_DATE: it is missing', '/STATUS: it is missing']],
    ['CBU', {}, NEW, []],
    ['CBU', { STAT_REASON: 'QR' }, RIGHT, []],
    ['CBU', { STAT_REASON: 'TX' }, RIGHT, ['/STAT_REASON: "TX" is not one of QR AD CD DS XP MR OT UK']],
    ['CBU', { ID: undefined, GRID: G }, RIGHT, ['/ID: it is missing']],
    ['CBU', { GRID: G }, NEW, [`/GRID: "${G}" is allowed for donors only`]],
    ['CBU', {}, RIGHT.replace('"B"', '"D"'), [': it is in an inventory with CONTENT_TYPE D']],
    ['CBU', { STATUS: 'DE' }, RIGHT.replace('DIFF', 'FULL'), ['/STATUS: "DE" is allowed with UPDATE_MODE DIFF only']],
    ['DONOR', { STATUS: 'AV' }, RIGHT.replace('DIFF', 'FULL'), []],
  ] as const)('of a %s with %j in %s', async ([name, texts, attributes, broken]) => {
    expect(await brokenOf(name, texts, { attributes })).toEqual(broken)
  }) // prettier-ignore

  test('of the inventory are told with its first item', async () => {
    const at = '1 /INVENTORIES/INVENTORY[1]/@'
    expect(await brokenOf('DONOR', {}, { attributes: '' })).toEqual(['LISTING_ORGANIZATION', 'POOL', 'CONTENT_TYPE', 'UPDATE_MODE'].map((name) => `${at}${name}: it is missing`)) // prettier-ignore
    const wrong = 'LISTING_ORGANIZATION="999" POOL="10000" CONTENT_TYPE="X" UPDATE_MODE="ALL"'
    expect(await brokenOf('DONOR', {}, { attributes: wrong })).toEqual([
      `${at}LISTING_ORGANIZATION: "999" is not a whole number from 1000 to 9999`,
      `${at}POOL: "10000" is not a whole number from 1000 to 9999`,
      `${at}CONTENT_TYPE: "X" is not one of D C B`,
      `${at}UPDATE_MODE: "ALL" is not one of FULL DIFF`,
    ])
  })

  const pair = (method: string, first: string, second: string) => `<${method}>${first}${second}</${method}>`
  const one = (text: string) => `<FIELD1>${text}</FIELD1>`
  const two = (text: string) => `<FIELD2>${text}</FIELD2>`
  test.for([
    ['', ['/HLA: it is missing']],
    ['<HLA/>', []],
    [`<HLA><E>${pair('DNA', one('01:01'), two(''))}</E></HLA>`, ['/HLA/E: it is not a locus of this version']],
    [`<HLA><MICA/></HLA>`, ['/HLA/MICA: it is not a locus of this version']],
    [`<HLA><DPB1>${pair('SER', one('1'), two(''))}</DPB1></HLA>`, ['/HLA/DPB1/SER: it is allowed for A B C DRB1 DQB1 only']],
    [`<HLA><DQB1>${pair('SER', one('12345'), two('123456'))}</DQB1></HLA>`, ['/HLA/DQB1/SER/FIELD2: "123456" is longer than 5 characters']],
    [`<HLA><A>${pair('DNA', one('x'.repeat(20)), two('x'.repeat(21)))}</A></HLA>`, [`/HLA/A/DNA/FIELD2: "${'x'.repeat(21)}" is longer than 20 characters`]],
    [`<HLA><A>${pair('DNA', one('01:01'), '')}</A></HLA>`, ['/HLA/A/DNA/FIELD2: it is missing']],
    [`<HLA><A>${pair('DNA', '', two('01:01'))}</A></HLA>`, ['/HLA/A/DNA/FIELD1: it is missing']],
    [`<HLA><A>${pair('SER', one(''), two('2'))}</A></HLA>`, ['/HLA/A/SER/FIELD2: "2" is given without FIELD1']],
    [`<HLA><A>${pair('SER', one(''), two(''))}</A></HLA>`, []],
  ] as const)('of the typings %s', async ([hla, broken]) => {
    expect(await brokenOf('DONOR', {}, { hla })).toEqual(broken)
  }) // prettier-ignore
})

describe('HML', () => {
  const file = (samples: string, more = ' version="1.0.1"') => `<hml${more}>\n${samples}\n</hml>`
  const assigned = (content: string, more = '') => `<allele-assignment${more}>${content}</allele-assignment>`
  const typing = (content: string, more = '') => `<typing>${assigned(content, more)}</typing>`
  const gl = (text: string) => `<glstring>${text}</glstring>`
  const sample = (content: string) => `<sample id="S1">${content}</sample>`

  test('is the typings of samples', async () => {
    const text = file(`<sample id=" S1 ">${typing(gl('HLA-A*01:01 +\nHLA-A*02:01^HLA-B*07:02'))}
${typing('<haploid locus="HLA-C" method="DNA" type="07:01"/><haploid locus="c" method="SEROLOGY" type="7"/>')}</sample>
<sample id="S2">${assigned(gl('A*24:02'))}${typing(gl(''))}</sample>
<sample id="S3">${typing(`${gl('A*24:02')}<haploid locus="B" type="07:02"/>`)}</sample>`)
    const records = await recordsOf(HML, text)
    expect(records.map(shown)).toEqual([
      'S1 A_1 A*01:01 2 /hml/sample[1]/typing[1]',
      'S1 A_2 A*02:01 2 /hml/sample[1]/typing[1]',
      'S1 B_1 B*07:02 2 /hml/sample[1]/typing[1]',
      'S1 C C*07:01 4',
      'S1 C Cw7 4',
      'S2 A_1 A*24:02 5 /hml/sample[2]',
      'S3 A_1 A*24:02 6 /hml/sample[3]/typing[1]',
    ])
    expect(records[3]?.places?.find('C', 1)).toMatchObject({ line: 4, path: '/hml/sample[1]/typing[2]' })
  })

  const NEW = gl('A*01:01')
  const OLD = gl('A*02:01')
  const of = (content: string, label: string) => assigned(content, ` allele-db="IMGT/HLA" allele-version="${label}"`) // prettier-ignore
  test.for([
    [[of(OLD, '3.20.0'), of(NEW, '3.30.0')], ['A*01:01']],
    [[of(NEW, '3.30.0'), of(OLD, '3.20.0')], ['A*01:01']],
    [
      [of(NEW, '3.30.0'), of(gl('B*07:02'), '3.20.0')],
      ['A*01:01', 'B*07:02'],
    ],
    [
      [of(NEW, '3.30.0'), assigned(OLD)],
      ['A*01:01', 'A*02:01'],
    ],
  ] as const)('of several assignments that of the newest release is read: %#', async ([all, typings]) => {
    const records = await recordsOf(HML, file(sample(`<typing>${all.join('')}</typing>`)))
    expect(records.map((one) => one.typing)).toEqual(typings)
  })

  test('counts the releases, and says that those of others are not read', async () => {
    const text = file(sample(`<typing>${of(OLD, '3.20.0')}${of(NEW, ' 3.30.0 ')}</typing>${typing(NEW)}`))
    const source = await openDocument(HML, text)
    for await (const _ of source.blocks()) continue
    expect([...(source.releases ?? [])]).toEqual([['IMGT/HLA 3.20.0', 1], ['IMGT/HLA 3.30.0', 1]]) // prettier-ignore
    expect(source.ignored).toEqual(['allele assignments of other releases'])
    expect(source).toMatchObject({ format: 'HML', reading: 'the GL Strings of samples', personName: 'sample', extras: [], hasPaths: true, isApart: true }) // prettier-ignore
  })

  const AT = '/hml/sample[2]/typing[1]'
  test.for([
    ['<sample/>', '', '/hml/sample[2]: the sample has no id', undefined],
    ['<sample id=" "/>', '', '/hml/sample[2]: the sample has no id', undefined],
    ['<sample id="S0"/>', 'S0', '/hml/sample[2]: sample "S0" occurs twice', undefined],
    [sample(typing('<genotype-list/>')), 'S1', `${AT}: its typing has only genotype elements, which hla does not read`, 'give the typing as the text of a glstring element'],
    [sample(typing('<glstring uri="http://x"/>')), 'S1', `${AT}: its GL String is at "http://x", which hla does not fetch`, 'give the typing as the text of a glstring element'],
    [sample(typing('<glstring><b/></glstring>')), 'S1', `${AT}: its GL String contains elements`, 'give the typing as the text of a glstring element'],
    [sample(typing('<haploid type="01:01"/>')), 'S1', `${AT}: a haploid has no locus, or no type`, undefined],
    [sample(typing('<haploid locus="HLA-A"/>')), 'S1', `${AT}: a haploid has no locus, or no type`, undefined],
  ] as const)('%s cannot be read', async ([text, person, said, hint]) => {
    const records = await recordsOf(HML, file(`<sample id="S0"/>\n${text}\n<sample id="S9"/>`))
    expect(faults(records)).toEqual([`${person} 3 ${said}`])
    expect(records[1]?.error?.hint).toBe(hint)
    expect(records.map((one) => one.person)).toEqual(['S0', person, 'S9'])
  }) // prettier-ignore

  test.for([
    ['<x/>', '/x: this is not HML, whose first element is hml', undefined],
    ['<hml version="2.0"/>', '/hml: version "2.0" of HML is not read', 'versions are 1.0 1.0.1 1.0.2'],
    ['<hml xmlns="http://schemas.nmdp.org/spec/hml/0.9"/>', '/hml: version "0.9" of HML is not read', 'versions are 1.0 1.0.1 1.0.2'],
  ] as const)('%s is refused', async ([text, message, hint]) => {
    await expect(recordsOf(HML, text)).rejects.toMatchObject({ code: 'io', line: 1, message: `line 1: ${message}`, hint })
  }) // prettier-ignore

  test.for(['<hml/>', '<hml version="1.0"/>', '<hml version="1.0.2" xmlns="x/hml/0.9"/>', '<hml xmlns="x/hml/1.0.1"/>', '<hml xmlns="x/hml/0.9/more"/>'])(
    '%s is read',
    async (text) => {
      expect(await recordsOf(HML, text)).toEqual([])
    },
  ) // prettier-ignore
})

describe('a document without a stated format', () => {
  const DOCUMENTS = [
    ['donors', ' {"donors" : ['],
    ['donors', '\ufeff{"updateMode": "full", "DONORS":[{"recordId": "1"}'],
    // its beginning is missing
    ['donors', ' "x" : 1, "recordId" : "1", "HLA" : {'],
    ['', '"x": 1, "recordId": "1"'],
    ['', 'x "x": 1, "recordId": "1", "hla": {'],
    ['', '{"donors": {'],
    ['', '{"donors": [{"alleles": 1}'],
    ['', '[{"donors": []}]'],
    ['wmda', '<?xml version="1.0"?><INVENTORIES>'],
    ['wmda', '<w:INVENTORIES xmlns:w="x">'],
    ['', '<INVENTORIESX>'],
    ['', '<INVENTORY>'],
    ['hml', '<?xml version="1.0"?><hml version="1.0.1">'],
    ['', '<html>'],
  ] as const
  test.for(DOCUMENTS)('is of the format %j: %j', async ([format, text]) => {
    const input = await readTableInput('f', [Buffer.from(text)])
    const asked = {
      input, dialect: input.dialect, rows: [], lines: [], request: {}, header: undefined, isLocus: () => true, isTyping: () => true,
      cellSeparator: undefined, isChecked: false,
    } // prettier-ignore
    const found = [['donors', DONOR_JSON], ['wmda', WMDA], ['hml', HML]] as const // prettier-ignore
    expect(found.flatMap(([name, one]) => (one.open(asked, false) === undefined ? [] : [name])).join()).toBe(
      format,
    )
  })
})
