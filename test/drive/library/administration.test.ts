/** Operator commands on users, groups, programs, keys and labels: what ends, what stays, and what others see. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findVisibleFile } from '../../../src/drive/domain/access/access.ts'
import { findAccountKey, listAccounts } from '../../../src/drive/domain/accounts/accounts.ts'
import { pageOfKeys, pageOfRecords, pageOfTokens } from '../../../src/drive/domain/administration/lists.ts'
import { findClient } from '../../../src/drive/domain/accounts/clients.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { keySource } from '../../../src/drive/domain/accounts/end-tokens.ts'
import { findView } from '../../../src/drive/domain/items/file-view.ts'
import { listDefinitions, listLabels } from '../../../src/drive/domain/labels/labels.ts'
import { LIBRARY_CHECKS } from '../../../src/drive/domain/upkeep/row-checks.ts'
import { findToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { findUpload } from '../../../src/drive/domain/uploads/upload-sessions.ts'
import { forgetUsers } from '../../../src/drive/domain/access/principals.ts'
import { findUser } from '../../../src/drive/domain/accounts/users.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { atTheLimit } from '../../support/at-the-limit.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let library: Library
let ada: Caller
let bo: Caller
beforeAll(async () => {
  library = await openLibrary(temp('store'))
  const [first, second] = library.callers
  ada = first
  bo = second
})
beforeEach(() => library.reset())
afterAll(() => library.close())

const ADA = 'ada@example.org'
const BO = 'bo@example.org'
const GROUP = 'typing@example.org'
const FIRST_PAGE = { most: 100, after: undefined }

function insert(who: Caller, parent = 'root', mimeType = 'text/plain'): string {
  const body = { title: 'a', mimeType, parents: [{ id: parent }] }
  return library.run('insertFile', who, { body }).row.id
}

function share(id: string, value: string, role = 'reader', type = 'user'): void {
  library.run('insertPermission', ada, { id, body: { type, role, value } })
}

const roleOf = (who: Caller, id: string) => findVisibleFile(library.db, who, id)?.role
const ownerOf = (id: string) =>
  library.db.get<{ email: string }>(
    'SELECT p.email FROM files f JOIN principals p ON p.pk = f.owner WHERE f.id = ?',
    id,
  )?.email

function token(digest: string, { user, client }: Caller, source?: string): Caller {
  library.run('addToken', OPERATOR, { digest, user, client, scopes: ['drive'], kind: 'access', source })
  return { user, client, scopes: ['drive'], via: source === undefined ? [digest] : [digest, source] }
}

/** Opens a channel and an upload with a token. */
function begin(digest: string, who: Caller, source?: string): void {
  const caller = token(digest, who, source)
  const body = { id: digest, type: 'web_hook', address: 'https://hooks.example.org/' }
  const search = { includesOthers: true, spaces: ['drive'], drives: 'all' } as never
  library.run('watchChanges', caller, { body, search, from: undefined, uri: 'https://x.example/changes' })
  library.run('openUpload', caller, {
    digest: `upload ${digest}`,
    target: { kind: 'insert', file: { body: { title: 'u' } } },
    total: 5,
    staged: `upload-${digest}`,
    md5: undefined,
  })
}

/** Whether the token, its channel and its upload are still valid. */
function left(digest: string) {
  const channel = library.db.get<{ expires: number }>('SELECT expires FROM channels WHERE id = ?', digest)
  return {
    token: findToken(library.db, digest) !== undefined,
    channel: (channel?.expires ?? 0) > 0,
    upload: findUpload(library.db, `upload ${digest}`, 0)?.state === 'open',
  }
}

const ALL = { token: true, channel: true, upload: true }
const NONE = { token: false, channel: false, upload: false }

function expectSound(): void {
  for (const { find } of [...ROW_CHECKS, ...LIBRARY_CHECKS])
    expect(typeof find === 'string' ? library.db.all(find) : find(library.db)).toEqual([])
}

