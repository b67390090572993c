/** hla validate reports which field of which donor breaks which rule of an inventory or an import file. */
import { describe, expect, test } from 'vitest'
import { convertRecords } from '../../support/record-tables.ts'

const HLA = '<HLA><A><DNA><FIELD1>02:01</FIELD1><FIELD2/></DNA></A></HLA>'
const GOOD = `<GRID>1234ABCDEFGHIJKLM01</GRID><BIRTH_DATE>1968-06-28</BIRTH_DATE><SEX>F</SEX>${HLA}<STATUS>AV</STATUS>`

const inventory = (items: string, attributes = 'SCHEMA_VERSION="2.3"') =>
  `<INVENTORIES CREATION_TIME="2026-01-01T00:00:00Z">\n<INVENTORY LISTING_ORGANIZATION="1234" POOL="1234" CONTENT_TYPE="D" UPDATE_MODE="FULL" ${attributes}>\n${items}\n</INVENTORY></INVENTORIES>`
const donor = (content: string) => `<DONOR><ID>D1</ID>${content}</DONOR>`

const OTHER = donor(GOOD).replace('M01', 'M02').replace('D1', 'D2')

/** Messages about a document, without the file name. */
async function said(name: string, text: string, options = {}): Promise<readonly string[]> {
  const { failures } = await convertRecords({ [name]: text }, { isValidated: true, ...options })
  return failures.map((failure) => failure.slice(name.length + 1))
}

const DONOR = '/INVENTORIES/INVENTORY[1]/DONOR[1]'
const add = (text: string) => GOOD.replace('<HLA>', `${text}<HLA>`)

