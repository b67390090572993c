/** Files and folders: what is refused when they are made, changed or moved, with the whole answer. */
import { describe, expect, test } from 'vitest'
import type { DriveBody, FileBody } from '../../../src/drive/contract/bodies.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { largestChange } from '../../../src/drive/domain/changes/change-log.ts'
import { listChanges } from '../../../src/drive/domain/changes/list-changes.ts'
import { readExtra } from '../../../src/drive/domain/files/file-facts.ts'
import type { UpdateFile } from '../../../src/drive/domain/files/update-file.ts'
import { findLink } from '../../../src/drive/domain/folders/children.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { libraryOfFile } from '../../support/library.ts'
import { refusal } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const SHORTCUT = 'application/vnd.google-apps.shortcut'
const DAY_MS = 86_400_000
const NO_RIGHT = '403 insufficientFilePermissions: The user does not have sufficient permissions for file ID.'
const ONE_PARENT = '403 teamDrivesParentLimit: An item in a shared drive must have exactly one parent.'
const make = (body: FileBody, more: object = {}, who = ada) =>
  library.run('insertFile', who, { body: { title: 'a', ...body }, ...more })
const insert = (mimeType = 'text/plain', ...parents: string[]) =>
  make({ mimeType, parents: parents.map((id) => ({ id })) }).row.id
const folder = (...parents: string[]) => insert(FOLDER_MIME, ...parents)
const drive = (restrictions?: DriveBody['restrictions'], request = 'r') => {
  const { id } = library.run('insertDrive', ada, { request, body: { name: 'd' } })
  if (restrictions !== undefined) library.run('changeDrive', ada, { id, body: { restrictions } })
  return id
}
const update = (id: string, body: FileBody, more: Partial<UpdateFile> = {}, who = ada) =>
  library.run('updateFile', who, { id, body, behavior: 'noChange', isViewed: false, ...more })
const withBo = (role: string, id = insert()) => {
  library.run('insertPermission', ada, { id, body: { type: 'user', value: 'bo@example.org', role } })
  return id
}
const limit = (name: string, value: number) => library.run('setLimit', OPERATOR, { name, value })
const content = () => ({ content: stagedBytes(Buffer.from('x')) })