function addAccount(kid: string): Caller {
  library.run('addAccount', OPERATOR, {
    email: 'robot@example.org',
    kid,
    publicKey: 'PEM',
    mayImpersonate: true,
  })
  const key = findAccountKey(library.db, kid)
  if (key === undefined) throw new Error('there is no key')
  return { user: key.user, client: key.client, scopes: ['drive'] }
}

describe('disabling ends tokens, channels and uploads at once, and nothing is given until it is in use again', () => {
  test.for<[string, (isDisabled: boolean) => void]>([
    ['a user', (isDisabled) => library.run('changeUser', OPERATOR, { pk: bo.user, isDisabled })],
    ['a program', (isDisabled) => library.run('changeClient', OPERATOR, { id: 'other', isDisabled })],
  ])('%s', ([, change]) => {
    begin('of-ada', ada)
    begin('of-bo', bo)
    change(true)
    expect([left('of-ada'), left('of-bo')]).toEqual([ALL, NONE])
    expect(() => token('late', bo)).toThrow('disabled')
    change(false)
    token('later', bo)
    expect(findToken(library.db, 'later')).toBeDefined()
    expect(findToken(library.db, 'of-bo')).toBeUndefined()
  })

  test.for<[string, (isDisabled: boolean) => void]>([
    ['a key', (isDisabled) => library.run('changeKey', OPERATOR, { kid: 'k', isDisabled })],
    [
      'its account',
      (isDisabled) => {
        const { pk = 0 } = findUser(library.db, 'robot@example.org') ?? {}
        library.run('changeUser', OPERATOR, { pk, isDisabled })
      },
    ],
    [
      'its program',
      (isDisabled) => library.run('changeClient', OPERATOR, { id: 'robot@example.org', isDisabled }),
    ],
  ])('%s: also what it was given for others', ([, change]) => {
    const robot = addAccount('k')
    begin('own', robot, keySource('k'))
    // another user
    begin('ada-by-robot', { ...ada, client: robot.client }, keySource('k'))
    begin('of-ada', ada)
    change(true)
    expect([left('own'), left('ada-by-robot'), left('of-ada')]).toEqual([NONE, NONE, ALL])
    expect(findAccountKey(library.db, 'k')).toBeUndefined()
    const byRobot = { ...ada, client: robot.client }
    expect(() => token('late', byRobot, keySource('k'))).toThrow('disabled')
    change(false)
    expect(findAccountKey(library.db, 'k')).toBeDefined()
  })
})

test('a token that would end after all dates is refused: no list of tokens could be made with it', () => {
  const { user, client } = ada
  const facts = { user, client, scopes: ['drive' as const], kind: 'access' as const }
  // the clock moves 1 s with each command of the library
  const add = (life: number) =>
    library.run('addToken', OPERATOR, { digest: 'late', ...facts, expires: library.now() + 1000 + life })
  const [most, more] = atTheLimit((life) => life, 100 * 365 * 86_400_000)
  for (const life of [more, 9e15, 3.6e21]) expect(() => add(life)).toThrow('a hundred years')
  expect(() => add(most)).not.toThrow()
})

describe('the token of a page', () => {
  const PAGES = {
    records: (after: string) => pageOfRecords(library.db, { most: 9, after }),
    tokens: (after: string) =>
      pageOfTokens(library.db, { which: 'all', user: undefined, now: library.now() }, { most: 9, after }),
  }

  test.for([
    ['records', '1'],
    ['records', '9'.repeat(15)],
    ['tokens', '1.a'],
    ['tokens', `${'9'.repeat(15)}.${'-'.repeat(64)}`],
  ] as const)('of %s is read: %j', ([list, after]) => expect(() => PAGES[list](after)).not.toThrow())

  test.for([
    ...['', 'x1', '1x', '1.5', '9'.repeat(16)].map((after) => ['records', after] as const),
    ...['', '1', '1.', '.a', 'x1.a', '1.a/', `1.${'a'.repeat(65)}`, `${'9'.repeat(16)}.a`].map(
      (after) => ['tokens', after] as const,
    ),
  ])('of %s is refused: %j', ([list, after]) =>
    expect(() => PAGES[list](after)).toThrow('Invalid page token'),
  )
})

