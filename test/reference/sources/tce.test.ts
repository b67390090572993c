/** Rows of dpb_tce.csv: every published value is read, any other is refused with its line. */
import { describe, expect, test } from 'vitest'
import { TCE_GROUPS, parseTce } from '../../../src/reference/sources/tce.ts'
import { errorOf } from '../../support/errors.ts'

const HEAD = '# file: dpb_tce.csv\nAllele,Protein,V1_Assignment,V2_Assignment,Comments\n'
const row = (one: string, two: string) => `DPB1*01:01:01:01,DPB1*01:01,${one},${two},\n`

describe('parseTce', () => {
  test.for(TCE_GROUPS)('reads the group %s', (group) => {
    expect(parseTce(HEAD + row(group, ''))).toEqual([
      { allele: 'DPB1*01:01:01:01', groups: [group, undefined] },
    ])
    expect(parseTce(HEAD + row('', group))[0]?.groups).toEqual([undefined, group])
  })

  test('reads a file without titles, with Windows line ends', () => {
    expect(parseTce((row('3', '2a') + row('0', '0')).replaceAll('\n', '\r\n'))).toHaveLength(2)
  })

  test.for([
    ['another group', HEAD + row('3', '4'), 'line 3 has the group "4"'],
    ['a group in other letters', HEAD + row('2A', '3'), 'line 3 has the group "2A"'],
    [
      'a line cut short',
      `${HEAD + row('3', '3')}DPB1*02:01,DPB1*02:01,3`,
      'line 4 is "DPB1*02:01,DPB1*02:01,3"',
    ],
    [
      'an allele of another locus',
      `${HEAD + row('3', '3')}DPA1*02:01,DPA1*02:01,3,3,`,
      'line 4 is "DPA1*02:01',
    ],
    ['text before an allele', `${HEAD + row('3', '3')}xDPB1*02:01,,3,3,`, 'line 4 is "xDPB1*02:01,,3,3,"'],
    ['text behind an allele', `${HEAD + row('3', '3')}DPB1*02:01x,,3,3,`, 'line 4 is "DPB1*02:01x,,3,3,"'],
    [
      'an allele without its first field',
      `${HEAD + row('3', '3')}DPB1*:01,,3,3,`,
      'line 4 is "DPB1*:01,,3,3,"',
    ],
    ['no allele', HEAD, 'it has no DPB1 alleles'],
  ] as const)('refuses %s', ([, text, message]) => {
    expect(() => parseTce(text)).toThrow(`dpb_tce.csv: ${message}`)
    expect(() => parseTce(text)).toThrow(expect.objectContaining({ code: 'bad-release-file' }))
  })

  test('says what is wrong, and what to do', () => {
    const hint = 'copy or download the file again; a release without it is installed, too, and answers all but the epitopes of DPB1'
    const error = { code: 'bad-release-file', offending: 'tce/dpb_tce.csv', hint }
    expect(errorOf(() => parseTce(row('', 'x'.repeat(21))))).toMatchObject({
      ...error,
      message: `dpb_tce.csv: line 1 has the group "${'x'.repeat(20)}"; 0, 1, 2, 2a, 3, 1$, 2$, 2a$, 3$ are known`,
    })
    expect(errorOf(() => parseTce(`${row('1', '1')}${'x'.repeat(61)}`))).toMatchObject({
      ...error,
      message: `dpb_tce.csv: line 2 is "${'x'.repeat(60)}"`,
    })
    expect(parseTce(`xDPB1*01:01,,,\n${row('', '')}`)).toEqual([{ allele: 'DPB1*01:01:01:01', groups: [undefined, undefined] }])
  }) // prettier-ignore
})