describe('a new item', () => {
  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'with a title that is too long, in bytes',
      () => {
        limit('title-bytes', 5)
        make({ title: 'ääb' })
        make({ title: 'äää' })
      },
      '400 invalid title: A title must not be longer than 5 bytes.',
    ],
    [
      'with a description that is too long, in characters',
      () => {
        limit('description-characters', 3)
        make({ description: 'äää' })
        make({ description: 'abcd' })
      },
      '400 invalid description: A description must not be longer than 3 characters.',
    ],
    ['with 128 KiB to search', () => make({ indexableText: { text: 'ä'.repeat(65_536) } }), 'accepted'],
    [
      'with more to search',
      () => make({ indexableText: { text: `${'ä'.repeat(65_536)}b` } }),
      '400 invalid indexableText.text: An indexable text must not be longer than 131072 bytes.',
    ],
    [
      'with a thumbnail',
      () => make({ thumbnail: { image: 'eA' } }),
      '400 badRequest thumbnail: This service keeps no thumbnails.',
    ],
    ['with an empty thumbnail', () => make({ thumbnail: { image: '' } }), 'accepted'],
    [
      'of a type that is made by a conversion',
      () => make({ mimeType: 'application/vnd.google-apps.document' }),
      '400 badRequest mimeType: Documents of the type application/vnd.google-apps.document are created by converting uploaded content.',
    ],
    [
      'of a type that is not made here',
      () => make({ mimeType: 'application/vnd.google-apps.map' }),
      '400 badRequest mimeType: Documents of the type application/vnd.google-apps.map cannot be created in this service.',
    ],
    [
      'of a type that is none',
      () => make({ mimeType: `x${'y'.repeat(200)}` }),
      `400 invalid mimeType: Not a MIME type: x${'y'.repeat(99)}`,
    ],
    [
      'with two restrictions',
      () => make({ contentRestrictions: [{ readOnly: true }, { readOnly: true }] }),
      '400 invalid contentRestrictions: A file has at most one content restriction.',
    ],
    [
      'that is a folder with content',
      () => make({ mimeType: FOLDER_MIME }, content()),
      '400 badRequest mimeType: Folders and shortcuts have no content.',
    ],
    [
      'that is a shortcut with content',
      () => make({ mimeType: SHORTCUT, shortcutDetails: { targetId: insert() } }, content()),
      '400 badRequest mimeType: Folders and shortcuts have no content.',
    ],
    [
      'that is a shortcut to nothing',
      () => make({ mimeType: SHORTCUT }),
      '400 required shortcutDetails.targetId: Required parameter: shortcutDetails.targetId',
    ],
    [
      'that is a shortcut to what is not there',
      () => make({ mimeType: SHORTCUT, shortcutDetails: { targetId: 'x' } }),
      '404 notFound shortcutDetails.targetId: File not found: x',
    ],
    [
      'that is a file with a target',
      () => make({ shortcutDetails: { targetId: insert() } }),
      '400 badRequest shortcutDetails: Only shortcuts have a target.',
    ],
    [
      'with an id that it has made up',
      () => make({ id: 'x' }),
      '400 invalid id: The provided file ID is not usable.',
    ],
    [
      'in a file',
      () => insert('text/plain', insert()),
      '403 parentNotAFolder: The specified parent is not a folder.',
    ],
    ['in what is not there', () => insert('text/plain', 'x'), '404 notFound parents: File not found: x'],
    [
      'in two spaces',
      () => insert('text/plain', 'root', 'appDataFolder'),
      '400 badRequest parents: Parents must all be in the same space.',
    ],
    ['in one folder named twice', () => insert('text/plain', 'root', 'root'), 'accepted'],
    ['in two folders', () => insert('text/plain', folder(), folder()), 'accepted'],
    [
      'in two folders of a shared drive',
      () => {
        const id = drive()
        insert('text/plain', id, folder(id))
      },
      ONE_PARENT,
    ],
    [
      'by a reader of the folder',
      () => make({ parents: [{ id: withBo('reader', folder()) }] }, {}, bo),
      NO_RIGHT,
    ],
    [
      'in a full folder',
      () => {
        limit('folder-children', 2)
        const id = folder()
        for (let n = 0; n < 3; n++) insert('text/plain', id)
      },
      '403 numChildrenInNonRootLimitExceeded: The limit of 2 items in a folder has been exceeded.',
    ],
    [
      'in a full shared drive',
      () => {
        limit('drive-items', 2)
        const id = drive()
        for (let n = 0; n < 3; n++) insert('text/plain', id)
      },
      '403 teamDriveFileLimitExceeded: The limit of 2 items in a shared drive has been exceeded.',
    ],
    [
      'with a title that must be free',
      () => {
        const id = folder()
        const free = { conditions: { 'title-free': true } }
        make({ title: 'b', parents: [{ id }] }, free)
        make({ title: 'c', parents: [{ id }] }, free)
        make({ title: 'b', parents: [{ id }] }, free)
      },
      '412 conditionNotMet X-Hla-If: The folder has an item of this title already.',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('takes the type and the name of its content where it names none', () => {
    const facts = ({ row }: ReturnType<typeof make>) => [row.title, row.mime, row.original_name]
    const sent = { ...content(), contentType: 'text/csv', name: 'b.csv' }
    expect(facts(library.run('insertFile', ada, { body: {}, ...sent }))).toEqual([
      'b.csv',
      'text/csv',
      'b.csv',
    ])
    expect(facts(make({ mimeType: 'a/b' }, sent))).toEqual(['a', 'a/b', 'b.csv'])
    expect(facts(library.run('insertFile', ada, { body: {} }))).toEqual([
      'Untitled',
      'application/octet-stream',
      null,
    ])
    expect(facts(make({ mimeType: FOLDER_MIME }))).toEqual(['a', FOLDER_MIME, null])
  })

  test('is restricted by its maker, now', () => {
    const extraOf = (contentRestrictions: FileBody['contentRestrictions']) =>
      readExtra(make({ contentRestrictions: contentRestrictions ?? null }).row.extra)
    const by = { by: ada.user }
    expect(extraOf([{ readOnly: true, reason: 'done', ownerRestricted: true }])).toEqual({
      restriction: { ...by, at: library.now(), reason: 'done', ownerOnly: true },
    })
    expect(extraOf([{ readOnly: true, ownerRestricted: false }])).toEqual({
      restriction: { ...by, at: library.now() },
    })
    expect([extraOf([{ readOnly: false, reason: 'x' }]), extraOf([]), extraOf(null)]).toEqual([{}, {}, {}])
  })

  test('has the nearest of the colours of folders', () => {
    const colorOf = (mimeType: string, folderColorRgb: string) =>
      readExtra(make({ mimeType, folderColorRgb }).row.extra)
    expect(colorOf(FOLDER_MIME, '#AB735F')).toEqual({ folderColor: '#ac725e' })
    expect(colorOf(FOLDER_MIME, '#000000')).toEqual({ folderColor: '#16a765' })
    expect(colorOf(FOLDER_MIME, '#ffffff')).toEqual({ folderColor: '#9fe1e7' })
    expect(colorOf('text/plain', '#ffffff')).toEqual({})
  })
})

