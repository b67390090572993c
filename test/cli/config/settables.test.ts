/** Which options are settings. */
import { describe, expect, test } from 'vitest'
import { isOfOneRun, settables, findSettables, settingKeys } from '../../../src/cli/run/config/settables.ts'
import { settingValue } from '../../../src/cli/run/config/config-file.ts'
import { loadPrograms } from '../../../src/cli/commands/programs.ts'
import { everyOption } from '../../../src/cli/options/program-facts.ts'

const PROGRAMS = await loadPrograms()
const ALL = settables(PROGRAMS)

const OF_ONE_RUN = ['by', 'by-id', 'config', 'consensus', 'count', 'donor', 'donors', 'drb3', 'drb4', 'drb5', 'errors', 'expand', 'from', 'input', 'json', 'loci', 'lookup', 'min', 'min-sure', 'output', 'patient', 'patients', 'plan', 'plan-from', 'pyard-config', 'rows', 'summary', 'to', 'top'] // prettier-ignore

describe('settables', () => {
  test('every option with a variable of the environment is one, but for the file itself', () => {
    const settable = new Set(ALL.map(({ option }) => option.envVar))
    const variables = everyOption(PROGRAMS).flatMap(({ option }) => option.envVar ?? [])
    expect([...new Set(variables)].filter((name) => !settable.has(name)).toSorted()).toEqual(['HLA_CONFIG'])
  })

  test('what is of one run is an option, and no setting', () => {
    const ofOneRun = everyOption(PROGRAMS).flatMap(({ option }) =>
      isOfOneRun(option) ? (option.long?.slice(2) ?? []) : [],
    )
    expect([...new Set(ofOneRun)].toSorted()).toEqual(OF_ONE_RUN)
    expect(OF_ONE_RUN.filter((name) => settingKeys(ALL).includes(name))).toEqual([])
  })

  test.for([
    ['release', true],
    ['redux.release', true],
    ['data.data-dir', true],
    ['data.force', false],
    ['force', false],
    ['rows', false],
    ['diff.rows', false],
    ['mac.all-codes', true],
    ['redux.all-codes', false],
  ] as const)('%s is one: %s', ([key, isOne]) => {
    expect(findSettables(key, ALL).length > 0).toBe(isOne)
    expect(settingKeys(ALL).includes(key)).toBe(isOne)
  })
})

describe('settingValue', () => {
  const optionOf = (key: string) => {
    const [one] = findSettables(key, ALL)
    if (one === undefined) throw new Error(key)
    return one.option
  }

  test.for([
    ['release', '3.58.0', '3.58.0'],
    ['limit', 100, 100],
    ['limit', '100', 100],
    ['redux.method', 'G', ['G']],
    ['redux.method', ['G', 'S'], ['G', 'S']],
    ['accept', ['case', 'zero'], ['case', 'zero']],
    ['accept', 'case,zero', ['case', 'zero']],
    ['keep', ['mac', 'xx'], ['mac', 'xx']],
    ['columns', ['A_1', 'A_2'], 'A_1,A_2'],
    ['no-ping', true, false],
    ['no-ping', false, undefined],
    ['ars', true, true],
    ['provenance', true, true],
    ['provenance', false, undefined],
    ['network', 'timeout=10s', { timeout: 10_000 }],
  ] as const)('of %s %o is %o', ([key, given, expected]) =>
    expect(settingValue(optionOf(key), given)).toEqual(expected),
  )

  test.for([
    ['limit', 'many'],
    ['limit', {}],
    ['release', true],
    ['ars', 'yes'],
    ['format', 'xml'],
    ['keep', ['mca']],
    ['release', null],
    ['redux.method', [['G']]],
  ] as const)('of %s refuses %o', ([key, given]) =>
    expect(() => settingValue(optionOf(key), given)).toThrow(/^the setting/),
  )
})
