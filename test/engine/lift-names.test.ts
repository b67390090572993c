/** Translates single names between releases, on a small history. */
import { describe, expect, it, test } from 'vitest'
import { liftName, liftNote } from '../../src/engine/lift/lift.ts'
import { locateSuccessor, parseSuccessor } from '../../src/engine/lift/accession.ts'
import { smallHistory } from '../support/history.ts'

const history = smallHistory()

describe('liftName from a release', () => {
  test.for([
    ['A*01:01:01', '3.10.0', '3.12.0', 'A*01:01:01:01', 'extended'],
    ['A*01:04N', '3.9.0', '3.12.0', 'A*01:04:01:01N', 'extended'],
    ['HLA-A*01:04N', '3.9.0', '3.12.0', 'HLA-A*01:04:01:01N', 'extended'],
    ['A*24:329', '3.10.0', '3.12.0', 'A*24:329Q', 'suffix'],
    ['A*24:329Q', '3.12.0', '3.10.0', 'A*24:329', 'suffix'],
    ['A*01:01:01:01', '3.11.0', '3.12.0', 'A*01:01:01:01', 'same'],
    ['A*01:01:01:01', '3.12.0', '3.9.0', 'A*01:01', 'renamed'], // backwards: fields are removed
    ['A*01:01:02', '3.11.0', '3.12.0', 'A*01:09', 'renamed'],
    ['A*30:100', '3.9.0', '3.12.0', 'A*30:02:12', 'renamed'],
    ['A*02:09', '3.10.0', '3.11.0', 'A*03:01:01', 'merged'], // the successor's name in that release
    ['A*02:09', '3.10.0', '3.12.0', 'A*03:01:01:01', 'merged'],
    ['A*03:07', '3.10.0', '3.12.0', null, 'deleted'],
    ['A*30:100', '3.12.0', '3.11.0', null, 'unknown'], // HLA00022 is named later
    ['A*99:99', '3.12.0', '3.11.0', null, 'unknown'],
    ['A*24:329', '3.12.0', '3.11.0', null, 'unknown'], // not a name of that release
    // abbreviated names
    ['A*01:01', '3.10.0', '3.12.0', 'A*01:01', 'same'],
    ['A*01', '3.10.0', '3.12.0', 'A*01', 'same'],
    ['C*03:99', '3.10.0', '3.12.0', 'C*01:169', 'renamed'],
    ['B*07:08', '3.10.0', '3.12.0', null, 'ambiguous'],
    ['A*01:04:01N', '3.11.0', '3.12.0', 'A*01:04:01N', 'same'],
    ['A*01:04N', '3.11.0', '3.12.0', 'A*01:04N', 'same'],
    ['A*01:01N', '3.11.0', '3.12.0', null, 'unknown'], // none of them is a null allele
    // accession numbers
    ['HLA00001', '3.9.0', '3.12.0', 'A*01:01:01:01', 'same'],
    ['HLA00001', '3.9.0', '3.9.0', 'A*01:01', 'same'],
    ['HLA00010', '3.9.0', '3.12.0', 'A*03:01:01:01', 'merged'],
    ['HLA00070', '3.9.0', '3.12.0', null, 'deleted'],
    ['HLA00071', '3.9.0', '3.12.0', 'A*03:01:01:01', 'merged'], // named before the first list
    ['HLA00022', '3.12.0', '3.11.0', null, 'unknown'],
    ['HLA99999', '3.9.0', '3.12.0', null, 'unknown'],
    // not translated
    ['A*01:01:01G', '3.9.0', '3.12.0', 'A*01:01:01G', 'same'],
    ['HLA-A*01:01P', '3.9.0', '3.12.0', 'HLA-A*01:01P', 'same'],
    ['A*01:01g', '3.9.0', '3.12.0', 'A*01:01g', 'same'],
    ['A*01:XX', '3.9.0', '3.12.0', 'A*01:XX', 'same'],
    ['A*01:AB', '3.9.0', '3.12.0', 'A*01:AB', 'same'],
    ['Cw10', '3.9.0', '3.12.0', 'Cw10', 'same'],
    ['MICA*001', '3.9.0', '3.12.0', 'MICA*001:01', 'extended'], // one field, which was a name then
  ] as const)('%s of %s is in %s %s (%s)', ([name, from, to, result, status]) => {
    expect(liftName(history, name, { from, to })).toMatchObject({ input: name, from, to, result, status })
  })

  test.for([
    ['A*01:01:01G', 'a G group'],
    ['A*01G', 'a G group'],
    ['DRB1*04:01P', 'a P group'],
    ['A*01P', 'a P group'],
    ['A*01:01g', 'a reduced name'],
    ['A*01:01:01ARS', 'a reduced name'],
    ['A*01:XX', 'an XX code'],
    ['A*01:XXX', 'a MAC'],
    ['A*01:AB', 'a MAC'],
    ['A2', 'an antigen'],
    ['DPw4', 'an antigen'],
  ] as const)('%s is %s, which is not translated', ([name, kind]) => {
    const message = `${name} is ${kind}, which is not translated between releases`
    expect(liftName(history, name, { from: '3.9.0', to: '3.12.0' }).warnings).toMatchObject([{ message }])
  })

  test.for(['A*01:01NG', 'A*01:01GX', 'A*01:01NP', 'A*01:01PX', 'A*01:01Ng', 'A*01:01gX', 'A*01g', 'A*01::01G', 'A*01::01P', 'A*01::01g', 'A*01N:01g', 'A*01:01:XX', 'A*01:01:AB', 'A*01:ABc', 'xA*01:XX', 'A*:XX', 'xCw10', 'Cw10x', 'Cw', 'FOO1'])(
    '%s is unknown',
    (name) => {
      const { status, warnings } = liftName(history, name, { from: '3.9.0', to: '3.12.0' })
      expect([status, warnings.map(({ code }) => code)]).toEqual(['unknown', ['unknown-allele']])
    },
  ) // prettier-ignore

  it('warns that the text is now another allele', () => {
    const { accession, warnings } = liftName(history, 'A*30:100', { from: '3.9.0', to: '3.12.0' })
    expect(accession).toBe('HLA00020')
    expect(warnings).toEqual([
      {
        level: 'warning',
        code: 'reissued',
        message: 'A*30:100 is a different allele in 3.12.0 (HLA00022)',
        offending: 'A*30:100',
      },
    ])
  })

  it('does not warn when the text means the same allele', () => {
    expect(liftName(history, 'A*30:100', { from: '3.9.0', to: '3.11.0' }).warnings).toEqual([])
  })

  it('names the alleles that left an abbreviated name', () => {
    const { warnings } = liftName(history, 'A*01:01', { from: '3.10.0', to: '3.12.0' })
    const message = '1 of 2 alleles under A*01:01 are under other names in 3.12.0: A*01:01:02 (A*01:09)'
    expect(warnings).toEqual([{ level: 'note', code: 'members-moved', message, offending: 'A*01:01' }])
  })

  it('refuses a release the history does not have', () => {
    const lift = () => liftName(history, 'A*01:01', { from: '3.99.0', to: '3.12.0' })
    expect(lift).toThrow(expect.objectContaining({ code: 'unknown-release', offending: '3.99.0' }))
  })
})