describe('a change', () => {
  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'of the date to none',
      () => update(insert(), {}, { behavior: 'fromBody' }),
      '400 required modifiedDate: Required parameter: modifiedDate',
    ],
    ['of the type of a file', () => update(insert(), { mimeType: 'a/b' }), 'accepted'],
    [
      'of the type of a file to that of a folder',
      () => update(insert(), { mimeType: FOLDER_MIME }),
      '400 badRequest mimeType: The type of this item cannot be changed.',
    ],
    [
      'of the type of a folder',
      () => update(folder(), { mimeType: 'a/b' }),
      '400 badRequest mimeType: The type of this item cannot be changed.',
    ],
    ['of the type of a folder to what it is', () => update(folder(), { mimeType: FOLDER_MIME }), 'accepted'],
    [
      'of the content of a folder',
      () =>
        update(
          folder(),
          {},
          { content: { staged: content().content, isNewRevision: true, isPinned: false } },
        ),
      '400 badRequest fileId: Folders and shortcuts have no content.',
    ],
    ['of the title, by a reader', () => update(withBo('reader'), { title: 'b' }, {}, bo), NO_RIGHT],
    ['of the title, by a writer', () => update(withBo('writer'), { title: 'b' }, {}, bo), 'accepted'],
    [
      'of the star, by a reader',
      () => update(withBo('reader'), { labels: { starred: true } }, {}, bo),
      'accepted',
    ],
    [
      'of who may copy, by a writer',
      () => update(withBo('writer'), { labels: { restricted: true } }, {}, bo),
      NO_RIGHT,
    ],
    [
      'of who may copy to what it is, by a writer',
      () => update(withBo('writer'), { labels: { restricted: false } }, {}, bo),
      'accepted',
    ],
    [
      'of what writers may share, by a writer',
      () => update(withBo('writer'), { writersCanShare: false }, {}, bo),
      NO_RIGHT,
    ],
    [
      'of what writers may share to what it is, by a writer',
      () => update(withBo('writer'), { writersCanShare: true }, {}, bo),
      'accepted',
    ],
    [
      'of a restriction to one of the owner, by a writer',
      () =>
        update(
          withBo('writer'),
          { contentRestrictions: [{ readOnly: true, ownerRestricted: true }] },
          {},
          bo,
        ),
      NO_RIGHT,
    ],
    [
      'of a restriction of the owner, by a writer',
      () => {
        const id = withBo('writer')
        update(id, { contentRestrictions: [{ readOnly: true, ownerRestricted: true }] })
        update(id, { contentRestrictions: [] }, {}, bo)
      },
      NO_RIGHT,
    ],
    [
      'of a restricted title',
      () => {
        const id = insert()
        update(id, { contentRestrictions: [{ readOnly: true }] })
        update(id, { title: 'b' })
      },
      NO_RIGHT,
    ],
    [
      'of a restricted title to what it is',
      () => {
        const id = insert()
        update(id, { contentRestrictions: [{ readOnly: true }] })
        update(id, { title: 'a' })
      },
      'accepted',
    ],
    [
      'of the last view to the day after tomorrow',
      () => update(insert(), { lastViewedByMeDate: library.now() + 3 * DAY_MS }),
      '400 invalid lastViewedByMeDate: The date of the last view cannot be in the future.',
    ],
    [
      'of the trash, by a writer',
      () => update(withBo('writer'), { labels: { trashed: true } }, {}, bo),
      NO_RIGHT,
    ],
    [
      'of the trash to what it is, by a writer',
      () => update(withBo('writer'), { labels: { trashed: false } }, {}, bo),
      'accepted',
    ],
    [
      'of a state that is not the present one',
      () => update(insert(), { title: 'b' }, { ifMatch: ['"x"'] }),
      '412 conditionNotMet If-Match: Precondition Failed',
    ],
    [
      'to a title that is not free',
      () => {
        const id = folder()
        insert('text/plain', id)
        const other = make({ title: 'b', parents: [{ id }] }).row.id
        update(other, { title: 'b' }, { conditions: { 'title-free': true } })
        update(other, { title: 'a' }, { conditions: { 'title-free': true } })
      },
      '412 conditionNotMet X-Hla-If: The folder has an item of this title already.',
    ],
    [
      'of the folder to one where the title is not free',
      () => {
        const id = folder()
        insert('text/plain', id)
        update(insert(), {}, { add: [id], conditions: { 'title-free': true } })
      },
      '412 conditionNotMet X-Hla-If: The folder has an item of this title already.',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('of the last view is that of the body, or the one that the body says, or now', () => {
    const id = insert()
    const viewed = (body: FileBody, isViewed = false) => update(id, body, { isViewed }).mine.viewedAt
    expect(viewed({ lastViewedByMeDate: 7 }, true)).toBe(7)
    expect(viewed({})).toBe(7)
    expect(viewed({ labels: { viewed: true } })).toBe(library.now())
    expect(viewed({ labels: { viewed: false } }, true)).toBeNull()
    expect(viewed({}, true)).toBe(library.now())
    expect(viewed({ lastViewedByMeDate: null, labels: { viewed: true } }, true)).toBeNull()
    const tomorrow = library.now() + 1000 + DAY_MS
    expect(viewed({ lastViewedByMeDate: tomorrow })).toBe(tomorrow)
  })
})