test('records say whether a password was set but not what it is, and whose a token is', () => {
  const { user, client } = bo
  const facts = { user, client, scopes: ['drive' as const], kind: 'access' as const, expires: undefined }
  library.run('administer', OPERATOR, {
    steps: [
      { command: 'setPassword', input: { email: BO, hash: 'secret' } },
      { command: 'setPassword', input: { email: BO, hash: null } },
      { command: 'addToken', input: { digest: 'of-bo', ...facts } },
    ],
  })
  const [token, removed, set] = pageOfRecords(library.db, { most: 3, after: undefined }).items
  expect([set?.detail, removed?.detail].map((text) => JSON.parse(text ?? ''))).toMatchObject([
    { password: 'set' },
    { password: 'removed' },
  ])
  expect(JSON.parse(token?.detail ?? '')).toMatchObject({ user: BO })
  expect(JSON.stringify([token, removed, set])).not.toContain('secret')
})

test('a quota that no number holds is refused', () => {
  const quota = 1e30
  expect(() => library.run('addUser', OPERATOR, { email: 'new@example.org', quota })).toThrow('at most')
  expect(() => library.run('changeUser', OPERATOR, { pk: bo.user, quota })).toThrow('at most')
})

describe('keys', () => {
  test('are listed, added and revoked: the others stay good', () => {
    const robot = addAccount('one')
    const more = { email: 'robot@example.org', kid: 'two', publicKey: 'PEM', mayImpersonate: false }
    library.run('addKey', OPERATOR, more)
    library.run('changeKey', OPERATOR, { kid: 'two', name: 'laptop' })
    expect(pageOfKeys(library.db, FIRST_PAGE).items).toMatchObject([
      { kid: 'one', email: 'robot@example.org', may_impersonate: 1 },
      { kid: 'two', name: 'laptop', may_impersonate: 0 },
    ])
    begin('by-one', robot, keySource('one'))
    begin('by-two', robot, keySource('two'))
    library.run('removeKey', OPERATOR, { kid: 'one' })
    expect([left('by-one'), left('by-two')]).toEqual([NONE, ALL])
    expect(pageOfKeys(library.db, FIRST_PAGE).items).toMatchObject([{ kid: 'two' }])
    expect(listAccounts(library.db)).toMatchObject([{ email: 'robot@example.org', keys: 1 }])
    expect(() => library.run('removeKey', OPERATOR, { kid: 'one' })).toThrow('not found')
    expect(() => library.run('addKey', OPERATOR, { ...more, email: ADA })).toThrow('not found')
  })

  test('are rotated: another of the same rights, and the old one ends', () => {
    const robot = addAccount('old')
    begin('by-old', robot, keySource('old'))
    library.run('rotateKey', OPERATOR, { kid: 'old', next: { kid: 'new', publicKey: 'PEM' } })
    expect(left('by-old')).toEqual(NONE)
    expect(findAccountKey(library.db, 'old')).toBeUndefined()
    expect(findAccountKey(library.db, 'new')).toMatchObject({ mayImpersonate: true, user: robot.user })
  })

  test('are rotated with their name', () => {
    addAccount('old')
    const rotate = (kid: string, next: string) =>
      library.run('rotateKey', OPERATOR, { kid, next: { kid: next, publicKey: 'PEM' } })
    expect(rotate('old', 'new')).toMatchObject({ kid: 'new', name: null })
    library.run('changeKey', OPERATOR, { kid: 'new', name: 'laptop' })
    expect(rotate('new', 'newest')).toMatchObject({ kid: 'newest', name: 'laptop' })
    expect(pageOfKeys(library.db, FIRST_PAGE).items).toMatchObject([{ kid: 'newest', name: 'laptop' }])
  })

  test('go with their account, and with its program', () => {
    addAccount('k')
    library.run('removeAccount', OPERATOR, { email: 'robot@example.org' })
    expect([pageOfKeys(library.db, FIRST_PAGE).items, listAccounts(library.db)]).toEqual([[], []])
    expect(findClient(library.db, 'robot@example.org')).toBeUndefined()
    expectSound()
  })
})