describe('liftName from any release', () => {
  test.for([
    ['A*24:329', '3.12.0', 'A*24:329Q', 'suffix', []],
    ['A*24:329Q', '3.10.0', 'A*24:329', 'suffix', []],
    ['A*01:01', '3.12.0', 'A*01:01', 'same', []], // still a prefix: not narrowed to one allele
    ['A*01:04N', '3.12.0', 'A*01:04N', 'same', []],
    ['A*30:100', '3.12.0', 'A*30:100', 'same', ['reissued', 'reissued']],
    ['A*30:100', '3.10.0', null, 'ambiguous', ['lift-ambiguous']],
    ['C*03:99', '3.12.0', 'C*01:169', 'renamed', []],
    ['B*07:08', '3.12.0', null, 'ambiguous', ['lift-ambiguous']],
    ['A*02:09', '3.12.0', 'A*03:01:01:01', 'merged', ['deleted-allele']],
    ['A*0308', '3.12.0', 'A*03:01:01:01', 'merged', ['deleted-allele']], // through A*0309
    ['A*0310', '3.12.0', null, 'deleted', ['deleted-allele']],
    ['MICA*001', '3.12.0', 'MICA*001:01', 'extended', []],
    ['A*01', '3.12.0', 'A*01', 'same', ['not-lifted']],
    ['A*99', '3.12.0', null, 'unknown', ['unknown-allele']],
    ['A*99:99', '3.12.0', null, 'unknown', ['unknown-allele']],
    ['A1 ', '3.12.0', null, 'unknown', ['unknown-allele']],
  ] as const)('%s is in %s %s (%s)', ([name, to, result, status, codes]) => {
    const lifted = liftName(history, name, { to })
    expect(lifted).toMatchObject({ input: name, from: 'any', to, result, status })
    expect(lifted.warnings.map(({ code }) => code)).toEqual(codes)
  })
})

