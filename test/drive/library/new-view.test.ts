import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { findView, type FileView } from '../../../src/drive/domain/items/file-view.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { type CommandGroup, commandGroup } from '../../../src/drive/persistence/writer/command-group.ts'
import type { CommandRequest } from '../../../src/drive/persistence/database/database.ts'
import type { Connection } from '../../../src/drive/persistence/database/connection.ts'
import { openForWriting } from '../../../src/drive/persistence/database/open-database.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { tempFolder } from '../../support/temp.ts'
import { rounds } from '../../support/rounds.ts'

const temp = tempFolder()
let connection: Connection
let group: CommandGroup
let [ada, bo]: Caller[] = []

beforeAll(async () => {
  connection = await openForWriting(temp('store.db'))
  group = commandGroup(connection, COMMANDS)
  ;[ada, bo] = ['ada@example.org', 'bo@example.org'].map((email) => {
    const user = run({ command: 'addUser', caller: OPERATOR, input: { email } }) as { pk: number }
    return { user: user.pk, client: 0, scopes: ['drive'] } satisfies Caller
  })
})

afterAll(() => connection.close())

/** Runs a command in the open group, or starts one. */
function run(asked: CommandRequest): unknown {
  group.run(asked)
  const answer = group.answers().at(-1)
  if (answer === undefined || 'error' in answer) throw answer?.error
  return answer.result
}

function insert(caller: Caller | undefined, body: object): FileView {
  // the result type of insertFile
  return run({ command: 'insertFile', caller: caller ?? OPERATOR, input: { body } }) as FileView
}

/** The file as the database has it. */
function found(caller: Caller | undefined, { row }: FileView): FileView | undefined {
  return findView(connection, caller ?? OPERATOR, row.id)
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const bodies = fc.record({
  title: optional(fc.constantFrom('a.csv', 'b.tar.gz', 'c', 'Ä.TXT')),
  mimeType: optional(fc.constantFrom('text/csv', FOLDER_MIME)),
  description: optional(fc.constantFrom('', 'typed anew')),
  labels: optional(fc.record({ starred: optional(fc.boolean()), restricted: optional(fc.boolean()) })),
  properties: optional(fc.constantFrom([], [{ key: 'k', value: 'v', visibility: 'PUBLIC' as const }])),
  lastViewedByMeDate: optional(fc.constant(1000)),
  createdDate: optional(fc.constant(2000)),
  writersCanShare: optional(fc.boolean()),
  contentRestrictions: optional(fc.constant([{ readOnly: true, reason: 'done' }])),
})

describe('insertFile', () => {
  test('answers what is read back', () => {
    const [, shared] = [insert(ada, {}), insert(ada, { title: 'shared', mimeType: FOLDER_MIME }).row.id]
    run({
      command: 'insertPermission',
      caller: ada ?? OPERATOR,
      input: { id: shared, body: { role: 'writer', type: 'user', value: 'bo@example.org' } },
    })
    const parents = fc.constantFrom(undefined, [], [{ id: 'root' }], [{ id: shared }])
    fc.assert(
      fc.property(bodies, parents, fc.boolean(), fc.boolean(), (body, named, isBo, ends) => {
        const caller = isBo ? bo : ada
        const view = insert(caller, defined({ ...body, parents: named }))
        expect(found(caller, view)).toEqual(view)
        if (ends) expect(group.commit()).toBeUndefined()
      }),
      { numRuns: rounds(500) },
    )
  })

  test('finds what another command did to the folder in the same group', () => {
    expect(insert(ada, {}).row.trashed).toBe(0)
    run({ command: 'addGroup', caller: OPERATOR, input: { email: 'all@example.org' } })
    run({
      command: 'addMembers',
      caller: OPERATOR,
      input: { group: 'all@example.org', members: ['bo@example.org'] },
    })
    const view = insert(ada, {})
    expect(found(ada, view)).toEqual(view)
  })
})

const uploads = fc.record({
  contentType: optional(fc.constantFrom('text/csv', 'application/octet-stream')),
  name: optional(fc.constantFrom('sent.csv', 'sent')),
  indexesContent: optional(fc.boolean()),
  isPinned: optional(fc.boolean()),
})

describe('storeUpload', () => {
  test('answers what is read back, and its words are found where it is text', () => {
    const files = bodies.filter(({ mimeType }) => mimeType !== FOLDER_MIME)
    let count = 0
    fc.assert(
      fc.property(files, uploads, fc.constantFrom('', 'words ', '\0'), (body, upload, before) => {
        const word = `word${(count += 1)}`
        const text = before === '' ? '' : `${before}${word}`
        const file = defined({ ...upload, body: defined(body) })
        const input = { target: { kind: 'insert', file }, staged: stagedBytes(Buffer.from(text)) }
        // the result type of storeUpload
        const view = run({ command: 'storeUpload', caller: ada ?? OPERATOR, input }) as FileView
        expect(found(ada, view)).toEqual(view)
        const isText = upload.indexesContent === true || view.row.mime === 'text/csv'
        expect(withWord(word)).toEqual(isText && text !== '' ? [view.row.pk] : [])
        const copied = copyOf(view)
        expect([copied.head?.sha256, contentOf(copied)]).toEqual([view.head?.sha256, contentOf(view)])
        expect(withWord(word)).toEqual(isText && text !== '' ? [view.row.pk, copied.row.pk] : [])
      }),
      { numRuns: rounds(300) },
    )
  })
})

/** The object without its undefined members. */
function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function withWord(word: string): number[] {
  const sql = 'SELECT rowid AS pk FROM words WHERE words MATCH ? ORDER BY rowid'
  return connection.all<{ pk: number }>(sql, word).map(({ pk }) => pk)
}

function copyOf({ row: { id } }: FileView): FileView {
  // the result type of copyFile
  return run({ command: 'copyFile', caller: ada ?? OPERATOR, input: { id, body: {} } }) as FileView
}

/** Key of the file's content. */
function contentOf({ row: { head } }: FileView): unknown {
  return connection.get('SELECT blob FROM revisions WHERE pk = ?', head)
}