test('a view is a change of its user alone, and none at the same time', () => {
  const id = withBo('reader')
  const search = {
    most: 9,
    includesGone: true,
    includesOthers: true,
    spaces: ['drive'],
    drives: 'all',
  } as const
  const from = largestChange(library.db) + 1
  const told = (who: Caller) => listChanges(library.db, who, { ...search, from }).changes.length
  library.run('markViewed', bo, { id })
  expect([told(ada), told(bo)]).toEqual([0, 1])
  const last = largestChange(library.db)
  library.wait(-1000)
  library.run('markViewed', bo, { id })
  expect(largestChange(library.db)).toBe(last)
  library.run('markViewed', bo, { id })
  expect(largestChange(library.db)).toBe(last + 1)
})

test('a touch is now, by the one who touches', () => {
  const id = withBo('writer')
  const { row } = library.run('touchFile', bo, { id })
  expect([row.modified, row.modifier]).toEqual([library.now(), bo.user])
  expect(refusal(() => library.run('touchFile', bo, { id, ifMatch: ['"x"'] }))).toBe(
    '412 conditionNotMet If-Match: Precondition Failed',
  )
  expect(refusal(() => library.run('touchFile', bo, { id: withBo('reader') }))).toBe(NO_RIGHT)
})

describe('a move', () => {
  const move = (id: string, add: string[], remove: string[] = [], who = ada) =>
    update(id, {}, { add, remove }, who)
  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'of a folder into itself',
      () => {
        const id = folder()
        move(id, [id])
      },
      '400 badRequest parents: A folder cannot be moved into itself or into a folder inside it.',
    ],
    [
      'of a folder into one inside it',
      () => {
        const id = folder()
        move(id, [folder(folder(id))])
      },
      '400 badRequest parents: A folder cannot be moved into itself or into a folder inside it.',
    ],
    ['of a folder into one beside it', () => move(folder(), [folder()]), 'accepted'],
    [
      'to another space',
      () => move(insert(), ['appDataFolder']),
      '400 badRequest parents: An item cannot be moved to another space.',
    ],
    [
      'of a folder into a shared drive',
      () => move(folder(), [drive()], ['root']),
      '403 teamDrivesFolderMoveInNotSupported: Folders cannot be moved into a shared drive.',
    ],
    ['of a file into a shared drive', () => move(insert(), [drive()], ['root']), 'accepted'],
    ['of a file into a shared drive too', () => move(insert(), [drive()]), ONE_PARENT],
    [
      'of a file of a shared drive out of it',
      () => move(insert('text/plain', drive()), [], ['root']),
      'accepted',
    ],
    ['of the root', () => move('root', [folder()]), NO_RIGHT],
    [
      'of a tree that is too deep there',
      () => {
        limit('folder-depth', 3)
        const top = folder()
        folder(top)
        move(top, [folder()])
        const other = folder()
        folder(other)
        move(other, [folder(folder())])
      },
      '403 myDriveHierarchyDepthLimitExceeded: Folders can be nested 3 levels deep, not more.',
    ],
    [
      'of an item of another from a folder of another, by a writer of it',
      () => {
        const top = withBo('writer', folder())
        move(insert('text/plain', top), ['root'], [top], bo)
      },
      'accepted',
    ],
    [
      'of an item of another into a shared drive, by a writer',
      () => {
        const own = library.run('insertDrive', bo, { request: 'b', body: { name: 'b' } }).id
        update(withBo('writer'), { parents: [{ id: own }] }, {}, bo)
      },
      NO_RIGHT,
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })
})