describe('inventories', () => {
  test.each([
    ['what is right', GOOD, []],
    ['a date', GOOD.replace('06-28', '02-30'), ['BIRTH_DATE: "1968-02-30" is not a date like 1968-06-28']],
    ['a missing date', GOOD.replace(/<BIRTH.*DATE>/, ''), ['BIRTH_DATE: it is missing']],
    ['a sex', GOOD.replace('>F<', '>W<'), ['SEX: "W" is not one of F M']],
    ['an empty element', GOOD.replace('>F<', '><'), ['SEX: it is empty']],
    ['a GRID', GOOD.replace('M01', 'm01'), ['GRID: "1234ABCDEFGHIJKLm01" is not a GRID']],
    ['no GRID', GOOD.replace(/<GRID.*GRID>/, ''), ['GRID: it is missing']],
    ['a blood group', add('<ABO>0</ABO><RHESUS>+</RHESUS>'), ['ABO: "0" is not one of A B O AB', 'RHESUS: "+" is not one of P N']], // prettier-ignore
    ['an ethnic group', add('<ETHN>XX</ETHN><CCR5>W</CCR5>'), ['ETHN: "XX" is not one of AFNA', 'CCR5: "W" is not one of DD WW DW']], // prettier-ignore
    ['numbers', add('<WEIGHT>0</WEIGHT><HEIGHT>1.8</HEIGHT><NMBR_PREG>-1</NMBR_PREG>'), ['WEIGHT: "0" is not a whole number from 1 to 999', 'HEIGHT: "1.8"', 'NMBR_PREG: "-1"']], // prettier-ignore
    ['a status', GOOD.replace('>AV<', '>XX<'), ['STATUS: "XX" is not one of AV TU RS DE']],
    ['a deletion of a full inventory', GOOD.replace('>AV<', '>DE<'), ['STATUS: "DE" is allowed with UPDATE_MODE DIFF only']], // prettier-ignore
    [
      'a reason of cord blood units',
      add('<STAT_REASON>QR</STAT_REASON>'),
      ['STAT_REASON: "QR" is not one of DO'],
    ],
    ['no typings', GOOD.replace(HLA, ''), ['HLA: it is missing']],
    ['a field that is missing', GOOD.replace('<FIELD2/>', ''), ['HLA/A/DNA/FIELD2: it is missing']],
    ['a second field alone', GOOD.replace('02:01', '').replace('<FIELD2/>', '<FIELD2>02:01</FIELD2>'), ['HLA/A/DNA/FIELD2: "02:01" is given without FIELD1']], // prettier-ignore
    ['long fields', GOOD.replace('02:01', '02:01/02/03/06/07/08/09'), ['HLA/A/DNA/FIELD1: "02:01/02/03/06/07/08/09" is longer than 20 characters']], // prettier-ignore
  ])('%s', async (_, content, expected) => {
    const found = await said('f.xml', inventory(donor(content) + OTHER))
    const own = found.filter((one) => one.includes('[bad-record]'))
    expect(own.length).toBe(expected.length)
    for (const [at, text] of expected.entries()) expect(own[at]).toContain(`3:${DONOR}/${text}`)
  })

  test.each([
    ['a locus of the latest version', 'E', '2.3', 'DNA', []],
    ['the same in an earlier one', 'E', '2.2', 'DNA', ['/E: it is not a locus of this version']],
    ['a locus of every version', 'DPB1', '2.2', 'DNA', []],
    ['a locus of none', 'MICA', '2.3', 'DNA', ['/MICA: it is not a locus of this version']],
    ['serology of a locus that has it', 'DQB1', '2.3', 'SER', []],
    ['serology of one that has none', 'DPB1', '2.3', 'SER', ['/DPB1/SER: it is allowed for A B C DRB1 DQB1 only']],
    ['both', 'E', '2.2', 'SER', ['/E: it is not a locus of this version', '/E/SER: it is allowed for A B C DRB1 DQB1 only']],
  ])('%s', async (...[, name, version, method, expected]) => {
    const text = `<${name}><${method}><FIELD1>7</FIELD1><FIELD2/></${method}></${name}>`
    const found = await said('f.xml', inventory(donor(GOOD.replace('</HLA>', `${text}</HLA>`)), `SCHEMA_VERSION="${version}"`))
    expect(found.filter((one) => one.endsWith('[bad-record]'))).toEqual(expected.map((one) => `3:${DONOR}/HLA${one} [bad-record]`))
  }) // prettier-ignore

  test.each([
    ['DNA', '02:01/02:02/02:03/02', undefined],
    ['DNA', '02:01/02:02/02:03/022', 'is longer than 20 characters'],
    ['SER', '2403 ', undefined],
    ['SER', '24:030', 'is longer than 5 characters'],
  ])('how long a field of %s may be: %j', async (method, text, expected) => {
    const typed = GOOD.replace(/<DNA>.*<\/DNA>/, `<${method}><FIELD1>${text}</FIELD1><FIELD2/></${method}>`)
    const found = await said('f.xml', inventory(donor(typed)))
    expect(found.filter((one) => one.endsWith('[bad-record]'))).toEqual(
      expected === undefined
        ? []
        : [`3:${DONOR}/HLA/A/${method}/FIELD1: ${JSON.stringify(text)} ${expected} [bad-record]`],
    )
  })

  test('rules of a version, of cord blood units and of the inventory', async () => {
    const old = await said(
      'f.xml',
      inventory(donor(GOOD.replace(/<GRID.*GRID>/, '')), 'SCHEMA_VERSION="2.2"'),
    )
    expect(old).toEqual([])
    const unit = await said('f.xml', inventory(`<CBU>${GOOD}</CBU>`))
    expect(unit.map((one) => one.replace(/^.*CBU\[1\]/, ''))).toEqual([
      '/ID: it is missing [bad-record]',
      '/GRID: "1234ABCDEFGHIJKLM01" is allowed for donors only [bad-record]',
      ': it is in an inventory with CONTENT_TYPE D [bad-record]',
    ])
    const bad = inventory(donor(GOOD) + donor(GOOD.replace('M01', 'M02')).replace('D1', 'D2')).replace('"1234" POOL="1234"', '"12"') // prettier-ignore
    expect(await said('f.xml', bad)).toEqual([
      '2:/INVENTORIES/INVENTORY[1]/@LISTING_ORGANIZATION: "12" is not a whole number from 1000 to 9999 [bad-record]',
      '2:/INVENTORIES/INVENTORY[1]/@POOL: it is missing [bad-record]',
    ])
  })

  test('only validate asks, and the first ends the run where the first failure does', async () => {
    const file = { 'f.xml': inventory(donor(GOOD.replace('>F<', '>W<'))) }
    expect((await convertRecords(file, {})).failures).toEqual([])
    await expect(convertRecords(file, { isValidated: true, onError: 'fail' })).rejects.toThrow(
      `line 3: ${DONOR}/SEX: "W" is not one of F M`,
    )
  })

  test('of many donors each is told once, with its row and id', async () => {
    const many = Array.from({ length: 3000 }, (_, at) =>
      `<DONOR><ID>D${at}</ID>${GOOD.replace(/<GRID.*GRID>/, '').replace('>F<', at % 10 === 0 ? '>W<' : '>F<')}</DONOR>`) // prettier-ignore
    const found = await said('f.xml', inventory(many.join('\n'), 'SCHEMA_VERSION="2.2"'))
    expect(found.length).toBe(300)
    expect(found[299]).toContain('2993:/INVENTORIES/INVENTORY[1]/DONOR[2991]/SEX: "W"')
  })

  test('they are told in the order of the donors, with their cells', async () => {
    const bad = GOOD.replace(/<GRID.*GRID>/, '').replace('02:01', '99:99')
    const many = Array.from({ length: 30 }, (_, at) =>
      `<DONOR><ID>D${at}</ID>${at % 2 === 0 ? bad : bad.replace('>F<', '>W<')}</DONOR>`) // prettier-ignore
    const found = await said('f.xml', inventory(many.join('\n'), 'SCHEMA_VERSION="2.2"'))
    const donors = found.map((text) => Number(/DONOR\[(\d+)\]/.exec(text)?.[1]))
    expect(donors).toEqual(donors.toSorted((a, b) => a - b))
    expect(found.length).toBe(45)
  })
})

