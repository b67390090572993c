/** Properties, labels, revisions and comments of files, rules of folders, groups and settings: what is refused, and what is answered. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { LabelFieldModificationBody, PropertyBody } from '../../../src/drive/contract/bodies.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { type CommentView, type ReplyView } from '../../../src/drive/domain/comments/comment-rows.ts'
import {
  getComment,
  getReply,
  listComments,
  listReplies,
} from '../../../src/drive/domain/comments/comments.ts'
import { listDefinitions, listLabels } from '../../../src/drive/domain/labels/labels.ts'
import { getProperty, listProperties } from '../../../src/drive/domain/properties/properties.ts'
import { findContent, findDocument } from '../../../src/drive/domain/revisions/file-contents.ts'
import { getRevision, listRevisions } from '../../../src/drive/domain/revisions/revisions.ts'
import { readLimits, setLimits, storeName } from '../../../src/drive/domain/settings.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { libraryOfFile } from '../../support/library.ts'
import { refusal } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const NATIVE = 'application/vnd.google-apps.document'
const NO_RIGHT = '403 insufficientFilePermissions: The user does not have sufficient permissions for file ID.'
const insert = (mimeType = 'text/plain') =>
  library.run('insertFile', ada, { body: { title: 'a', mimeType, parents: [{ id: 'root' }] } }).row.id
const share = (role: string, id = insert(), additionalRoles: string[] = []) => {
  const body = { type: 'user', value: 'bo@example.org', role, additionalRoles }
  library.run('insertPermission', ada, { id, body })
  return id
}
const limit = (name: string, value: number | null) => library.run('setLimit', OPERATOR, { name, value })

describe('a property', () => {
  const put = (id: string, property: PropertyBody, who = ada) => {
    const { key = '', value, visibility } = property
    return library.run('putProperty', who, { id, key, value, visibility })
  }
  const change = (id: string, key: string, body: PropertyBody, visibility?: string) =>
    library.run('changeProperty', ada, { id, key, visibility, body })
  const missing = '404 notFound propertyKey: Property not found: key = k'

  test.for<[name: string, work: () => unknown, expected: string]>([
    ['without a key', () => put(insert(), { value: 'v' }), '400 required key: Required parameter: key'],
    [
      'that is too long, in bytes of both',
      () => {
        limit('property-bytes', 6)
        put(insert(), { key: 'kä', value: 'abc' })
        put(insert(), { key: 'kä', value: 'äb' })
        put(insert(), { key: 'kä', value: 'ää' })
      },
      "400 invalid value: A property's key and value together must not be longer than 6 bytes.",
    ],
    [
      'that all and none see',
      () => put(insert(), { key: 'k', visibility: 'open' }),
      '400 invalid visibility: Invalid value: open. It must be PRIVATE or PUBLIC.',
    ],
    ['in small letters', () => put(insert(), { key: 'k', visibility: 'public' }), 'accepted'],
    ['by a reader', () => put(share('reader'), { key: 'k' }, bo), NO_RIGHT],
    [
      'that is not there',
      () => getProperty(library.db, ada, { id: insert(), key: 'k', visibility: undefined }),
      missing,
    ],
    ['that is not there, changed', () => change(insert(), 'k', { value: 'v' }), missing],
    [
      'that is not there, removed',
      () => library.run('removeProperty', ada, { id: insert(), key: 'k', visibility: 'PUBLIC' }),
      missing,
    ],
    [
      'that all see, from now on',
      () => {
        const id = insert()
        put(id, { key: 'k' })
        change(id, 'k', { visibility: 'private', value: 'w' })
        change(id, 'k', { visibility: 'PUBLIC' })
      },
      '400 invalid visibility: The visibility of a property cannot be changed.',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test.for<[app: number, all: number, properties: [key: string, who: 'ada' | 'bo', visibility: string][]]>([
    [
      1,
      9,
      [
        ['a', 'ada', 'PUBLIC'],
        ['b', 'ada', 'PRIVATE'],
        ['b', 'bo', 'PRIVATE'],
        ['c', 'bo', 'PUBLIC'],
      ],
    ],
    [
      1,
      9,
      [
        ['a', 'ada', 'PUBLIC'],
        ['b', 'ada', 'PRIVATE'],
        ['c', 'ada', 'PRIVATE'],
      ],
    ],
    [
      2,
      3,
      [
        ['a', 'ada', 'PUBLIC'],
        ['b', 'ada', 'PRIVATE'],
        ['b', 'bo', 'PRIVATE'],
        ['c', 'bo', 'PRIVATE'],
      ],
    ],
  ])('is one of %i that all see, of %i in all', ([app, all, properties]) => {
    limit('app-properties', app)
    limit('file-properties', all)
    const id = share('writer')
    const answers = properties.map(([key, who, visibility]) =>
      refusal(() => put(id, { key, visibility }, who === 'ada' ? ada : bo)),
    )
    expect(answers).toEqual([
      ...properties.slice(1).map(() => 'accepted'),
      `400 invalid: A file has at most ${app} public, ${app} private and ${all} properties in all.`,
    ])
  })

  test('is that of the program, or the one that all see', () => {
    const id = share('writer')
    put(id, { key: 'k', value: 'own' })
    put(id, { key: 'k', value: 'open', visibility: 'PUBLIC' })
    put(id, { key: 'a' })
    put(id, { key: 'k', value: 'his' }, bo)
    const open = { key: 'k', value: 'open', isPublic: true }
    expect(listProperties(library.db, ada, id)).toEqual([
      { key: 'a', value: '', isPublic: false },
      open,
      { key: 'k', value: 'own', isPublic: false },
    ])
    expect(listProperties(library.db, bo, id)).toEqual([open, { key: 'k', value: 'his', isPublic: false }])
    expect(change(id, 'k', {})).toEqual({ key: 'k', value: 'own', isPublic: false })
    expect(change(id, 'k', { value: null }, 'PUBLIC')).toEqual({ key: 'k', value: '', isPublic: true })
    library.run('removeProperty', ada, { id, key: 'k', visibility: undefined })
    expect(listProperties(library.db, ada, id).map(({ value }) => value)).toEqual(['', ''])
    expect(listProperties(library.db, bo, id).map(({ value }) => value)).toEqual(['', 'his'])
  })
})

describe('a label', () => {
  const FIELDS = JSON.stringify([
    { id: 'note', valueType: 'text', maxLength: 3 },
    { id: 'long', valueType: 'text', maxValues: 2 },
    { id: 'count', valueType: 'integer' },
    { id: 'day', valueType: 'dateString' },
    { id: 'state', valueType: 'selection', choices: ['new', 'old'] },
    { id: 'by', valueType: 'user' },
  ])
  beforeEach(() => {
    library.run('putLabel', OPERATOR, { id: 'l', fields: FIELDS })
  })
  const set = (id: string, ...fieldModifications: LabelFieldModificationBody[]) =>
    library.run('modifyLabels', ada, { id, modifications: [{ labelId: 'l', fieldModifications }] })

  test.for<[name: string, modification: LabelFieldModificationBody, expected: string]>([
    ['without a field', {}, '400 required fieldId: Required parameter: fieldId'],
    ['with an empty field', { fieldId: '' }, '400 required fieldId: Required parameter: fieldId'],
    ['with another field', { fieldId: 'x' }, '400 invalid fieldId: The label l has no field x.'],
    [
      'with a value of another type',
      { fieldId: 'note', setIntegerValues: [1] },
      '400 invalid fieldModifications: The field note is of the type text.',
    ],
    [
      'with more values than one',
      { fieldId: 'note', setTextValues: ['a', 'b'] },
      '400 invalid fieldModifications: The field note takes 1 values at most.',
    ],
    [
      'with more values than two',
      { fieldId: 'long', setTextValues: ['a', 'b', 'c'] },
      '400 invalid fieldModifications: The field long takes 2 values at most.',
    ],
    [
      'with a longer text',
      { fieldId: 'note', setTextValues: ['abcd'] },
      '400 invalid setTextValues: The field note takes 3 characters at most.',
    ],
    [
      'with a text of 1025 characters',
      { fieldId: 'long', setTextValues: ['x'.repeat(1025)] },
      '400 invalid setTextValues: The field long takes 1024 characters at most.',
    ],
    ['with texts of 1024', { fieldId: 'long', setTextValues: ['x'.repeat(1024), 'y'] }, 'accepted'],
    [
      'with another choice',
      { fieldId: 'state', setSelectionValues: ['odd'] },
      '400 invalid setSelectionValues: The field state has no choice odd.',
    ],
    [
      'with nobody',
      { fieldId: 'by', setUserValues: ['no@example.org'] },
      '400 invalid setUserValues: There is no user no@example.org.',
    ],
  ])('%s', ([, modification, expected]) => {
    expect(refusal(() => set(insert(), modification))).toBe(expected)
  })

  test('has the values that were set last, in the order of its fields', () => {
    const id = insert()
    set(id, { fieldId: 'state', setSelectionValues: ['new'] }, { fieldId: 'note', setTextValues: ['abc'] })
    const [label] = set(
      id,
      { fieldId: 'count', setIntegerValues: [7] },
      { fieldId: 'day', setDateValues: ['2026-01-31'] },
      { fieldId: 'by', setUserValues: ['bo@example.org'] },
      { fieldId: 'state', unsetValues: true },
      { fieldId: 'long', setTextValues: [] },
      { fieldId: 'note' },
    )
    expect(label).toEqual({
      pk: expect.any(Number) as unknown,
      id: 'l',
      revision: 1,
      fields: [
        { id: 'note', valueType: 'text', values: ['abc'] },
        { id: 'count', valueType: 'integer', values: [7] },
        { id: 'day', valueType: 'dateString', values: ['2026-01-31'] },
        {
          id: 'by',
          valueType: 'user',
          values: [expect.objectContaining({ email: 'bo@example.org' }) as unknown],
        },
      ],
    })
    expect(listLabels(library.db, ada, { id, most: 5, after: 0 })).toEqual({
      items: [label],
      next: undefined,
    })
  })

  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'that is not defined',
      () => library.run('modifyLabels', ada, { id: insert(), modifications: [{ labelId: 'x' }] }),
      '400 invalid labelId: There is no label x.',
    ],
    [
      'without a name',
      () => library.run('modifyLabels', ada, { id: insert(), modifications: [{}] }),
      '400 required labelId: Required parameter: labelId',
    ],
    [
      'that is disabled',
      () => {
        library.run('putLabel', OPERATOR, { id: 'l', isDisabled: true })
        set(insert())
      },
      '400 invalid labelId: The label l is disabled.',
    ],
    [
      'that is disabled, taken away',
      () => {
        library.run('putLabel', OPERATOR, { id: 'l', isDisabled: true })
        library.run('modifyLabels', ada, {
          id: insert(),
          modifications: [{ labelId: 'l', removeLabel: true }],
        })
      },
      'accepted',
    ],
    [
      'that gets the name of another',
      () => {
        library.run('putLabel', OPERATOR, { id: 'm' })
        library.run('putLabel', OPERATOR, { id: 'l', rename: 'm' })
      },
      '409 duplicate: There is a label m already.',
    ],
    [
      'that is removed',
      () => library.run('removeLabel', OPERATOR, { id: 'x' }),
      '400 invalid labelId: There is no label x.',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('keeps its fields and its files when it is renamed, and leaves them when it is removed', () => {
    const id = insert()
    set(id)
    const version = () =>
      library.db.get<{ version: number }>('SELECT version FROM files WHERE id = ?', id)?.version ?? 0
    const before = version()
    library.run('putLabel', OPERATOR, { id: 'b' })
    const { fields } = library.run('putLabel', OPERATOR, { id: 'l', rename: 'a' })
    expect(fields).toEqual(JSON.parse(FIELDS))
    expect(version()).toBe(before + 1)
    expect(library.run('putLabel', OPERATOR, { id: 'a', fields: '[]' })).toMatchObject({
      revision: 2,
      fields: [],
    })
    expect(listDefinitions(library.db).map((one) => [one.id, one.revision, one.isDisabled])).toEqual([
      ['a', 2, false],
      ['b', 1, false],
    ])
    library.run('removeLabel', OPERATOR, { id: 'a' })
    expect(version()).toBe(before + 2)
    expect(listLabels(library.db, ada, { id, most: 5, after: 0 }).items).toEqual([])
  })

  test('is on a page of the labels of a file', () => {
    const id = insert()
    for (const label of ['m', 'n']) library.run('putLabel', OPERATOR, { id: label })
    const modifications = ['n', 'l', 'm'].map((labelId) => ({ labelId }))
    library.run('modifyLabels', ada, { id, modifications })
    const page = (after: number, most: number) => {
      const { items, next } = listLabels(library.db, ada, { id, most, after })
      return { ids: items.map((one) => one.id), next }
    }
    const first = page(0, 2)
    expect(first).toEqual({ ids: ['l', 'm'], next: expect.any(Number) as unknown })
    expect(page(first.next ?? 0, 2)).toEqual({ ids: ['n'], next: undefined })
    expect(page(0, 3)).toEqual({ ids: ['l', 'm', 'n'], next: undefined })
  })
})

describe('a revision', () => {
  const put = (
    id: string,
    text: string,
    more: { isPinned?: boolean; isNewRevision?: boolean; name?: string; type?: string } = {},
  ) =>
    library.run('updateFile', ada, {
      id,
      body: {},
      behavior: 'now',
      isViewed: false,
      content: { staged: stagedBytes(Buffer.from(text)), isNewRevision: true, isPinned: false, ...more },
    })
  const all = (id: string) => listRevisions(library.db, ada, { id, most: 9, after: 0 }).items
  const at = (id: string, n: number) => all(id).at(n)?.id ?? ''
  const pin = (id: string, revision: string, pinned: boolean) =>
    library.run('changeRevision', ada, { id, revision, body: { pinned } })
  const remove = (id: string, revision: string) => library.run('removeRevision', ada, { id, revision })

  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'of a folder',
      () => all(insert(FOLDER_MIME)),
      '403 revisionsNotSupported: The file does not support revisions.',
    ],
    [
      'that is not there',
      () => getRevision(library.db, ada, { id: insert(), revision: 'x' }),
      '404 notFound revisionId: Revision not found: x',
    ],
    [
      'that is the only one, removed',
      () => remove(insert(), 'head'),
      '403 cannotDeleteOnlyRevision: The only revision of a file cannot be deleted.',
    ],
    [
      'that is the head of a restricted file, removed',
      () => {
        const id = insert()
        put(id, 'x')
        const body = { contentRestrictions: [{ readOnly: true }] }
        library.run('updateFile', ada, { id, body, behavior: 'now', isViewed: false })
        remove(id, at(id, 0))
        put(id, 'x')
      },
      NO_RIGHT,
    ],
    [
      'that is older, no longer pinned',
      () => {
        const id = insert()
        pin(id, 'head', true)
        pin(id, 'head', false)
        pin(id, 'head', true)
        put(id, 'x')
        pin(id, at(id, 0), true)
        pin(id, at(id, 0), false)
      },
      '400 illegalKeepForeverModification pinned: An older revision cannot be unpinned; delete it instead.',
    ],
    [
      'that is one pinned more',
      () => {
        limit('pinned-revisions', 2)
        const id = insert()
        put(id, 'x', { isPinned: true })
        put(id, 'y', { isPinned: true, isNewRevision: false })
        put(id, 'z', { isPinned: true })
      },
      '400 badRequest pinned: A file has at most 2 pinned revisions.',
    ],
    [
      'seen by a reader',
      () => listRevisions(library.db, bo, { id: share('reader'), most: 9, after: 0 }),
      NO_RIGHT,
    ],
    [
      'of a folder, read',
      () => findContent(library.db, ada, insert(FOLDER_MIME)),
      '403 fileNotDownloadable: Only files with binary content can be downloaded; documents are exported.',
    ],
    [
      'of a file, exported',
      () => findDocument(library.db, ada, insert()),
      '400 badRequest fileId: Export only supports documents; this file can be downloaded.',
    ],
    [
      'of a folder, exported',
      () => findDocument(library.db, ada, insert(FOLDER_MIME)),
      '403 fileNotExportable: Export only supports documents; this file can be downloaded.',
    ],
    [
      'that is not there, read',
      () => findContent(library.db, ada, insert(), 'x'),
      '404 notFound revisionId: Revision not found: x',
    ],
    [
      'that is older, read by a reader',
      () => {
        const id = share('reader')
        put(id, 'x')
        findContent(library.db, bo, id, at(id, 1))
        findContent(library.db, bo, id, at(id, 0))
      },
      NO_RIGHT,
    ],
    [
      'that readers may not copy, read by one',
      () => {
        const id = share('reader')
        findContent(library.db, bo, id)
        const body = { labels: { restricted: true } }
        library.run('updateFile', ada, { id, body, behavior: 'now', isViewed: false })
        findContent(library.db, ada, id)
        findContent(library.db, bo, id)
      },
      '403 cannotDownloadFile: This file cannot be downloaded by the user.',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('is added or replaced, and a pinned one always stays', () => {
    const id = insert()
    const sizes = () => all(id).map(({ size, isPinned, originalName }) => [size, isPinned, originalName])
    const used = () =>
      library.db.get<{ used: number; size: number }>('SELECT used, size FROM files WHERE id = ?', id)
    put(id, '22', { isNewRevision: false })
    expect([sizes(), used()]).toEqual([[[2, false, 'a']], { used: 2, size: 2 }])
    put(id, '333', { name: 'b', isPinned: true })
    put(id, '4444', { isNewRevision: false })
    expect([sizes(), used()]).toEqual([
      [
        [2, false, 'b'],
        [3, true, 'b'],
        [4, false, 'b'],
      ],
      { used: 9, size: 4 },
    ])
    remove(id, at(id, 1))
    expect(used()).toEqual({ used: 6, size: 4 })
    remove(id, 'head')
    expect([sizes(), used()]).toEqual([[[2, false, 'b']], { used: 2, size: 2 }])
  })

  test('has the type that it was sent with, the last one that of its file', () => {
    const id = insert('a/one')
    const types = () => all(id).map(({ mime }) => mime)
    put(id, 'x', { type: 'a/two' })
    library.run('updateFile', ada, { id, body: { mimeType: 'a/three' }, behavior: 'now', isViewed: false })
    expect(types()).toEqual(['a/one', 'a/three'])
    const read = (revision?: string) => findContent(library.db, ada, id, revision)
    expect([read().mime, read('head').mime, read(at(id, 0)).mime]).toEqual(['a/three', 'a/three', 'a/one'])
    expect(read(at(id, 1))).toMatchObject({
      title: 'a',
      blob: { size: 1 },
      md5: '9dd4e461268c8034f5c8564e155c67a6',
    })
    remove(id, 'head')
    expect([types(), read().mime]).toEqual([['a/one'], 'a/one'])
  })

  test('of a document is exported, and not read', () => {
    const content = stagedBytes(Buffer.from('x'))
    const { id } = library.run('insertFile', ada, {
      body: { title: 'd', mimeType: 'text/csv' },
      content,
      native: NATIVE,
    }).row
    expect(findDocument(library.db, ada, id)).toMatchObject({ native: NATIVE, mime: 'text/csv', title: 'd' })
    expect(refusal(() => findContent(library.db, ada, id))).toBe(
      '403 fileNotDownloadable: Only files with binary content can be downloaded; documents are exported.',
    )
  })
})

describe('a comment', () => {
  const add = (id: string, content = 'c', who = ada) =>
    library.run('addComment', who, { id, body: { content } })
  const reply = (id: string, comment: string, body: object, who = ada) =>
    library.run('addReply', who, { id, comment, body })
  const list = (id: string, more: object = {}) =>
    listComments(library.db, ada, {
      id,
      most: 9,
      withDeleted: false,
      after: undefined,
      position: undefined,
      ...more,
    })
  const LONG = 'ä'.repeat(16_384)
  const tooLong = (place: string) =>
    `400 invalid ${place}: Invalid value for ${place}: it is longer than 32768 bytes.`

  test.for<[name: string, work: () => unknown, expected: string]>([
    ['of 32 KiB', () => add(insert(), LONG), 'accepted'],
    ['that is longer', () => add(insert(), `${LONG}b`), tooLong('content')],
    ...(['anchor', 'context.type', 'context.value'] as const).map(
      (place): [string, () => unknown, string] => [
        `with a long ${place}`,
        () => {
          const [first, second] = place.split('.')
          const value = second === undefined ? `${LONG}b` : { [second]: `${LONG}b` }
          library.run('addComment', ada, { id: insert(), body: { content: 'c', [first ?? '']: value } })
        },
        tooLong(place),
      ],
    ),
    ['on a folder', () => add(insert(FOLDER_MIME)), NO_RIGHT],
    ['on a folder, listed', () => list(insert(FOLDER_MIME)), NO_RIGHT],
    [
      'that is not there',
      () => getComment(library.db, ada, { id: insert(), comment: 'x', withDeleted: true }),
      '404 notFound commentId: Comment not found: x',
    ],
    [
      'without that answer',
      () => {
        const id = insert()
        getReply(library.db, ada, { id, comment: add(id).id, reply: 'x', withDeleted: true })
      },
      '404 notFound replyId: Reply not found: x',
    ],
    [
      'answered with another verb',
      () => {
        const id = insert()
        reply(id, add(id).id, { verb: 'close' })
      },
      '400 invalid verb: The verb must be resolve or reopen.',
    ],
    [
      'answered with nothing',
      () => {
        const id = insert()
        reply(id, add(id).id, { content: '' })
      },
      '400 required content: Required parameter: content',
    ],
    [
      'answered too often',
      () => {
        limit('comment-replies', 2)
        const id = insert()
        const { id: comment } = add(id)
        for (let n = 0; n < 3; n++) reply(id, comment, { content: 'r' })
      },
      '400 invalid commentId: A comment has at most 2 replies.',
    ],
    [
      'answered at too great length, in bytes',
      () => {
        limit('page-bytes', 4)
        const id = insert()
        const { id: comment } = add(id)
        const { id: last } = reply(id, comment, { content: 'ä' })
        reply(id, comment, { content: 'bc' })
        library.run('changeReply', ada, { id, comment, reply: last, body: { content: 'de' } })
        library.run('changeReply', ada, { id, comment, reply: last, body: { content: 'def' } })
      },
      '400 invalid commentId: The replies to a comment have at most 4 bytes together.',
    ],
    [
      'of another, changed',
      () => {
        const id = share('writer')
        library.run('changeComment', bo, { id, comment: add(id).id, body: { content: 'x' } })
      },
      NO_RIGHT,
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  const said = ({ content, isDeleted, created, modified, author }: CommentView | ReplyView) => [
    content,
    isDeleted,
    author?.email,
    modified - created,
  ]

  test('is answered with its answers, and resolved by the last verb', () => {
    const id = share('reader', insert(), ['commenter'])
    const body = { content: 'c', anchor: 'x', context: { type: 't', value: 'v' } }
    const { id: comment, created } = library.run('addComment', ada, { id, body })
    expect(reply(id, comment, { content: 'r', verb: 'resolve' }, bo)).toMatchObject({
      content: 'r',
      verb: 'resolve',
    })
    const get = (withDeleted = false) => getComment(library.db, ada, { id, comment, withDeleted })
    expect(get()).toMatchObject({
      file: id,
      fileTitle: 'a',
      anchor: 'x',
      context: body.context,
      isResolved: true,
      created,
      modified: library.now(),
    })
    reply(id, comment, { verb: 'reopen' })
    const last = reply(id, comment, { content: 's' }).id
    expect(get().isResolved).toBe(false)
    library.run('changeReply', ada, { id, comment, reply: last, body: { content: 't' } })
    const first = get().replies[0]?.id ?? ''
    library.run('removeReply', bo, { id, comment, reply: first })
    expect(get().replies.map(said)).toEqual([
      [undefined, false, 'ada@example.org', 0],
      ['t', false, 'ada@example.org', 1000],
    ])
    expect(get(true).replies.map(said)[0]).toEqual([undefined, true, 'bo@example.org', 4000])
    expect(get().isResolved).toBe(false)
    library.run('changeComment', ada, { id, comment, body: { content: 'd' } })
    expect(said(get())).toEqual(['d', false, 'ada@example.org', 6000])
    library.run('removeComment', ada, { id, comment })
    expect(get(true)).toMatchObject({ content: undefined, context: undefined, anchor: 'x', isDeleted: true })
    expect([refusal(get), list(id), list(id, { withDeleted: true }).comments.length]).toEqual([
      `404 notFound commentId: Comment not found: ID`,
      { comments: [], next: undefined },
      1,
    ])
  })

  test('is on a page, the last that was changed first', () => {
    const id = insert()
    const [one, two, three] = ['one', 'two', 'three'].map((content) => add(id, content))
    reply(id, two?.id ?? '', { content: 'r' })
    const page = (more: object, fits?: () => boolean) => {
      const { comments, next } = listComments(
        library.db,
        ada,
        { id, most: 2, withDeleted: false, after: undefined, position: undefined, ...more },
        fits,
      )
      return { texts: comments.map(({ content }) => content), next }
    }
    expect(page({ most: 3 })).toEqual({ texts: ['two', 'three', 'one'], next: undefined })
    expect(page({})).toEqual({ texts: ['two', 'three'], next: [three?.modified, three?.pk] })
    expect(page({ position: [three?.modified, three?.pk] })).toEqual({ texts: ['one'], next: undefined })
    expect(page({ after: one?.modified })).toEqual({ texts: ['two', 'three'], next: undefined })
    // the first comment is on the page however large it is
    expect(page({ most: 3 }, () => false).texts).toEqual(['two'])
  })

  test('has pages of answers, the oldest first', () => {
    const id = insert()
    const { id: comment } = add(id)
    const [one, two] = ['1', '2', '3'].map((content) => reply(id, comment, { content }))
    library.run('removeReply', ada, { id, comment, reply: one?.id ?? '' })
    const page = (most: number, after: number, withDeleted: boolean) => {
      const { items, next } = listReplies(library.db, ada, { id, comment, most, after, withDeleted })
      return { texts: items.map(({ content }) => content), next }
    }
    expect(page(2, 0, false)).toEqual({ texts: ['2', '3'], next: undefined })
    expect(page(2, 0, true)).toEqual({ texts: [undefined, '2'], next: two?.pk })
    expect(page(2, two?.pk ?? 0, true)).toEqual({ texts: ['3'], next: undefined })
  })
})

describe('a rule', () => {
  const folder = (parent = 'root') =>
    library.run('insertFile', ada, { body: { mimeType: FOLDER_MIME, parents: [{ id: parent }] } }).row.id
  const rule = (given: object, who = ada) =>
    library.run('addRule', who, {
      folder: 'root',
      terms: { method: 'lgx' },
      includesExisting: false,
      ...given,
    })
  const deep = { method: 'lgx', withSubfolders: true }
  const clash = (where: string) =>
    `409 duplicate: A rule of ${where} writes files with the same names: choose another method.`

  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'of subfolders with one target',
      () => rule({ target: folder(), terms: deep }),
      '400 invalid: Give either target or withSubfolders: the results of several folders would mix.',
    ],
    [
      'that is one more of a folder',
      () => {
        limit('folder-rules', 2)
        const id = folder()
        for (const method of ['lgx', 'G', 'P']) rule({ folder: id, terms: { method } })
      },
      '403 limitExceeded: The folder has the maximum number of rules; remove one first.',
    ],
    [
      'that is one more of the store',
      () => {
        limit('store-rules', 2)
        for (let n = 0; n < 3; n++) rule({ folder: folder() })
      },
      '403 limitExceeded: The store has the maximum number of rules; remove one first.',
    ],
    [
      'of too many subfolders',
      () => {
        limit('rule-folders', 2)
        const id = folder()
        for (let n = 0; n < 2; n++) folder(id)
        rule({ folder: id, terms: deep })
        folder(id)
        rule({ folder: id, terms: { method: 'P' } })
        rule({ folder: id, terms: { ...deep, method: 'G' } })
      },
      '403 limitExceeded: There are more subfolders than a rule may cover.',
    ],
    [
      'that is there',
      () => {
        const id = folder()
        rule({ folder: id })
        rule({ folder: id })
      },
      clash('the folder'),
    ],
    [
      'that is above',
      () => {
        const id = folder()
        rule({ folder: id, terms: deep })
        rule({ folder: folder(id) })
      },
      clash('a folder above it or below it'),
    ],
    [
      'of a token that may not do all',
      () => rule({}, { ...ada, scopes: ['drive.file'] }),
      '403 insufficientPermissions: Rules need a token with the scope drive.',
    ],
    [
      'that is removed by a token that may not do all',
      () => library.run('removeRule', { ...ada, scopes: ['drive.file'] }, { id: rule({}).id }),
      '403 insufficientPermissions: Rules need a token with the scope drive.',
    ],
    [
      'that is not there',
      () => library.run('removeRule', ada, { id: 'x' }),
      '404 notFound: Rule not found: x',
    ],
    [
      'that another removes, who does not see it',
      () => library.run('removeRule', bo, { id: rule({ folder: folder() }).id }),
      '404 notFound: Rule not found: ID',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })
})

describe('a group', () => {
  const facts = ({
    email,
    name,
    members,
    is_disabled,
  }: {
    email: string
    name: string
    members: number
    is_disabled: number
  }) => [email, name, members, is_disabled]
  const group = 'all@example.org'
  const members = ['bo@example.org', 'ada@example.org']

  test('has the members that were added, also while it is disabled', () => {
    expect(facts(library.run('addGroup', OPERATOR, { email: group }))).toEqual([group, group, 0, 0])
    expect(facts(library.run('addMembers', OPERATOR, { group, members: members.slice(0, 1) }))).toEqual([
      group,
      group,
      1,
      0,
    ])
    const id = library.run('insertFile', ada, { body: {} }).row.id
    library.run('insertPermission', ada, { id, body: { type: 'group', value: group, role: 'reader' } })
    const sees = () => refusal(() => library.run('markViewed', bo, { id }))
    expect(sees()).toBe('accepted')
    expect(facts(library.run('changeGroup', OPERATOR, { group, name: 'All', isDisabled: true }))).toEqual([
      group,
      'All',
      1,
      1,
    ])
    expect(sees()).toBe('404 notFound fileId: File not found: ID')
    expect(facts(library.run('addMembers', OPERATOR, { group, members }))).toEqual([group, 'All', 2, 1])
    expect(facts(library.run('removeMembers', OPERATOR, { group, members: members.slice(1) }))).toEqual([
      group,
      'All',
      1,
      1,
    ])
    expect(facts(library.run('changeGroup', OPERATOR, { group, isDisabled: false }))).toEqual([
      group,
      'All',
      1,
      0,
    ])
    expect(sees()).toBe('accepted')
    library.run('removeGroup', OPERATOR, { group })
    expect(sees()).toBe('404 notFound fileId: File not found: ID')
    expect(facts(library.run('addGroup', OPERATOR, { email: group, name: 'New' }))).toEqual([
      group,
      'New',
      0,
      0,
    ])
    expect(sees()).toBe('404 notFound fileId: File not found: ID')
  })

  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'without an address',
      () => library.run('addGroup', OPERATOR, { email: 'all' }),
      '400 invalid: Not an e-mail address: all',
    ],
    [
      'that is not there',
      () => library.run('changeGroup', OPERATOR, { group }),
      '404 notFound: Group not found: all@example.org',
    ],
    [
      'that is a user',
      () => library.run('addMembers', OPERATOR, { group: 'bo@example.org', members: [] }),
      '404 notFound: Group not found: bo@example.org',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })
})

describe('the removal of a user', () => {
  const remove = (more: object = {}) =>
    library.run('removeUser', OPERATOR, { email: 'ada@example.org', ...more })
  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'who is to get the files',
      () => remove({ heir: 'ADA@example.org' }),
      '409 conflict: The user being removed cannot get the files.',
    ],
    [
      'who has files',
      () => {
        for (let n = 0; n < 2; n++) insert()
        remove()
      },
      '409 conflict: ada@example.org owns files or folders (2): name the user who gets them, or have them deleted.',
    ],
    [
      'who is the only organizer of a shared drive',
      () => {
        library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } })
        remove({ withFiles: true })
      },
      '409 conflict: ada@example.org is the only organizer of 1 shared drives: name their new organizer.',
    ],
    ['who has nothing', () => remove(), 'accepted'],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('gives the files to the heir, in his root, with what they cost', () => {
    const content = stagedBytes(Buffer.from('four'))
    const { id } = library.run('insertFile', ada, { body: {}, content }).row
    const drive = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } }).id
    share('writer', id)
    remove({ heir: 'bo@example.org' })
    const view = library.run('touchFile', bo, { id })
    expect([view.row.owner, view.role, view.parents.map(({ isRoot }) => isRoot)]).toEqual([
      bo.user,
      'owner',
      [true],
    ])
    const used = () =>
      library.db.get<{ used: number }>('SELECT used FROM principals WHERE pk = ?', bo.user)?.used
    expect(used()).toBe(4)
    library.run('insertFile', bo, { body: { parents: [{ id: drive }] }, content })
    expect(used()).toBe(8)
  })

  test('deletes the files where that is asked', () => {
    const id = share('writer')
    remove({ withFiles: true })
    expect(refusal(() => library.run('touchFile', bo, { id }))).toBe(
      '404 notFound fileId: File not found: ID',
    )
  })
})

describe('a setting', () => {
  test.for<[name: string, work: () => unknown, expected: string]>([
    [
      'of a name of 61 characters',
      () => library.run('setName', OPERATOR, { name: 'x'.repeat(61) }),
      '400 invalid name: The name of a store has at most 60 characters.',
    ],
    ['of no limit', () => limit('toString', 1), '400 invalid name: There is no limit toString.'],
    [
      'of 0',
      () => limit('folder-depth', 0),
      '400 invalid value: folder-depth must be a whole number from 1 to 1000.',
    ],
    [
      'of 1001',
      () => limit('folder-depth', 1001),
      '400 invalid value: folder-depth must be a whole number from 1 to 1000.',
    ],
    [
      'of a part',
      () => limit('folder-depth', 1.5),
      '400 invalid value: folder-depth must be a whole number from 1 to 1000.',
    ],
    [
      'of too much',
      () => limit('store-rules', 2 ** 53),
      `400 invalid value: store-rules must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`,
    ],
    [
      'of days from 0',
      () => limit('link-days', -1),
      '400 invalid value: link-days must be a whole number from 0 to 366.',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('is kept beside the others, and reset', () => {
    limit('folder-depth', 1)
    limit('store-rules', 7)
    limit('folder-depth', 1000)
    limit('link-days', 0)
    expect(setLimits(library.db)).toEqual({ 'folder-depth': 1000, 'store-rules': 7, 'link-days': 0 })
    limit('folder-depth', null)
    expect(setLimits(library.db)).toEqual({ 'store-rules': 7, 'link-days': 0 })
    expect(readLimits(library.db)).toMatchObject({ 'folder-depth': 100, 'store-rules': 7, 'link-days': 0 })
  })

  test('is the name of the store until it is emptied', () => {
    const names = ['x'.repeat(60), 'Lab', ''].map((name) => {
      library.run('setName', OPERATOR, { name })
      return storeName(library.db)
    })
    expect(names).toEqual(['x'.repeat(60), 'Lab', undefined])
  })
})