describe('a user who is removed', () => {
  test('keeps files from being lost by it', () => {
    insert(ada)
    expect(() => library.run('removeUser', OPERATOR, { email: ADA })).toThrow('owns files or folders (1)')
    expect(findUser(library.db, ADA)).toBeDefined()
  })

  test('leaves files to another, as they were shared', () => {
    library.run('addUser', OPERATOR, { email: 'cy@example.org' })
    const folder = insert(ada, 'root', FOLDER_MIME)
    const [inside, top] = [insert(ada, folder), insert(ada)]
    share(folder, 'cy@example.org', 'writer')
    share(top, BO, 'reader')
    library.run('removeUser', OPERATOR, { email: ADA, heir: BO })
    expect([folder, inside, top].map(ownerOf)).toEqual([BO, BO, BO])
    const cy = { ...bo, user: findUser(library.db, 'cy@example.org')?.pk ?? 0 }
    expect([roleOf(cy, inside), roleOf(bo, inside), roleOf(ada, inside)]).toEqual([
      'writer',
      'owner',
      undefined,
    ])
    expect(findView(library.db, bo, top)?.parents).toMatchObject([{ isRoot: true }])
    expectSound()
  })

  test('takes files along that nobody is to have, and not those of others in them', () => {
    const folder = insert(ada, 'root', FOLDER_MIME)
    share(folder, BO, 'writer')
    const [mine, others] = [insert(ada, folder), insert(bo, folder)]
    library.run('removeUser', OPERATOR, { email: ADA, withFiles: true })
    expect([ownerOf(mine), ownerOf(others)]).toEqual([undefined, BO])
    expect(findView(library.db, bo, others)?.parents).toMatchObject([{ isRoot: true }])
    expectSound()
  })

  test('has no right, no token and nothing begun left; the address may come again without them', () => {
    const file = insert(ada)
    share(file, BO, 'writer')
    const name = { group: GROUP, members: [BO] }
    library.run('addGroup', OPERATOR, { email: GROUP })
    library.run('addMembers', OPERATOR, name)
    begin('of-bo', bo)
    library.run('removeUser', OPERATOR, { email: BO })
    expect(left('of-bo')).toEqual(NONE)
    const { pk } = library.run('addUser', OPERATOR, { email: BO })
    const again = { ...bo, user: pk }
    expect(roleOf(again, file)).toBeUndefined()
    share(file, GROUP, 'reader', 'group')
    expect(roleOf(again, file)).toBeUndefined()
    expectSound()
  })

  test('leaves no shared drive without an organizer', () => {
    const { id } = library.run('insertDrive', bo, { request: 'r', body: { name: 'd' } })
    expect(() => library.run('removeUser', OPERATOR, { email: BO })).toThrow('is the only organizer of 1')
    library.run('removeUser', OPERATOR, { email: BO, heir: ADA })
    expect(roleOf(ada, id)).toBe('organizer')
    expectSound()
  })
})

describe('another name', () => {
  test('of a user is shown, under another etag', () => {
    const file = insert(ada)
    share(file, BO)
    const before = findView(library.db, bo, file)
    library.run('changeUser', OPERATOR, { pk: ada.user, name: 'Ada' })
    // as in the service, whose reading connection is not the writer's
    forgetUsers(library.db)
    const after = findView(library.db, bo, file)
    expect([before?.owner?.name, after?.owner?.name]).toEqual(['ada', 'Ada'])
    expect(after?.etag).not.toBe(before?.etag)
  })

  test('of a person, in the answers of changes at once', () => {
    const file = insert(ada)
    const ownerOfTrashed = () => library.run('trashFile', ada, { id: file }).owner?.name
    ownerOfTrashed()
    library.run('changeUser', OPERATOR, { pk: ada.user, name: 'Ada L.' })
    expect(ownerOfTrashed()).toBe('Ada L.')
    library.run('changeUser', OPERATOR, { pk: ada.user, name: 'Ada' })
    expect(ownerOfTrashed()).toBe('Ada')
  })

  test('of a group and of a label', () => {
    library.run('addGroup', OPERATOR, { email: GROUP })
    expect(library.run('changeGroup', OPERATOR, { group: GROUP, name: 'Typers' }).name).toBe('Typers')
    const file = insert(ada)
    library.run('putLabel', OPERATOR, { id: 'old', fields: '[{"id":"by","valueType":"text"}]' })
    library.run('putLabel', OPERATOR, { id: 'other', fields: '[]' })
    library.run('modifyLabels', ada, { id: file, modifications: [{ labelId: 'old' }] })
    expect(() => library.run('putLabel', OPERATOR, { id: 'old', rename: 'other' })).toThrow('already')
    library.run('putLabel', OPERATOR, { id: 'old', rename: 'new' })
    expect(labels(file)).toEqual(['new'])
    expect(listDefinitions(library.db)).toMatchObject([
      { id: 'new', fields: [{ id: 'by' }] },
      { id: 'other' },
    ])
  })
})