const json = (more: string) =>
  `{"donors": [\n{"recordId": "1", "changeType": "N", "donorType": "D", "hla": {"A": {"dna": {"field1": "*02:01", "field2": null}}}},\n{"recordId": "2"${more}}]}`
const TYPED = '"hla": {"A": {"dna": {"field1": "*02:01"}}}'

describe('donor import files', () => {
  test.each([
    ['what is right', `, "ChangeType": "NU", "donortype": "C", "ethn": "UK", ${TYPED}`, []],
    ['no types', `, ${TYPED}`, ['changeType: it is missing', 'donorType: it is missing']],
    ['another change', `, "changeType": "X", "donorType": "D", ${TYPED}`, ['changeType: "X" is not one of D U N NU']], // prettier-ignore
    ['an ethnic group', `, "changeType": "N", "donorType": "D", "ethn": "XX", ${TYPED}`, ['ethn: "XX" is not one of AFNA']], // prettier-ignore
    ['no typings', ', "changeType": "N", "donorType": "D"', ['hla: it is missing']],
    ['no typings of a donor that goes', ', "changeType": "D", "donorType": "D"', []],
    ['loci with their prefix', `, "changeType": "N", "donorType": "D", "hla": {"HLA-A": {"dna": {"field1": "*02:01"}}, "drb1": {"dna": {"field1": "*01:01"}}}`, []], // prettier-ignore
    ['another locus', `, "changeType": "N", "donorType": "D", "hla": {"a": {"dna": {"field1": "*02:01"}}, "hla-e": {"dna": {"field1": "*01:01"}}}`, ['hla/hla-e: it is not one of a b c']], // prettier-ignore
    ['a second field alone', `, "changeType": "N", "donorType": "D", "hla": {"a": {"ser": {"field2": "2"}}}`, ['hla/a/ser/field2: "2" is given without field1']], // prettier-ignore
    ['a long field', `, "changeType": "N", "donorType": "D", "hla": {"a": {"ser": {"field1": "*02:01"}}}`, ['hla/a/ser/field1: "*02:01" is longer than 5 characters']], // prettier-ignore
  ])('%s', async (_, more, expected) => {
    const found = await said('f.json', json(more))
    const own = found.filter((one) => one.includes('[bad-record]'))
    expect(own.length).toBe(expected.length)
    for (const [at, text] of expected.entries()) expect(own[at]).toContain(`3:/donors[2]/${text}`)
  })
})
