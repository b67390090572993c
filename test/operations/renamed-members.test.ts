/** Members of codes that are called otherwise in the release: where the answer changes by them, and where they are always named. */
import { describe, expect, test } from 'vitest'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import type { Method } from '../../src/engine/reduce/methods.ts'
import { codeReducer } from '../../src/engine/reduce/reduce-code.ts'
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

  test('explain names them, whatever the method', () => {
    const asked = { gl_string: 'B*14:CAVKT', reduction_method: '1F' }
    expect(JSON.stringify(ask('explain', asked))).toContain('B*14:78N is B*14:78 now, and is left out')
  })

  test('a table asks for such a code whole, and takes others from the members it knows', () => {
    const engine = knowledge().engine()
    for (const method of ['U2', '1F'] as const) redux(engine, 'C*04:AB', method)
    const texts = (method: Method, code: string) =>
      codeReducer(engine, method)('C*04:', code)?.map(({ text }) => text)
    expect(texts('U2', 'AC')).toEqual(['C*04:01', 'C*04:03'])
    // 03/59, and C*04:59 is C*04:59Q
    expect(texts('U2', 'CCMS')).toBeUndefined()
    expect(redux(engine, 'C*04:CCMS', 'U2')).toMatchObject({
      text: 'C*04:03',
      notes: [{ level: 'warning', code: 'renamed-member' }],
    })
    expect(texts('1F', 'CCMS')).toEqual(['C*04'])
  })

  test('members that never were names are passed over', () => {
    expect(ask('validate', { gl_string: 'A*01:AB' })).not.toHaveProperty('notes')
  })
})