describe('a copy', () => {
  test('has what all see of a file, and what its program sees', () => {
    const property = (key: string, visibility: string) => ({ key, value: key, visibility })
    const { row } = make({
      description: 'd',
      properties: [property('open', 'PUBLIC'), property('own', 'PRIVATE')],
      labels: { starred: true },
    })
    withBo('reader', row.id)
    library.run('addComment', ada, { id: row.id, body: { content: 'c' } })
    const copy = (who: Caller) => library.run('copyFile', who, { id: row.id, body: {} })
    const seen = ({ row: copied, properties, mine }: ReturnType<typeof copy>) => [
      copied.title,
      copied.owner,
      readExtra(copied.extra),
      properties.map(({ key, isPublic }) => [key, isPublic]),
      mine.isStarred,
    ]
    const open = ['open', true]
    expect(seen(copy(ada))).toEqual([
      'Copy of a',
      ada.user,
      { description: 'd' },
      [open, ['own', false]],
      false,
    ])
    expect(seen(copy(bo))).toEqual(['Copy of a', bo.user, { description: 'd' }, [open], false])
  })

  test('has a title that is cut at the limit, between characters', () => {
    limit('title-bytes', 12)
    const title = (text: string) => {
      const { id } = make({ title: text }).row
      return library.run('copyFile', ada, { id, body: {} }).row.title
    }
    expect([title('abcd'), title('abcde'), title('abcä')]).toEqual([
      'Copy of abcd',
      'Copy of abcd',
      'Copy of abc',
    ])
  })

  test('is in the folders of the file that the one who copies may fill', () => {
    const [readable, writable] = [withBo('reader', folder()), withBo('writer', folder())]
    const parents = (id: string) =>
      library.run('copyFile', bo, { id, body: {} }).parents.map((one) => (one.isRoot ? 'root' : one.id))
    expect(parents(insert('text/plain', readable, writable))).toEqual([writable])
    expect(parents(insert('text/plain', readable))).toEqual(['root'])
    const to = library.run('copyFile', bo, {
      id: insert('text/plain', writable),
      body: { parents: [{ id: 'root' }] },
    })
    expect(to.parents).toMatchObject([{ isRoot: true }])
  })

  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'of a folder',
      () => library.run('copyFile', ada, { id: folder(), body: {} }),
      '403 cannotCopyFile: This file cannot be copied by the user.',
    ],
    [
      'of a file that readers may not copy',
      () => {
        const id = withBo('reader')
        update(id, { labels: { restricted: true } })
        library.run('copyFile', ada, { id, body: {} })
        library.run('copyFile', bo, { id, body: {} })
      },
      '403 cannotCopyFile: This file cannot be copied by the user.',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })
})

