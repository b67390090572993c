/** Rules of folders end when their maker may not act any more. */
import { expect, test } from 'vitest'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { findEndReason, findLiveRule, findRule } from '../../../src/drive/domain/rules/rule-rows.ts'
import { libraryOfFile } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

/** A folder of Ada that Bo may write to. */
function shared(): { readonly id: string; readonly permission: string } {
  const { id } = library.run('insertFile', ada, { body: { mimeType: FOLDER_MIME } }).row
  const body = { type: 'user', role: 'writer', value: 'bo@example.org' }
  return { id, permission: library.run('insertPermission', ada, { id, body }).id }
}

type Shared = ReturnType<typeof shared>

test.for<[string, (folder: Shared, target: Shared) => void, string | undefined]>([
  ['nothing happens', () => undefined, undefined],
  [
    'he may only read the folder',
    ({ id, permission }) =>
      library.run('changePermission', ada, { id, permission, body: { role: 'reader' } }),
    'its owner may no longer write to the folder',
  ],
  [
    'the output folder is not shared with him any more',
    (_, { id, permission }) => library.run('removePermission', ada, { id, permission }),
    'its owner may no longer write to the output folder',
  ],
  [
    'the output folder is deleted',
    (_, { id }) => library.run('deleteFile', ada, { id }),
    'its owner may no longer write to the output folder',
  ],
  [
    'he is disabled',
    () => library.run('changeUser', OPERATOR, { pk: bo.user, isDisabled: true }),
    'its owner no longer has access to the store',
  ],
])('a rule of Bo, and then %s', ([, happen, expected]) => {
  const [folder, target] = [shared(), shared()]
  const { id } = library.run('addRule', bo, {
    folder: folder.id,
    target: target.id,
    terms: { method: 'lgx' },
    includesExisting: false,
  })
  happen(folder, target)
  const rule = findRule(library.db, id)
  expect(rule && findEndReason(library.db, rule)).toBe(expected)
  expect(findLiveRule(library.db, id)?.id).toBe(expected === undefined ? id : undefined)
  library.run('endRule', OPERATOR, { id, reason: 'the end' })
  library.run('endRule', OPERATOR, { id, reason: 'another' })
  expect(findRule(library.db, id)).toMatchObject({ ended: library.now() - 1000, reason: 'the end' })
  expect(findLiveRule(library.db, id)).toBeUndefined()
})
