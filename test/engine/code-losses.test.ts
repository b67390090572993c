/** Members of codes that a small release lacks: the notes on each, and which of them change no answer. */
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { expandFamily, expandMac } from '../../src/engine/expand/expand-mac.ts'
import { parseMac } from '../../src/engine/expand/mac.ts'
import { explain } from '../../src/engine/explain/explain.ts'
import type { Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { assured, type Loss } from '../../src/errors.ts'
import { NO_CITATIONS } from '../../src/reference/citations.ts'
import { encodeHistory, readHistory } from '../../src/reference/history/history.ts'
import { encodeMacTable, readMacTable } from '../../src/reference/mac-table.ts'
import { parseNumer } from '../../src/reference/sources/numer.ts'
import { errorOf } from '../support/errors.ts'
import { listOf } from '../support/history.ts'
import { smallRelease } from '../support/small-release.ts'

/** A*02:02 is A*02:453 now, DPA1*02:09 is DPA1*02:07, and A*02:10 another allele than before. */
const history = readHistory(
  encodeHistory(
    [
      listOf('3.50.0', {
        HLA00001: 'A*02:01:01:01',
        HLA00002: 'A*02:02',
        HLA00003: 'A*02:04',
        HLA00004: 'DPA1*02:02:02:01',
        HLA00005: 'DPA1*02:09:01',
        HLA00006: 'DPA1*02:09:02',
        HLA00008: 'A*02:10',
        HLA00009: 'A*02:03:01:01',
      }),
      listOf('3.58.0', {
        HLA00001: 'A*02:01:01:01',
        HLA00002: 'A*02:453',
        HLA00004: 'DPA1*02:02:02:01',
        HLA00005: 'DPA1*02:07:01:01',
        HLA00006: 'DPA1*02:07:04',
        HLA00008: 'A*02:16',
        HLA00009: 'A*02:03:01:01',
        HLA00010: 'A*02:10',
      }),
      listOf('3.60.0', { HLA00001: 'A*02:01:01:01', HLA00002: 'A*02:453', HLA00007: 'A*02:05' }),
    ],
    [],
  ),
)

const NUMER = `"LAST UPDATED: 11/04/24"
CODE\tSUBTYPE

PQRS\t02:01/02:02/02:04/02:05/02:06
PQRT\t02:02/02:09
PQ\t01/02/04/05/06
PR\t04/06
PS\t06/07/08/09/11
PT\t01/10
PU\t01/04N/22
PV\t02/04N
PW\t02/04N/287N
`
const release = smallRelease()
const macs = readMacTable(encodeMacTable(parseNumer(NUMER), '0'.repeat(64)))

/** `membersOf`: the release that the codes are of. */
function engineOf(membersOf?: string): Engine {
  const engine = makeEngine(release, macs, undefined, () => history)
  return membersOf === undefined ? engine : { ...engine, membersOf }
}

const RENAMED: Loss = { name: 'A*02:02', kind: 'renamed', present: ['A*02:453'] }
const RETIRED: Loss = { name: 'A*02:04', kind: 'retired' }
const LATER: Loss = { name: 'A*02:05', kind: 'later', since: '3.60.0' }
const UNKNOWN: Loss = { name: 'A*02:06', kind: 'unknown' }
const FORMER: Loss = { name: 'DPA1*02:09', kind: 'renamed', present: ['DPA1*02:07'] }
const OTHER: Loss = { name: 'A*02:10', kind: 'renamed', present: ['A*02:16'] }
const lifted = (loss: Loss): Loss => ({ ...loss, lifted: true })

/** A note on losses of one kind. */
function noteOf(text: string, losses: readonly Loss[], message: string) {
  const [{ kind, lifted: isRead = false } = RENAMED] = losses
  const level = isRead ? 'note' : 'warning'
  return { level, code: `${kind}-member`, message: `${message} ${text}`, offending: text, losses, position: [0, text.length] } // prettier-ignore
}

describe('redux', () => {
  test.for<[code: string, method: Method, from: string | undefined, text: string, notes: [Loss[], string][]]>([
    ['A*02:PQRS', 'lgx', undefined, 'A*02:01', [
      [[RENAMED], 'A*02:02 is A*02:453 now, and is left out of'],
      [[RETIRED], 'A*02:04 is no longer listed, and is left out of'],
      [[LATER], 'A*02:05 is first named in 3.60.0, and is left out of'],
      [[UNKNOWN], 'A*02:06 is not listed, and is left out of'],
    ]],
    // the numbers of a code for any first field need not be alleles of each
    ['A*02:PQ', 'lgx', undefined, 'A*02:01', [
      [[RENAMED], 'A*02:02 is A*02:453 now, and is left out of'],
      [[RETIRED], 'A*02:04 is no longer listed, and is left out of'],
      [[LATER], 'A*02:05 is first named in 3.60.0, and is left out of'],
    ]],
    // the first field is the same for all
    ['A*02:PQRS', '1F', undefined, 'A*02', []],
    // G answers two groups of DPA1*02:07, of which the other member has one
    ['DPA1*02:PQRT', 'G', undefined, 'DPA1*02:02:02G', [[[FORMER], 'DPA1*02:09 is DPA1*02:07 now, and is left out of']]],
    ['DPA1*02:PQRT', 'P', undefined, 'DPA1*02:02P', []],
    ['A*02:PT', 'U2', undefined, 'A*02:01/A*02:10', []],
    // of the names of an earlier release
    ['A*02:PQRS', 'lgx', '3.50.0', 'A*02:01/A*02:10', [
      [[lifted(RENAMED)], 'A*02:02 is A*02:453 now, and is read so in'],
      [[RETIRED], 'A*02:04 is no longer listed, and is left out of'],
      [[LATER], 'A*02:05 is first named in 3.60.0, and is left out of'],
      [[UNKNOWN], 'A*02:06 is not listed, and is left out of'],
    ]],
    ['DPA1*02:PQRT', 'G', '3.50.0', 'DPA1*02:02:02G/DPA1*02:07:01G', [
      [[lifted(FORMER)], 'DPA1*02:09 is DPA1*02:07 now, and is read so in'],
    ]],
    ['DPA1*02:PQRT', 'P', '3.50.0', 'DPA1*02:02P', []],
    ['A*02:PT', 'U2', '3.50.0', 'A*02:01/A*02:16', [[[lifted(OTHER)], 'A*02:10 is A*02:16 now, and is read so in']]],
    ['A*02:XX', 'U2', '3.50.0', 'A*02:01/A*02:03/A*02:16/A*02:453', [
      [[lifted(RENAMED), lifted(OTHER)], 'A*02:02 is A*02:453 now, A*02:10 is A*02:16 now, and are read so in'],
      [[RETIRED], 'A*02:04 is no longer listed, and is left out of'],
    ]],
  ])('%s by %s, of %s, is %s', ([code, method, from, text, notes]) => {
    expect(redux(engineOf(from), code, method)).toEqual({
      text,
      notes: notes.map(([losses, message]) => noteOf(code, losses, message)),
    })
  }) // prettier-ignore

  test.for([
    ['A*02:PR', undefined, 'A*02:PR leaves no valid allele: PR = 04/06, but there is no A*02:04, A*02:06 in IPD-IMGT/HLA 3.58.0'],
    ['A*02:PR', '3.50.0', 'A*02:PR leaves no valid allele: PR = 04/06, but there is no A*02:04, A*02:06 in IPD-IMGT/HLA 3.50.0'],
    ['A*02:PS', undefined, 'A*02:PS leaves no valid allele: PS = 06/07/08/09/…, but there is no A*02:06, A*02:07, A*02:08, A*02:09, … in IPD-IMGT/HLA 3.58.0'],
  ] as const)('refuses %s, of %s', ([code, from, message]) => {
    for (const method of ['lgx', 'W', 'S'] as const)
      expect(errorOf(() => redux(engineOf(from), code, method))).toMatchObject({
        code: 'mac-empty-expansion',
        message,
        offending: code,
        position: [0, code.length],
      })
  }) // prettier-ignore

  test.for([
    // A*01:01 has a null allele, and others
    ['A*01:PU', 'lgx', 'A*01:01', []],
    ['A*01:PU', 'W', 'A*01:01:01:01/A*01:01:01:02N/A*01:01:02/A*01:01:38L/A*01:04:01:01N/A*01:04:01:02N', []],
    // no other member is A*01:01 without a letter
    ['A*01:PV', 'lgx', 'A*01:01/A*01:02', ['A*01:04N is a member of A*01:PV: method lgx drops N']],
    [
      'A*01:PW',
      'lgx',
      'A*01:01/A*01:02/A*01:03',
      ['A*01:04N, A*01:287N are members of A*01:PW: method lgx drops N'],
    ],
    ['A*01:PV', 'U2', 'A*01:02/A*01:04N', []],
  ] as const)('of the nulls of %s by %s is said', ([code, method, text, messages]) => {
    const answer = redux(engineOf(), code, method)
    expect([answer.text, answer.notes.map(({ message }) => message)]).toEqual([text, messages])
  })
})

test.for([
  ['A*02:PQRS', undefined, ['A*02:01'], [RENAMED, RETIRED, LATER, UNKNOWN]],
  ['A*02:PQRS', '3.50.0', ['A*02:01', 'A*02:453'], [lifted(RENAMED), RETIRED, LATER, UNKNOWN]],
  ['A*02:PT', undefined, ['A*02:01', 'A*02:10'], []],
  ['A*02:PT', '3.50.0', ['A*02:01', 'A*02:16'], [lifted(OTHER)]],
  ['A*01:PU', undefined, ['A*01:01', 'A*01:04N'], []],
] as const)('%s of %s stands for', ([code, from, names, losses]) => {
  const mac = assured(parseMac(code), 'a code')
  expect(expandMac(mac, engineOf(from))).toEqual({ names, losses })
})

test('a family of an earlier release has the names of then', () => {
  expect(expandFamily('A*02', engineOf('3.50.0'))).toEqual({
    names: ['A*02:01', 'A*02:03', 'A*02:453', 'A*02:16'],
    losses: [lifted(RENAMED), RETIRED, lifted(OTHER)],
  })
  expect(expandFamily('A*03', engineOf('3.50.0'))).toBeUndefined()
  expect(expandFamily('A*03', engineOf())).toEqual({ names: ['A*03:01'], losses: [] })
  expect(expandFamily('A*99', engineOf())).toBeUndefined()
})

test.for([
  [undefined, [
    'expand: 1 of 5 names exist: A*02:01; not in 3.58.0: A*02:02 A*02:04 A*02:05 A*02:06',
    'renamed: A*02:02 is A*02:453 now, and is left out',
    'retired: A*02:04 is no longer listed, and is left out',
    'later: A*02:05 is first named in 3.60.0, and is left out',
    'unknown: A*02:06 is not listed, and is left out',
    'member: A*02:01 -> A*02:01: G group A*02:01:01G A*02:01:02G through A*02:01:01:01',
    'result: of 1 together: A*02:01',
  ]],
  ['3.50.0', [
    'expand: 1 of 5 names exist: A*02:01',
    'renamed: A*02:02 is A*02:453 now, and is read so',
    'retired: A*02:04 is no longer listed, and is left out',
    'later: A*02:05 is first named in 3.60.0, and is left out',
    'unknown: A*02:06 is not listed, and is left out',
    'member: A*02:01 -> A*02:01: G group A*02:01:01G A*02:01:02G through A*02:01:01:01',
    'member: A*02:453 -> A*02:10: G group A*02:10:01G',
    'result: of 2 together: A*02:01 A*02:10',
  ]],
] as const)('the explanation of a code of %s has its losses', ([from, expected]) => {
  const [leaf] = explain(engineOf(from), NO_CITATIONS, 'A*02:PQRS', 'lgx').leaves
  const steps = leaf?.steps.map(({ title, text }) => `${title}: ${text}`)
  expect(steps).toEqual([
    'parse: code: locus A, first field 02, letters PQRS',
    'read as: MAC PQRS = 02:01/02:02/02:04/02:05/02:06, filed under A*02',
    ...expected,
  ])
}) // prettier-ignore