describe('a folder of an item', () => {
  const lose = (top: string, child: string, keepsHome: boolean, from: 'folder' | 'child' = 'folder') =>
    library.run('removeLink', ada, { folder: top, child, keepsHome, from })
  const add = (top: string, child: string, isAlone: boolean) =>
    library.run('addLink', ada, { folder: top, child, isAlone })
  const parents = (id: string) => update(id, {}).parents.map((one) => (one.isRoot ? 'root' : one.id))

  test('is added to the others, or alone', () => {
    const [one, other, id] = [folder(), folder(), insert()]
    expect(add(one, id, false)).toEqual({ id: one, isRoot: false })
    expect(parents(id)).toEqual(['root', one])
    expect(add(other, id, true)).toEqual({ id: other, isRoot: false })
    expect(parents(id)).toEqual([other])
    expect(add('root', id, true)).toMatchObject({ isRoot: true })
    const { version } = update(id, {}).row
    add('root', id, false)
    expect(update(id, {}).row.version).toBe(version)
  })

  test('is taken away, and the last one leaves the item in the root or nowhere', () => {
    const [top, id] = [folder(), insert()]
    add(top, id, true)
    lose(top, id, true)
    expect(parents(id)).toEqual(['root'])
    lose('root', id, false)
    expect(parents(id)).toEqual([])
  })

  test('that does not hold it is not found, as the request names it', () => {
    const [top, id] = [folder(), insert()]
    const at = (name: string) => `404 notFound: File not found: ${name}`
    const texts = (['folder', 'child'] as const).flatMap((from) =>
      [
        () => lose(top, id, true, from),
        () => findLink(library.db, ada, { folder: top, child: id }, from),
      ].map((work) => {
        let text = ''
        try {
          work()
        } catch (error) {
          text = (error as Error).message
        }
        return text
      }),
    )
    expect(texts).toEqual([id, id, top, top].map((one) => `File not found: ${one}`))
    expect(refusal(() => lose(top, id, true))).toBe(at('ID'))
  })

  test('is found with its item, or named where it is not there', () => {
    const [top] = [folder()]
    const id = insert('text/plain', top)
    for (const from of ['folder', 'child'] as const)
      expect(findLink(library.db, ada, { folder: top, child: id }, from)).toEqual({
        parent: { id: top, isRoot: false },
        child: id,
      })
    const missing = (link: { folder: string; child: string }, from: 'folder' | 'child') =>
      refusal(() => findLink(library.db, ada, link, from))
    expect([
      missing({ folder: 'x', child: id }, 'folder'),
      missing({ folder: 'x', child: id }, 'child'),
      missing({ folder: top, child: 'x' }, 'folder'),
      missing({ folder: top, child: 'x' }, 'child'),
    ]).toEqual(
      ['folderId', 'parentId', 'childId', 'fileId'].map(
        (place) => `404 notFound ${place}: File not found: x`,
      ),
    )
  })
})

test('the trash takes a folder only if it is empty, where that is asked', () => {
  const id = folder()
  const child = insert('text/plain', id)
  const empty = () => library.run('trashFile', ada, { id, conditions: { empty: true } })
  expect(refusal(empty)).toBe('412 conditionNotMet X-Hla-If: The folder is not empty.')
  library.run('trashFile', ada, { id: child })
  expect(refusal(empty)).toBe('accepted')
})
