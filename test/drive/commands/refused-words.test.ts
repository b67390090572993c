/** What the commands for files of a store refuse before they connect, and how they print rows. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { describeContent } from '../../../src/drive/commands/files/describe-content.ts'
import { linkRow } from '../../../src/drive/commands/files/link.ts'
import { printFiles } from '../../../src/drive/commands/files/ls.ts'
import { putCommand } from '../../../src/drive/commands/files/put.ts'
import { searchCommand } from '../../../src/drive/commands/files/search.ts'
import { parseGrantee, shareCommand } from '../../../src/drive/commands/files/share.ts'
import { printFacts, printRows } from '../../../src/drive/commands/print.ts'
import { FOLDER_TYPE, readFile } from '../../../src/drive/client/resource.ts'
import { errorOf } from '../../support/errors.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const printed: string[] = []

vi.mock('../../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  writeOut: (text: string) => void printed.push(text),
}))

beforeAll(() => {
  mkdirSync(temp('cohort'))
  writeFileSync(temp('a.csv'), 'ID\n')
})
beforeEach(() => void (printed.length = 0))

/** The options that the words leave as they are. */
const SHARING = { role: 'reader' } as const

test.for<[string, () => unknown, object]>([
  ['put, without a destination', () => putCommand(['a.csv'], {}), { message: 'the destination is missing', hint: 'hla drive put a.csv /' }],
  ['put, of a missing file', () => putCommand([temp('none.csv'), '/'], {}), { code: 'not-found', message: `there is no file ${temp('none.csv')}`, offending: temp('none.csv') }],
  ['put, of a missing file behind another', () => putCommand([temp('a.csv'), temp('none.csv'), '/'], {}), { code: 'not-found', message: `there is no file ${temp('none.csv')}` }],
  ['put, of a folder', () => putCommand([temp('cohort'), '/'], {}), { message: `${temp('cohort')} is a folder, and hla drive put stores files`, offending: temp('cohort') }],
  ['put, of a device', () => putCommand(['/dev/null', '/'], {}), { message: '/dev/null is not a file', offending: '/dev/null' }],
  ['search, for nothing', () => searchCommand([], {}), { message: 'there is nothing to search for', hint: 'hla drive search DRB1' }],
  ['share, a password without a link', () => shareCommand('/a', { ...SHARING, passwordFile: 'p' }), { message: '--password-file and --downloads need --link', hint: 'hla drive share --link /a' }],
  ['share, downloads without a link', () => shareCommand('/a', { ...SHARING, downloads: 1 }), { message: '--password-file and --downloads need --link' }],
  ['share, a link for somebody', () => shareCommand('/a', { ...SHARING, link: true, with: ['a@b.c'] }), { message: '--link takes no --with, --remove and --role: it lets anyone who has it read' }],
  ['share, a link in place of another', () => shareCommand('/a', { ...SHARING, link: true, remove: ['a@b.c'] }), { message: '--link takes no --with, --remove and --role: it lets anyone who has it read' }],
  ['share, a link that writes', () => shareCommand('/a', { role: 'writer', link: true }), { message: '--link takes no --with, --remove and --role: it lets anyone who has it read' }],
  ['share, a link for no downloads', () => shareCommand('/a', { ...SHARING, link: true, downloads: 0 }), { message: '--downloads must be at least 1' }],
  ['share, with nobody', () => shareCommand('/a', { ...SHARING, with: ['ada'] }), { message: '"ada" is not a user, group or domain to share with', offending: 'ada', hint: 'ada@example.org, group:staff@example.org, domain:example.org or anyone' }],
  ['share, no more with nobody', () => shareCommand('/a', { ...SHARING, remove: ['a@b.c', 'ada'] }), { message: '"ada" is not a user, group or domain to share with' }],
])('%s', ([, act, expected]) => {
  expect(errorOf(act)).toMatchObject({ code: 'usage', ...expected })
}) // prettier-ignore

test('a folder is not put, but synchronised', () => {
  const folder = temp('cohort')
  const { hint } = errorOf(() => putCommand([folder, '/'], {})) ?? {}
  expect(JSON.stringify(hint)).toContain(folder)
  expect(JSON.stringify(hint)).toContain(`/${basename(folder)}`)
})

describe('a grantee', () => {
  test.for([
    ['anyone', 'anyone', ''],
    ['ada@example.org', 'user', 'ada@example.org'],
    ['user:ada@example.org', 'user', 'ada@example.org'],
    ['group:staff@example.org', 'group', 'staff@example.org'],
    ['domain:example.org', 'domain', 'example.org'],
  ] as const)('%s is the %s %s', ([text, type, value]) => {
    expect(parseGrantee(text)).toEqual({ type, value })
  })
  test.for(['', 'ada', 'a b@example.org', 'ada@', '@example.org', 'a@b@c', 'a@b c', 'group:staff', 'user:', 'any one', 'a group:staff'])('%j is none', (text) => {
    expect(errorOf(() => parseGrantee(text))?.code).toBe('usage')
  }) // prettier-ignore
})

