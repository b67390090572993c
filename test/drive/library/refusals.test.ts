/** What commands refuse, with the whole answer, and what they accept next to it. */
import { describe, expect, test } from 'vitest'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { getPermission } from '../../../src/drive/domain/permissions/permissions.ts'
import { listProperties, propertyEtag } from '../../../src/drive/domain/properties/properties.ts'
import { listRevisions } from '../../../src/drive/domain/revisions/revisions.ts'
import { assured } from '../../../src/errors.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { libraryOfFile } from '../../support/library.ts'
import { refusal } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const NATIVE = 'application/vnd.google-apps.document'
const insert = (mimeType = 'text/plain', parent = 'root') =>
  library.run('insertFile', ada, { body: { title: 'a', mimeType, parents: [{ id: parent }] } }).row.id
const drive = () => library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } }).id
const content = (native?: string) => ({ content: stagedBytes(Buffer.from('x')), native })
const converted = () =>
  library.run('insertFile', ada, { body: { mimeType: 'a/b' }, ...content(NATIVE) }).row.id
function trashed(id: string): string {
  library.run('trashFile', ada, { id })
  return id
}
const TERMS = { method: 'lgx' }
const rule = (folder: string, target?: string) =>
  library.run('addRule', ada, { folder, target, terms: TERMS, includesExisting: false })
const share = (body: object, id = insert()) =>
  library.run('insertPermission', ada, { id, body: { role: 'reader', ...body } })
test.for<[name: string, work: () => unknown, expected: string]>([
  [
    'a colour of a folder that is none',
    () => library.run('insertFile', ada, { body: { mimeType: FOLDER_MIME, folderColorRgb: 'red' } }),
    '400 invalid folderColorRgb: Not a colour: red',
  ],
  ...['x#aabbcc', '#aabbccd', '#aabbc'].map((color): [string, () => unknown, string] => [
    `the colour ${color} of a folder`,
    () => library.run('insertFile', ada, { body: { mimeType: FOLDER_MIME, folderColorRgb: color } }),
    `400 invalid folderColorRgb: Not a colour: ${color}`,
  ]),
  [
    'a colour of a folder in capitals',
    () => library.run('insertFile', ada, { body: { mimeType: FOLDER_MIME, folderColorRgb: '#AC725E' } }),
    'accepted',
  ],
  [
    'a file in a shared drive and in My Drive',
    () => library.run('insertFile', ada, { body: { parents: [{ id: drive() }, { id: 'root' }] } }),
    '403 teamDrivesParentLimit: An item in a shared drive must have exactly one parent.',
  ],
  ...[`x${'1'.repeat(20)}`, `${'1'.repeat(20)}x`].map((id): [string, () => unknown, string] => [
    `a permission for ${id}`,
    () => share({ type: 'user', id }),
    `400 invalid id: Not a permission id: ${id}`,
  ]),
  ...['lab example', ' lab.example', 'lab.example ', 'ada@lab.example'].map(
    (value): [string, () => unknown, string] => [
      `a permission for the domain ${JSON.stringify(value)}`,
      () => share({ type: 'domain', value }),
      `400 invalid value: Not a domain: ${value}`,
    ],
  ),
  ['a permission for a domain', () => share({ type: 'domain', value: 'lab.example' }), 'accepted'],
  [
    'no restriction of the content, by a writer',
    () => {
      const id = insert()
      share({ type: 'user', value: 'bo@example.org', role: 'writer' }, id)
      library.run('updateFile', bo, {
        id,
        body: { contentRestrictions: [] },
        behavior: 'now',
        isViewed: false,
      })
    },
    'accepted',
  ],
  [
    'a move to a folder of more people, by a writer who may not share',
    () => {
      const [from, to] = [insert(FOLDER_MIME), insert(FOLDER_MIME)]
      for (const id of [from, to]) share({ type: 'user', value: 'bo@example.org', role: 'writer' }, id)
      share({ type: 'user', value: 'cy@example.org' }, to)
      const id = insert('text/plain', from)
      const change = { id, behavior: 'now', isViewed: false } as const
      library.run('updateFile', ada, { ...change, body: { writersCanShare: false } })
      library.run('updateFile', bo, { ...change, body: {}, add: [to], remove: [from] })
    },
    '403 insufficientFilePermissions: The user does not have sufficient permissions for file ID.',
  ],
  [
    'a shared drive without a name',
    () => library.run('insertDrive', ada, { request: 'x', body: { name: ' ' } }),
    '400 required name: Required parameter: name',
  ],
  [
    'emptying the trash of a folder of a shared drive',
    () => library.run('emptyTrash', ada, { drive: insert(FOLDER_MIME, drive()) }),
    '404 notFound driveId: Shared drive not found: ID',
  ],
  [
    'the password of nobody',
    () => library.run('setPassword', OPERATOR, { email: 'no@example.org', hash: null }),
    '400 invalid email: There is no user no@example.org.',
  ],
  [
    'a change of a user who is gone',
    () => library.run('changeUser', OPERATOR, { pk: 999, name: 'x' }),
    '404 notFound: User not found: 999',
  ],
  [
    'a link that is none',
    () => library.run('closeLink', ada, { id: 'link-x' }),
    '404 notFound: Link not found: link-x',
  ],
  [
    'a label without an id',
    () => library.run('modifyLabels', ada, { id: insert(), modifications: [{ labelId: '' }] }),
    '400 required labelId: Required parameter: labelId',
  ],
  [
    'a label with a wrong id',
    () => library.run('putLabel', OPERATOR, { id: 'a b' }),
    '400 invalid: The id of a label has 1 to 64 letters, digits, _ and -.',
  ],
  [
    'a label with a wrong new id',
    () => library.run('putLabel', OPERATOR, { id: 'a', rename: '' }),
    '400 invalid: The id of a label has 1 to 64 letters, digits, _ and -.',
  ],
  [
    'a rule of a file',
    () => rule(insert()),
    '403 insufficientFilePermissions: The user does not have sufficient permissions for file ID.',
  ],
  [
    'a rule of the folder of a program',
    () => rule('appDataFolder'),
    '400 invalid: appDataFolder is not a folder of My Drive or of a shared drive.',
  ],
  [
    'a rule of a folder in the trash',
    () => rule(trashed(insert(FOLDER_MIME))),
    '400 invalid: The folder ID is in the trash.',
  ],
  [
    'a rule with an output folder in the trash',
    () => rule('root', trashed(insert(FOLDER_MIME))),
    '400 invalid: The folder ID is in the trash.',
  ],
  ['a rule of My Drive', () => rule('root'), 'accepted'],
  [
    'a copy of a file that was changed while it was converted',
    () =>
      library.run('copyFile', ada, {
        id: library.run('insertFile', ada, { body: {}, ...content() }).row.id,
        body: {},
        converted: { native: NATIVE, sha256: 'other', type: 'text/plain' },
      }),
    '409 conflict: The file was changed while it was being converted; try again.',
  ],
  [
    'a copy of a document as something else',
    () => library.run('copyFile', ada, { id: converted(), body: { mimeType: 'text/plain' } }),
    '400 badRequest mimeType: The type of this item cannot be changed.',
  ],
  [
    'a copy of a document as what it is',
    () => library.run('copyFile', ada, { id: converted(), body: { mimeType: NATIVE } }),
    'accepted',
  ],
  [
    'the removal of a user whose drives have no other user to charge',
    () => {
      library.run('addGroup', OPERATOR, { email: 'all@example.org' })
      const id = drive()
      const to = { type: 'group', role: 'organizer', value: 'all@example.org' }
      library.run('insertPermission', ada, { id, body: to })
      library.run('removeUser', OPERATOR, { email: 'ada@example.org' })
    },
    '409 conflict: ada@example.org is charged for the storage of shared drives: name the user to charge instead.',
  ],
  [
    'a folder too deep in My Drive',
    () => nested('root'),
    '403 myDriveHierarchyDepthLimitExceeded: Folders can be nested 2 levels deep, not more.',
  ],
  [
    'a folder too deep in a shared drive',
    () => nested(drive()),
    '403 teamDriveHierarchyTooDeep: Folders can be nested 2 levels deep, not more.',
  ],
])('%s', ([, work, expected]) => {
  expect(refusal(work)).toBe(expected)
})

