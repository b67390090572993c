import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { type Members, SCHEMA_NAMES, findMembers, innerMembers } from '../../../src/drive/contract/schemas.ts'
import {
  type Selection,
  parseFieldTree,
  parseFields,
  selectFields,
  isSelected,
  selectWithin,
} from '../../../src/drive/protocol/answers/fields.ts'
import { atTheLimit } from '../../support/at-the-limit.ts'
import { rounds } from '../../support/rounds.ts'

const FILE = {
  kind: 'drive#file',
  id: 'x',
  title: 't',
  permissions: [{ id: '1', role: 'owner' }],
  labels: { trashed: false, starred: true },
  parents: [{ id: 'p', isRoot: true }],
  exportLinks: { html: 'h', pdf: 'p' },
}
const LIST = { kind: 'drive#fileList', nextPageToken: 'n', items: [FILE, { id: 'y', title: 'u' }] }

describe('parseFields and selectFields', () => {
  test.for([
    ['id', { id: 'x' }],
    ['id,labels(trashed)', { id: 'x', labels: { trashed: false } }],
    ['labels/trashed', { labels: { trashed: false } }],
    [
      'id,title,labels/trashed,parents(id,isRoot)',
      { id: 'x', title: 't', labels: { trashed: false }, parents: FILE.parents },
    ],
    ['labels', { labels: FILE.labels }],
    ['labels,labels/trashed', { labels: FILE.labels }],
    ['labels/trashed,labels', { labels: FILE.labels }],
    ['labels(trashed,starred)', { labels: FILE.labels }],
    ['labels/*', { labels: FILE.labels }],
    ['permissions/role', { permissions: [{ role: 'owner' }] }],
    ['*', FILE],
    ['*,id', FILE],
    ['*/id', { permissions: [{ id: '1' }], parents: [{ id: 'p' }] }],
    ['*(id,trashed)', { permissions: [{ id: '1' }], parents: [{ id: 'p' }], labels: { trashed: false } }],
    ['exportLinks', { exportLinks: FILE.exportLinks }],
    ['exportLinks/pdf', { exportLinks: { pdf: 'p' } }],
    ['exportLinks(*)', { exportLinks: FILE.exportLinks }],
    [' id , labels ( trashed ) ', { id: 'x', labels: { trashed: false } }],
    ['downloadUrl', {}],
    ['thumbnail', {}],
  ] as const)('%s of a file', ([text, expected]) => {
    expect(selectFields<unknown>(FILE, parseFields(text, 'File'))).toEqual(expected)
  })

  test.for([
    [
      'items(title,id,fileSize,downloadUrl,exportLinks),nextPageToken',
      {
        nextPageToken: 'n',
        items: [
          { id: 'x', title: 't', exportLinks: FILE.exportLinks },
          { id: 'y', title: 'u' },
        ],
      },
    ],
    ['items/id', { items: [{ id: 'x' }, { id: 'y' }] }],
    ['items(labels(trashed))', { items: [{ labels: { trashed: false } }, {}] }],
    [
      'items,items/labels/trashed',
      {
        items: [
          {
            kind: 'drive#file',
            id: 'x',
            title: 't',
            labels: FILE.labels,
            parents: FILE.parents,
            exportLinks: FILE.exportLinks,
          },
          { id: 'y', title: 'u' },
        ],
      },
    ],
    ['items,nextPageToken', { nextPageToken: 'n', items: [FILE, { id: 'y', title: 'u' }] }],
  ] as const)('%s of a list', ([text, expected]) => {
    // the serialiser leaves out the permissions of `items`
    expect(selectFields<unknown>(LIST, parseFields(text, 'FileList'))).toEqual(expected)
  })

  test.for([
    ['bogus', 'bogus'],
    ['id,bogus', 'bogus'],
    ['items/bogus', 'items/bogus', 'FileList'],
    ['items(id,labels(trashed,bogus))', 'items/labels/bogus', 'FileList'],
    ['title/x', 'title/x'],
    ['*/bogus', '*/bogus'],
    ['labels/trashed/x', 'labels/trashed/x'],
    ['constructor', 'constructor'],
    ['ID', 'ID'],
    ['id,', 'id,: a name expected at character 4'],
    [',', ',: a name expected at character 1'],
    ['labels(trashed', 'labels(trashed: ")" expected at character 15'],
    ['labels)', 'labels): the end expected at character 7'],
    ['labels()', 'labels(): a name expected at character 8'],
    ['a b', 'a b: the end expected at character 3'],
    ['**', '**: the end expected at character 2'],
    ['id;title', 'id;title: the end expected at character 3'],
    [`${'x'.repeat(200)}; `, `${'x'.repeat(200)}…: the end expected at character 201`],
  ] as const)('%s is refused', ([text, named, schema]) => {
    expect(() => parseFields(text, schema ?? 'File')).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalidParameter',
        message: `Invalid field selection ${named}`,
        details: { location: 'fields', locationType: 'parameter' },
      }),
    )
  })

  test('blank and absent are the default representation', () => {
    const standard = parseFields(undefined, 'File')
    expect(parseFields(' ', 'File')).toBe(standard)
    expect(
      ['id', 'title', 'capabilities', 'md5Checksum'].filter((name) => !isSelected(standard, name)),
    ).toEqual([])
    expect(
      ['permissions', 'sha1Checksum', 'thumbnail', 'hasThumbnail'].filter((name) =>
        isSelected(standard, name),
      ),
    ).toEqual([])
    expect(selectFields(FILE, standard)).toBe(FILE)
  })

  test('what is left out by default is wanted when named, and by a star', () => {
    for (const text of ['permissions', 'permissions/id', '*', 'id,*']) {
      expect(isSelected(parseFields(text, 'File'), 'permissions')).toBe(true)
    }
    expect(isSelected(selectWithin(parseFields('items', 'FileList'), 'items'), 'permissions')).toBe(false)
    expect(isSelected(selectWithin(parseFields('*', 'FileList'), 'items'), 'permissions')).toBe(true)
    expect(isSelected(selectWithin(parseFields('items/*', 'FileList'), 'items'), 'permissions')).toBe(true)
    const both = selectWithin(parseFields('items,items/permissions/id', 'FileList'), 'items')
    expect([
      isSelected(both, 'title'),
      isSelected(both, 'permissions'),
      isSelected(selectWithin(both, 'permissions'), 'role'),
    ]).toEqual([true, true, false])
    expect(isSelected(parseFields('*', 'File'), 'thumbnail')).toBe(false)
  })

  test('the same text gives the same selection', () => {
    expect(parseFields('id,title', 'File')).toBe(parseFields('id,title', 'File'))
    expect(parseFields('kind', 'File')).not.toBe(parseFields('kind', 'Drive'))
  })

  test('any choice of members of any schema is accepted and gives them alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SCHEMA_NAMES), fc.infiniteStream(fc.nat()), (schema, numbers) => {
        const text = someFields(findMembers(schema), numbers)
        const selection = parseFields(text, schema)
        expect(namesOf(selection)).toEqual(new Set(text.split(',').map((path) => path.split('/')[0])))
      }),
    )
  })

  test('any text is read or refused', () => {
    const pieces = fc.array(
      fc.constantFrom('*', '/', '(', ')', ',', ' ', 'id', 'items', 'labels', 'file', 'x', '\u0000', '.'),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((all) => all.join('')),
        ),
        (text) => {
          expect(refusedOrRead(text)).toBe(true)
        },
      ),
      { numRuns: rounds(2000) },
    )
  })

  test.for([
    ['a path', (levels: number) => Array.from({ length: levels }, () => 'a').join('/'), 21],
    ['brackets', (levels: number) => `${'a('.repeat(levels - 1)}a${')'.repeat(levels - 1)}`, 21],
    ['a text', (size: number) => 'a'.repeat(size), 8192],
  ] as const)('%s is read up to its limit', ([, make, limit]) => {
    const [most, more] = atTheLimit(make, limit)
    expect(parseFieldTree(most)).toHaveLength(1)
    expect(() => parseFieldTree(more)).toThrow('Invalid field selection')
  })

  test.for([
    ['nested', '('.repeat(1_000_000)],
    ['a path', 'a/'.repeat(500_000)],
    ['blanks', ' '.repeat(1_000_000) + 'x'],
    ['blanks before a mark', `id${' '.repeat(1_000_000)}`],
    ['a star below a star', '*/'.repeat(4000)],
    ['stars', `${'*/*/*,'.repeat(1300)}id`],
    ['stars in stars', `*(${'*/*,'.repeat(2000)}id)`],
  ] as const)('a megabyte of %s is bounded', ([, text]) => {
    expect(refusedOrRead(text)).toBe(true)
  })
})

function refusedOrRead(text: string): boolean {
  try {
    selectFields(LIST, parseFields(text, 'ChangeList'))
    return true
  } catch (error) {
    return isStorageFailure(error) && error.status === 400
  }
}

function someFields(members: Members, numbers: Iterator<number>): string {
  const names = [...members.keys()]
  const count = 1 + (next(numbers) % 4)
  const paths = Array.from({ length: count }, () => {
    const name = names[next(numbers) % names.length]!
    const inner = innerMembers(members.get(name)!.shape)
    return inner === undefined || next(numbers) % 2 === 0 ? name : `${name}/${[...inner.keys()][0]}`
  })
  return paths.join(',')
}

function next(numbers: Iterator<number>): number {
  return Number(numbers.next().value)
}

function namesOf(selection: Selection): Set<string> {
  return new Set(selection.members?.keys())
}
