import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS, OPERATOR } from '../../../src/storage/library/commands.ts'
import { findView, type FileView } from '../../../src/storage/library/file-view.ts'
import type { FileBody } from '../../../src/storage/model/bodies.ts'
import type { Caller } from '../../../src/storage/model/caller.ts'
import { FOLDER_MIME } from '../../../src/storage/model/kinds.ts'
import { type CommandGroup, commandGroup } from '../../../src/storage/store/command-group.ts'
import type { Asked } from '../../../src/storage/store/command.ts'
import type { Connection } from '../../../src/storage/store/connection.ts'
import { openForWriting } from '../../../src/storage/store/open-database.ts'
import { tempFolder } from '../../support/temp.ts'

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

/** In the group that is open, or in one that it begins. */
function run(asked: Asked): unknown {
  group.run(asked)
  const answer = group.answers().at(-1)
  if (answer === undefined || 'error' in answer) throw answer?.error
  return answer.result
}

function insert(caller: Caller | undefined, body: FileBody): FileView {
  // what insertFile returns
  return run({ command: 'insertFile', caller: caller ?? OPERATOR, input: { body } }) as FileView
}

/** As it is read back. */
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
        const given = Object.fromEntries(
          Object.entries({ ...body, parents: named }).filter(([, value]) => value !== undefined),
        )
        const view = insert(caller, given)
        expect(found(caller, view)).toEqual(view)
        if (ends) expect(group.commit()).toBeUndefined()
      }),
      { numRuns: 500 },
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
