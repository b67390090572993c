/** WMDA inventories: whose typings are read, their places, and refusals. */
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../../src/errors.ts'
import { convertRecords } from '../../support/record-tables.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

const OPTIONS = { into: 'replace', outDelimiter: ',' } as const

const field = (at: number, text: string) =>
  text === '' ? `<FIELD${at}/>` : `<FIELD${at}>${text}</FIELD${at}>`
const pair = (method: string, [first = '', second = '']: readonly string[]) =>
  `<${method}>\n${field(1, first)}\n${field(2, second)}\n</${method}>\n`
const locus = (name: string, dna?: readonly string[], ser?: readonly string[]) =>
  `<${name}>\n${ser === undefined ? '' : pair('SER', ser)}${dna === undefined ? '' : pair('DNA', dna)}</${name}>\n`
const item = (name: string, before: string, hla: string, after = '') =>
  `<${name}>\n${before}\n<HLA>\n${hla}</HLA>\n<STATUS>AV</STATUS>\n${after}</${name}>\n`
const donor = (id: string, hla: string) => item('DONOR', `<ID>${id}</ID>`, hla)
const inventory = (items: string, version = '2.3') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<INVENTORIES CREATION_TIME="2026-01-01T00:00:00Z">\n<INVENTORY LISTING_ORGANIZATION="1234" POOL="1234" CONTENT_TYPE="D" UPDATE_MODE="FULL" SCHEMA_VERSION="${version}">\n${items}</INVENTORY>\n</INVENTORIES>\n`

const A = locus('A', ['02:01', '24:02'])

const MOTHER = `<MAT>\n<ID>M1</ID>\n<HLA>\n${locus('A', ['01:01', '01:01'])}</HLA>\n</MAT>\n`

const THREE = inventory(
  [
    item('DONOR', '<GRID>1234ABCDEFGHIJKLM01</GRID>\n<ID> D1 </ID>', A + locus('B', ['07:02', '']), '<REMARK>é</REMARK>\n'), // prettier-ignore
    item('DONOR', '<GRID>1234ABCDEFGHIJKLM02</GRID>', locus('A', ['', ''], ['2', '24']) + locus('B', undefined, ['7', ''])), // prettier-ignore
    item('CBU', '<ID>C1</ID>', locus('A', ['*02:01', '02:01/03'], ['1', '1']), MOTHER),
  ].join(''),
)

describe('WMDA inventories', () => {
  test('a row is a donor or cord blood unit, in whatever pieces it comes', async () => {
    const options = { into: 'none', glOut: 'gl', outDelimiter: ',' } as const
    const { output, plan, failures } = await convertRecords({ 'f.xml': THREE }, options)
    expect([plan?.source?.format, failures]).toEqual(['WMDA inventory', []])
    expect(output.split('\n').map((line) => line.split(',').slice(0, 8).join(','))).toEqual([
      'ID,GRID,CONTENT_TYPE,STATUS,A_1,A_2,B_1,B_2',
      'D1,1234ABCDEFGHIJKLM01,D,AV,A*02:01,A*24:02,B*07:02,',
      '1234ABCDEFGHIJKLM02,1234ABCDEFGHIJKLM02,D,AV,A2,A24,B7,',
      'C1,,C,AV,A*02:01,A*02:01/A*02:03,,',
      '',
    ])
    for (const more of [{ piece: 1 }, { piece: 7 }, { inputFormat: 'wmda' }])
      expect((await convertRecords({ 'f.xml': THREE }, { ...options, ...more })).output).toBe(output)
    const wide = Buffer.from(`\ufeff${THREE}`, 'utf16le')
    expect((await convertRecords({ 'f.xml': wide }, options)).output).toBe(output)
  })

  test.each(['2.0', '2.1', '2.2', '2.3'])('version %s is read, with or without prefixes', async (version) => {
    const text = inventory(donor('D1', A), version)
    const prefixed = text.replaceAll(/(<\/?)(?=[A-Z])/g, '$1w:').replace('<w:INVENTORIES', '<w:INVENTORIES xmlns:w="x"') // prettier-ignore
    for (const one of [text, prefixed])
      expect((await convertRecords({ 'f.xml': one }, OPTIONS)).output).toContain('D1,,D,AV,A*02:01,A*24:02')
  })

  test('a failure names line and path, and only the cell fails', async () => {
    const text = inventory(donor('D1', A) + donor('D2', A + locus('B', ['07:02', '99:99'])))
    const { failures, output } = await convertRecords({ 'f.xml': text }, OPTIONS)
    expect(failures).toEqual([
      expect.stringMatching(
        /^f\.xml:28:\/INVENTORIES\/INVENTORY\[1\]\/DONOR\[2\]\/HLA\/B\/DNA\/FIELD2:B_2: .*B\*99:99/,
      ),
    ])
    expect(output).toContain('D2,,D,AV,A*02:01,A*24:02,B*07:02,')
  })

  test('donors and cord blood units are counted in their inventory', async () => {
    const bad = locus('A', ['99:99', ''])
    const text = inventory(donor('D1', A) + donor('D2', bad) + item('CBU', '<ID>C1</ID>', bad)).replace(
      '</INVENTORIES>',
      `<INVENTORY>${donor('D3', bad)}</INVENTORY></INVENTORIES>`,
    )
    const { failures } = await convertRecords({ 'f.xml': text }, OPTIONS)
    expect(failures.map((failure) => /INVENTORY[^/]*\/\w+\[\d\]/.exec(failure)?.[0])).toEqual([
      'INVENTORY[1]/DONOR[2]',
      'INVENTORY[1]/CBU[1]',
      'INVENTORY[2]/DONOR[1]',
    ])
  })

  const PLACE = '/INVENTORIES/INVENTORY[1]/DONOR[2]'
  test.each([
    ['a donor without ID and GRID', item('DONOR', '', A), `${PLACE}: it has neither ID nor GRID`],
    ['an ID that is there twice', donor('D1', A), `${PLACE}: ID "D1" occurs twice`],
    ['two IDs of one donor', item('DONOR', '<ID>D2</ID><ID>D3</ID>', A), `${PLACE}/ID: it occurs twice`],
    ['a locus that does not exist', donor('D2', locus('X', ['01:01'])), `${PLACE}/HLA/X: there is no such locus`], // prettier-ignore
    ['two HLA elements', donor('D2', `${A}</HLA><HLA>`), `${PLACE}/HLA: it occurs twice`],
    ['a field that is there twice', donor('D2', A.replace('FIELD2>', 'FIELD1>').replace('/FIELD2', '/FIELD1')), `${PLACE}/HLA/A/DNA/FIELD1: it occurs twice`], // prettier-ignore
    ['a third field', donor('D2', A.replaceAll('FIELD2', 'FIELD3')), `${PLACE}/HLA/A/DNA/FIELD3: a typing is FIELD1 and FIELD2`], // prettier-ignore
    ['elements in a field', donor('D2', A.replace('02:01', '<X/>02:01')), `${PLACE}/HLA/A/DNA/FIELD1/X: a typing is FIELD1 and FIELD2`], // prettier-ignore
    [
      'another method',
      donor('D2', A.replaceAll('DNA', 'NGS')),
      `${PLACE}/HLA/A/NGS: a locus has DNA and SER`,
    ],
    [
      'a typing beside its fields',
      donor('D2', '<A>02:01</A>'),
      `${PLACE}/HLA/A: there is text beside elements`,
    ],
    ['something else than a donor', '<ADCU><ID>1</ID></ADCU>', '/INVENTORIES/INVENTORY[1]/ADCU: an inventory consists of DONOR and CBU elements'], // prettier-ignore
    ['a field without an end', donor('D2', locus('A', ['0'.repeat(1 << 21)])), `${PLACE}/HLA/A/DNA/FIELD1: it is longer than 1048576 characters`], // prettier-ignore
  ])('%s is one failure, and the others are converted', async (_, text, said) => {
    const file = { 'f.xml': inventory(donor('D1', A) + text + donor('D9', A)) }
    const { failures, output } = await convertRecords(file, OPTIONS)
    expect(failures).toEqual([expect.stringMatching(/^f\.xml:\d+:/)])
    expect(failures[0]).toContain(said)
    for (const id of ['D1', 'D9']) expect(output).toContain(`${id},,D,AV,A*02:01,A*24:02`)
    await expect(convertRecords(file, { ...OPTIONS, onError: 'fail' })).rejects.toThrow(said)
  })

  const bomb = `<?xml version="1.0"?>\n<!DOCTYPE INVENTORIES [<!ENTITY a "aaaaaaaaaa">]>\n${THREE.split('\n').slice(1).join('\n')}`
  test.each([
    ['another version', inventory(donor('D1', A), '2.4'), /line 3: \/INVENTORIES\/INVENTORY: version "2\.4" of inventories is not read/], // prettier-ignore
    ['another document', '<?xml version="1.0"?>\n<x/>', /line 2: \/x: this is not a WMDA inventory/],
    ['another element in it', '<INVENTORIES>\n<DONOR/></INVENTORIES>', /line 2: \/INVENTORIES\/DONOR: this is not a WMDA inventory/], // prettier-ignore
    ['a cut document', THREE.slice(0, -30), /is not XML that can be read: /],
    [
      'a wrong end',
      THREE.replace('</DNA>', '</DNS>'),
      /line 12: .*not XML that can be read: unexpected close/,
    ],
    ['an entity bomb', bomb, /document type/],
    ['1,000 levels', inventory('<a>'.repeat(1000) + '</a>'.repeat(1000)), /more than 200 nested elements/],
    ['bytes of another encoding', Buffer.from(THREE.replace('<REMARK>é', `<REMARK>${'x'.repeat(70_000)}é`), 'latin1'), /contains bytes that are not UTF-8/], // prettier-ignore
  ])('%s ends the run', async (_, text, message) => {
    await expect(convertRecords({ 'f.xml': text }, { ...OPTIONS, inputFormat: 'wmda' })).rejects.toThrow(message) // prettier-ignore
  })

  test('a text that is not read may be long', async () => {
    const [before, after] = THREE.split('é')
    const file = { 'f.xml': `${before}${'x'.repeat(1 << 22)}${after}` }
    const { output } = await convertRecords(file, OPTIONS)
    expect(output).toBe((await convertRecords({ 'f.xml': THREE }, OPTIONS)).output)
  })

  test('whatever is changed, it is converted, or refused as what it is', async () => {
    const random = randomNumbers(63)
    const faults: unknown[] = []
    for (let round = 0; round < (process.env['HLA_LONG'] ? 2000 : 80); round += 1) {
      const at = Math.floor(random() * THREE.length)
      const changed = '<>/FIELD1AB:&" '.charAt(Math.floor(random() * 15))
      const file = { 'f.xml': THREE.slice(0, at) + changed + THREE.slice(at + Math.floor(random() * 3)) }
      const result = await convertRecords(file, OPTIONS).catch((error: unknown) => error)
      if (result instanceof Error && !(result instanceof HlaError)) faults.push([file, result])
    }
    expect(faults).toEqual([])
  })
})