const labels = (id: string) =>
  listLabels(library.db, ada, { id, most: 100, after: 0 }).items.map((label) => label.id)

describe('a group', () => {
  const sees = (id: string) => roleOf(bo, id)

  test('that is disabled gives nothing, and gives it again', () => {
    const file = insert(ada)
    library.run('addGroup', OPERATOR, { email: GROUP })
    library.run('addMembers', OPERATOR, { group: GROUP, members: [BO] })
    share(file, GROUP, 'writer', 'group')
    library.run('changeGroup', OPERATOR, { group: GROUP, isDisabled: true })
    expect(sees(file)).toBeUndefined()
    expect(library.run('addMembers', OPERATOR, { group: GROUP, members: [BO, ADA] }).members).toBe(2)
    expect(sees(file)).toBeUndefined()
    library.run('changeGroup', OPERATOR, { group: GROUP, isDisabled: false })
    expect(sees(file)).toBe('writer')
    expectSound()
  })

  test('that is removed gives nothing, nor does one of the same address', () => {
    const file = insert(ada)
    library.run('addGroup', OPERATOR, { email: GROUP })
    library.run('addMembers', OPERATOR, { group: GROUP, members: [BO] })
    share(file, GROUP, 'writer', 'group')
    library.run('removeGroup', OPERATOR, { group: GROUP })
    expect(sees(file)).toBeUndefined()
    library.run('addGroup', OPERATOR, { email: GROUP })
    library.run('addMembers', OPERATOR, { group: GROUP, members: [BO] })
    expect(sees(file)).toBeUndefined()
    expectSound()
  })
})

describe('a program that is removed', () => {
  test('leaves files, which are not those of the next program', () => {
    const confined: Caller = { ...bo, scopes: ['drive.file'] }
    const file = insert(confined)
    library.run('putProperty', confined, { id: file, key: 'k', value: 'v', visibility: 'PRIVATE' })
    library.run('removeClient', OPERATOR, { id: 'other' })
    const { pk } = library.run('addClient', OPERATOR, { id: 'next' })
    expect(pk).toBe(bo.client)
    const change = { id: file, body: { title: 'b' }, behavior: 'now', isViewed: false } as const
    expect(() => library.run('updateFile', { ...confined, client: pk }, change)).toThrow('has not granted')
    expect(library.db.all('SELECT 1 FROM properties')).toEqual([])
    expect(() => library.run('removeClient', OPERATOR, { id: 'hla' })).toThrow('while it is used')
    expectSound()
  })
})

describe('a label', () => {
  test('that is disabled is shown, and put on no file; that is removed is on none', () => {
    const [file, other] = [insert(ada), insert(ada)]
    const put = (id: string) =>
      library.run('modifyLabels', ada, { id, modifications: [{ labelId: 'checked' }] })
    library.run('putLabel', OPERATOR, { id: 'checked' })
    put(file)
    library.run('putLabel', OPERATOR, { id: 'checked', isDisabled: true })
    expect(labels(file)).toEqual(['checked'])
    expect(() => put(other)).toThrow('is disabled')
    library.run('putLabel', OPERATOR, { id: 'checked', isDisabled: false })
    put(other)
    library.run('removeLabel', OPERATOR, { id: 'checked' })
    expect([labels(file), labels(other)]).toEqual([[], []])
    expectSound()
  })
})