describe('noteOfLift', () => {
  test.for([
    ['A*24:329', undefined, 'A*24:329 read as A*24:329Q (renamed in 3.11.0)', 'renamed-allele'],
    ['HLA-A*24:329', undefined, 'HLA-A*24:329 read as HLA-A*24:329Q (renamed in 3.11.0)', 'renamed-allele'],
    ['A*30:100', '3.9.0', 'A*30:100 (3.9.0) read as A*30:02:12', 'renamed-allele'],
    ['A*02:09', undefined, 'A*02:09 read as A*03:01:01:01', 'deleted-allele'],
  ] as const)('says of %s from %s: %s', ([name, from, message, code]) => {
    const note = liftNote(history, liftName(history, name, { from, to: '3.12.0' }))
    expect(note).toEqual({ level: 'note', code, message, offending: name })
  })

  it('says nothing of a name that is read as it stands', () => {
    expect(liftNote(history, liftName(history, 'A*01:01', { to: '3.12.0' }))).toBeUndefined()
  })
})

describe('successorOf', () => {
  test.for([
    ['Sequence renamed A*24:329Q (October 2019)', 'A*24:329Q'],
    [
      'Sequence shown to be identical to corrected sequence of A*11:02:01:01 (November 2011)',
      'A*11:02:01:01',
    ],
    ['Sequence named in error and shown to be  identical to Cw*0421 (August 2006)', 'Cw*0421'],
    ['Sequence shown to belong to C*01 allele group renamed C*01:169:01 (October 2018)', 'C*01:169:01'],
    ['Allele name deleted as shown to be partial of newly named B*07:436 (July 2021)', 'B*07:436'],
    [
      'identical to A*03:284N (2017). The sequence originally assigned to A*03:260 is now named A*03:395',
      'A*03:284N',
    ],
    ['Name never assigned', undefined],
    ['Sequence shown to contain errors (March 1995)', undefined],
  ] as const)('of "%s" is %s', ([description, name]) => expect(parseSuccessor(description)).toBe(name))
})

describe('names from before April 2010', () => {
  const oldNames = { 'A*0999': 'A*02:09' }

  test.for([
    ['A*24329', '3.10.0', '3.12.0', 'A*24:329Q', 'renamed', 'A*24:329'],
    ['HLA-A*24329', undefined, '3.12.0', 'HLA-A*24:329Q', 'renamed', 'HLA-A*24:329'],
    ['A*0301', '3.10.0', '3.11.0', 'A*03:01:01', 'renamed', 'A*03:01'],
    ['A*03011', undefined, '3.11.0', 'A*03:01:01', 'renamed', 'A*03:01:01'], // from before 2002
    ['A*0999', '3.10.0', '3.11.0', 'A*03:01:01', 'merged', 'A*02:09'], // from the table
    ['A*0104N', '3.9.0', '3.12.0', 'A*01:04:01:01N', 'renamed', 'A*01:04N'],
    ['A*0307', '3.10.0', '3.12.0', null, 'deleted', 'A*03:07'],
    ['A*9999', undefined, '3.12.0', null, 'unknown', 'A*99:99'],
    ['A*24329', '3.12.0', '3.11.0', null, 'unknown', 'A*24:329'],
    ['A*01AB', '3.9.0', '3.12.0', 'A*01:AB', 'renamed', 'A*01:AB'],
    ['A*0309', undefined, '3.12.0', 'A*03:01:01:01', 'merged', undefined], // filed under that name
    ['A*01', '3.10.0', '3.12.0', 'A*01', 'same', undefined],
    ['MICA*001', '3.9.0', '3.12.0', 'MICA*001:01', 'extended', undefined], // never had such names
  ] as const)('%s of %s is in %s %s (%s)', ([name, from, to, result, status, spelling]) => {
    const lifted = liftName(history, name, { from, to, oldNames })
    expect([lifted.result, lifted.status, lifted.spelling]).toEqual([result, status, spelling])
    expect(lifted.warnings.every(({ offending = name }) => name.includes(offending) || offending === spelling)).toBe(true) // prettier-ignore
  })

  it('says what is known of the present spelling, and nothing where only the spelling changed', () => {
    const lifted = liftName(history, 'A*24329', { from: '3.12.0', to: '3.11.0', oldNames })
    expect(lifted.warnings[0]?.message).toBe('A*24329 is not in 3.12.0; A*24:329 is in 3.10.0')
    expect(liftNote(history, liftName(history, 'A*0101', { to: '3.12.0', oldNames }))).toBeUndefined()
    const note = liftNote(history, liftName(history, 'A*24329', { to: '3.12.0', oldNames }))
    expect(note?.message).toBe('A*24329 read as A*24:329Q')
  })
})

test.for([
  ['A*01:04', '3.11.0', 'A*01:04'],
  // later names alone begin with it
  ['A*01:04', '3.10.0', undefined],
  ['B*07:08', '3.12.0', undefined],
  ['A*30:100', '3.9.0', 'A*30:100'],
  ['A*30:100', '3.10.0', undefined],
  ['A*99:99', '3.12.0', undefined],
] as const)('the successor %s in %s is %s', ([name, to, expected]) => {
  expect(locateSuccessor(history, `Sequence renamed ${name} (June 2009)`, to)).toBe(expected)
})
