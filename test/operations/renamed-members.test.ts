/** Members of codes that are called otherwise in the release: where the answer changes by them, and where they are always named. */
import { describe, expect, test } from 'vitest'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { redux } from '../../src/engine/redux.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('renamed members of codes', () => {
  const knowledge = () =>
    makeKnowledge({ release: realRelease('3580'), mac: realMacs(), history: publishedHistory })
  const ask = (operation: string, input: object) => localExecutor(knowledge()).execute(operation, input)

  test('a warning where the answer changes by one', () => {
    const engine = knowledge().engine()
    expect(redux(engine, 'B*14:CAVKT', 'U2')).toMatchObject({
      text: 'B*14:01/B*14:81',
      notes: [
        {
          level: 'warning',
          code: 'renamed-member',
          offending: 'B*14:CAVKT',
          message: expect.stringContaining('B*14:78'),
        },
      ],
    })
    // 1F of it is B*14 all the same
    expect(redux(engine, 'B*14:CAVKT', '1F').notes).toEqual([])
  })

  test('mac and validate always name them', () => {
    expect(ask('validate', { gl_string: 'B*07:02+B*14:CAVKT' })).toMatchObject({
      valid: true,
      notes: [{ code: 'renamed-member', position: [8, 18] }],
    })
    expect(ask('mac', { gl_string: 'B*14:CAVKT' })).toMatchObject({ notes: [{ code: 'renamed-member' }] })
  })

  test('members that never were names are passed over', () => {
    expect(ask('validate', { gl_string: 'A*01:AB' })).not.toHaveProperty('notes')
  })
})