function nested(top: string): void {
  library.run('setLimit', OPERATOR, { name: 'folder-depth', value: 2 })
  const inner = insert(FOLDER_MIME, insert(FOLDER_MIME, top))
  insert(FOLDER_MIME, inner)
}

describe('a tag of another state is refused, the present one is taken, by', () => {
  const own = (id: string) => getPermission(library.db, ada, { id, permission: 'me' })
  const head = (id: string) => {
    const [first] = listRevisions(library.db, ada, { id, most: 1, after: 0 }).items
    return assured(first, 'there is no revision')
  }
  const property = (id: string) => {
    const [first] = listProperties(library.db, ada, id)
    return propertyEtag(assured(first, 'there is no property'), id)
  }
  const name = { key: 'k', visibility: 'PUBLIC' }
  test.for<[name: string, change: (id: string, ifMatch: string[]) => unknown, tag: (id: string) => string]>([
    [
      "the change of the owner's permission",
      (id, ifMatch) => {
        const permission = own(id).id
        library.run('changePermission', ada, { id, permission, body: { role: 'owner' }, ifMatch })
      },
      (id) => own(id).etag,
    ],
    [
      'the change of a property',
      (id, ifMatch) => library.run('changeProperty', ada, { id, ...name, body: { value: 'w' }, ifMatch }),
      property,
    ],
    [
      'the removal of a property',
      (id, ifMatch) => library.run('removeProperty', ada, { id, ...name, ifMatch }),
      property,
    ],
    [
      'the change of a revision',
      (id, ifMatch) =>
        library.run('changeRevision', ada, { id, revision: head(id).id, body: { pinned: true }, ifMatch }),
      (id) => head(id).etag,
    ],
    [
      'the removal of a revision',
      (id, ifMatch) => library.run('removeRevision', ada, { id, revision: head(id).id, ifMatch }),
      (id) => head(id).etag,
    ],
  ])('%s', ([, change, tag]) => {
    const { id } = library.run('insertFile', ada, { body: { mimeType: 'a/b' }, ...content() }).row
    const target = {
      kind: 'update' as const,
      file: { id, body: {}, behavior: 'now' as const, isViewed: false },
      content: { isNewRevision: true, isPinned: false },
    }
    library.run('storeUpload', ada, { target, staged: content().content })
    library.run('putProperty', ada, { id, ...name, value: 'v' })
    expect(refusal(() => change(id, ['"x"']))).toBe('412 conditionNotMet If-Match: Precondition Failed')
    expect(refusal(() => change(id, [tag(id)]))).toBe('accepted')
  })
})