describe('a content', () => {
  const file = { id: 'f', headRevisionId: 'r', fileSize: '0', md5Checksum: 'm' }
  test('has a revision, a size and a checksum', () => {
    const content = { file: 'f', revision: 'r', size: 0, md5: 'm', name: '/a' }
    expect(describeContent(readFile(file), '/a')).toEqual(content)
  })
  test.for([
    [{ mimeType: FOLDER_TYPE, headRevisionId: undefined }, '/a is a folder'],
    [{ headRevisionId: undefined }, '/a is an item without content, such as a shortcut'],
    [{ fileSize: undefined }, '/a is an item without content, such as a shortcut'],
    [{ md5Checksum: undefined }, '/a is an item without content, such as a shortcut'],
  ] as const)('is missing with %j', ([less, message]) => {
    expect(errorOf(() => describeContent(readFile({ ...file, ...less }), '/a'))).toMatchObject({
      code: 'usage',
      message,
      offending: '/a',
    })
  })
})

describe('rows', () => {
  const ROWS = [
    { name: 'a', size: 1234, by: undefined, link: false },
    { name: 'longer', size: null, by: 'Ada', link: true },
  ]
  test.for<[string, () => void, string[]]>([
    ['are a table', () => printRows(ROWS, {}), ['NAME    SIZE   BY   LINK\na       1,234  -    false\nlonger  -      Ada  true\n']],
    ['are lines of JSON', () => printRows(ROWS, { json: true }), ['{"name":"a","size":1234,"link":false}\n{"name":"longer","size":null,"by":"Ada","link":true}\n']],
    ['that there are none of print nothing', () => printRows([], { json: false }), []],
    ['with no last cell have no blanks behind', () => printRows([{ a: 'x', b: '' }], {}), ['A  B\nx\n']],
    ['of one object are its members', () => printFacts({ id: 'f', title: 'a', size: 1234, by: undefined }, {}), ['id     f\ntitle  a\nsize   1,234\nby     -\n']],
    ['of one object are a line of JSON', () => printFacts({ id: 'f', size: 1234 }, { json: true }), ['{"id":"f","size":1234}\n']],
  ])('%s', ([, print, expected]) => {
    print()
    expect(printed).toEqual(expected)
  }) // prettier-ignore
})

describe('files of a list', () => {
  const said = { modifiedDate: 'M', createdDate: 'C', lastModifyingUser: { displayName: 'A\u001bda' } }
  const content = { mimeType: 'text/csv', fileSize: '1234', md5Checksum: 'm', headRevisionId: 'r' }
  const FILES = [
    readFile({ id: 'd', title: 'desk', mimeType: FOLDER_TYPE, ...said }),
    readFile({ id: 'f', title: 'a\nb.csv', ...content, ...said }),
  ]
  const JSON_FOLDER = { id: 'd', title: 'desk', mimeType: FOLDER_TYPE, modified: 'M', created: 'C', modifiedBy: 'A\u001bda' } // prettier-ignore
  const JSON_FILE = { id: 'f', title: 'a\nb.csv', mimeType: 'text/csv', size: 1234, md5: 'm', modified: 'M', created: 'C', revision: 'r', modifiedBy: 'A\u001bda' } // prettier-ignore
  test.for([
    [{}, 'desk/\na?b.csv\n'],
    [{ long: true }, 'ID  SIZE   MODIFIED  BY    TITLE\nd   -      M         A?da  desk/\nf   1,234  M         A?da  a?b.csv\n'],
    [{ long: true, json: true }, `${JSON.stringify(JSON_FOLDER)}\n${JSON.stringify(JSON_FILE)}\n`],
  ] as const)('with %j', ([options, text]) => {
    printFiles(FILES, options)
    expect(printed).toEqual([text])
  }) // prettier-ignore
})

test.for([
  [{ expires: 'E', hasPassword: true, downloads: 0, mostDownloads: 3 }, { expires: 'E', password: true, downloads: 0, most: 3 }],
  [{ expires: '', hasPassword: false }, { expires: undefined, password: false, downloads: undefined, most: undefined }],
] as const)('the link %j is shown as %j', ([given, expected]) => {
  const link = { id: 'l', file: 'f', title: 'a\nb', address: 'https://s/l', created: 'C', maker: 'a@b.c', downloads: undefined, mostDownloads: undefined, ...given }
  expect(linkRow(link)).toEqual({ file: 'a?b', by: 'a@b.c', address: 'https://s/l', ...expected })
}) // prettier-ignore
