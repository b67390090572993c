/** Changes between two releases: reasons by rows, and every typing of a real file. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { diffReductions } from '../../src/engine/explain/diff.ts'
import { redux } from '../../src/engine/redux.ts'
import { tableColumns } from '../../src/operations/operation.ts'
import { diffOperation } from '../../src/operations/questions/diff.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('diffReductions', () => {
  const releases = () => ({
    from: makeEngine(realRelease('3290'), realMacs()),
    to: makeEngine(realRelease('3580'), realMacs()),
    history: publishedHistory(),
  })

  test.for([
    ['A*01:01', 'lgx', [], [], []],
    ['A*43:XX', 'lgx', ['gained'], ['A*43:03'], []],
    ['A*30:100', 'lgx', ['renamed'], [], []], // the accession is A*30:02:12 now
    ['A*01:04N', 'W', ['renamed-result'], [], []],
    ['A*02:07:01', 'lgx', [], [], []], // A*02:07:01:01 now: the same typing
    ['DPB1*535:01', 'lgx', [], [], []], // the answer DPB1*19:01 is DPB1*19:01:01:01 now
    ['C*07:37', 'lgx', [], [], []], // identified as C*07:37:01:02
    ['A*24:329', 'lgx', ['renamed', 'renamed-result'], [], []],
    ['A*01:22N', 'S', [], [], []], // null alleles have no antigen in either release
    ['A*02:06/A*02:1040', 'lgx', ['appeared'], [], []], // named after 3.29.0
    ['A*99:99', 'lgx', [], [], []], // unknown in both
    // an allele that one typing gains may be in another
    ['DQB1*05:ASXJM+DQB1*05:104', 'lgx', ['gained'], ['DQB1*05:01'], []],
    ['DRB1*01:03+DRB1*01:24:01', 'S', ['serology', 'associated-antigen'], ['DR1'], []],
  ] as const)('%s by %s: %s', ([typing, method, reasons, gained, lost]) => {
    const diff = diffReductions(releases(), typing, method)
    expect({ reasons: diff.reasons, gained: diff.gained, lost: diff.lost }).toEqual({ reasons, gained, lost })
  })

  test.for([
    // their alleles have three fields now, and the old two-field names are still valid
    ['A*24:33', 'S'],
    ['A*23:10', 'G'],
  ] as const)('%s by %s does not change, as redux answers the same in both', ([typing, method]) => {
    const { to, history } = releases()
    const diff = diffReductions(
      { from: makeEngine(realRelease('3440'), realMacs()), to, history },
      typing,
      method,
    )
    expect(diff).toMatchObject({ reasons: [], gained: [], lost: [] })
    expect(diff.to.ard).toBe(redux(to, typing, method).text)
    expect(diff.to.ard).toBe(diff.from.ard)
  })

  test('two failures are said as such, with the reasons', () => {
    const answer = {
      gl_string: 'A*01:04N', reduction_method: 'S', from_release: '3.44.0', to_release: '3.58.0', from_ard: '', to_ard: '',
      changed: false, reasons: [], gained: [], lost: [], from_error: 'one', to_error: 'other',
    } as const // prettier-ignore
    expect(diffOperation.toText(answer)).toBe('fails in both\tone\tother')
    expect(diffOperation.tallyOf?.(answer)).toEqual(['fails in both'])
    expect(tableColumns(operationNamed('diff'), answer)?.slice(-2)).toEqual(['from_error', 'to_error'])
    expect(diffOperation.table?.row(answer, answer)?.slice(-2)).toEqual(['one', 'other'])
  })

  test('a release does not differ from itself', () => {
    const { to, history } = releases()
    for (const typing of ['A*02:01+A*01:AB', 'B15', 'DRB1*15:XX', 'A*01:01:01:01/A*24:02:01:02L']) {
      expect(diffReductions({ from: to, to, history }, typing, 'G').reasons).toEqual([])
    }
  })
})
