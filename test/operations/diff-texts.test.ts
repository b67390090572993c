/** How a comparison of two releases is told: as text, as a row, in counts, and by the exit status. */
import { describe, expect, test } from 'vitest'
import { diffOperation } from '../../src/operations/questions/diff.ts'

type Output = Parameters<typeof diffOperation.toText>[0]

const INPUT = { from_release: '3.29.0', to_release: '3.58.0', gl_string: 'A*43:XX' }

const SAME: Output = {
  gl_string: 'A*43:XX',
  reduction_method: 'U2',
  from_release: '3.29.0',
  to_release: '3.58.0',
  from_ard: 'A*43:01',
  to_ard: 'A*43:01',
  changed: false,
  reasons: [],
  gained: [],
  lost: [],
}
const GAINED: Output = {
  ...SAME,
  to_ard: 'A*43:02/A*43:03',
  changed: true,
  reasons: ['gained', 'lost'],
  gained: ['A*43:02', 'A*43:03'],
  lost: ['A*43:01', 'A*43:04'],
}
const FAILING: Output = { ...GAINED, from_ard: '', reasons: ['fails'] as never, from_error: 'not known' }
const NEITHER: Output = { ...SAME, from_ard: '', to_ard: '', from_error: 'not known', to_error: 'deleted' }

describe('diff', () => {
  test.for([
    [SAME, 'same\tA*43:01', ['same'], false],
    [GAINED, 'gained,lost\tA*43:01\tA*43:02/A*43:03', ['gained', 'lost'], true],
    [FAILING, 'fails\t\tA*43:02/A*43:03', ['fails'], true],
    [{ ...SAME, to_error: 'deleted' }, 'same\tA*43:01', ['same'], false],
    [NEITHER, 'fails in both\tnot known\tdeleted', ['fails in both'], false],
  ] as const)('%# is told, counted, and ends with its status', ([output, text, tally, isNegative]) => {
    expect(diffOperation.toText(output)).toBe(text)
    expect(diffOperation.tallyOf?.(output)).toEqual(tally)
    expect(diffOperation.isNegative?.(output)).toBe(isNegative)
  })

  test.for([
    [GAINED, ['A*43:XX', 'U2', '3.29.0', 'A*43:01', '3.58.0', 'A*43:02/A*43:03', 'gained,lost', 'A*43:02/A*43:03', 'A*43:01/A*43:04', '', '']], // prettier-ignore
    [NEITHER, ['A*43:XX', 'U2', '3.29.0', '', '3.58.0', '', '', '', '', 'not known', 'deleted']],
  ] as const)('%# is a row', ([output, row]) => {
    expect(diffOperation.table?.row(output, INPUT)).toEqual(row)
    expect(diffOperation.table?.columns).toHaveLength(row.length)
  })
})
