/**
 * The freeze of the store: a day of requests over all its operations, by several users, with answers and visible
 * effects.
 */
import { beforeAll, expect, test } from 'vitest'
import { type Hooks, startHooks } from '../support/hooks.ts'
import type { FrozenRecord } from './faces.ts'
import { changesOf, frozenText } from './frozen.ts'
import { type Day, openDay, scriptSteps } from './store-day.ts'

interface Operation {
  readonly id: string
  readonly httpMethod: string
  readonly path: string
}

let hooks: Hooks
let day: Day
let operations: Operation[]

beforeAll(async () => {
  hooks = await startHooks()
  day = await openDay(hooks)
  const { json } = await day.drive.ask('GET', '/discovery/v1/apis/drive/v2/rest')
  operations = operationsIn(json)
})

function operationsIn(node: {
  methods?: Record<string, Operation>
  resources?: Record<string, Parameters<typeof operationsIn>[0]>
}): Operation[] {
  const below = Object.values(node.resources ?? {}).flatMap(operationsIn)
  return [...Object.values(node.methods ?? {}), ...below]
}

/** Values of the path parameters, at the end of the day. */
const PARTS: Readonly<Record<string, string>> = {
  fileId: '$report', folderId: '$ann.root', childId: '$report', parentId: '$ann.root', permissionId: '$bob.id',
  driveId: '$kept', commentId: '$comment', replyId: '$reply', revisionId: '$revision', propertyKey: 'sample',
  changeId: '$change', appId: 'nothing', email: 'nothing',
} // prettier-ignore

test('the day', async () => {
  const records: FrozenRecord[] = []
  for (const step of scriptSteps()) records.push(await day.ask(step))
  // each operation is refused to a user without access, and for a missing resource
  for (const { id, httpMethod, path } of operations) {
    const filled = day.fill(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARTS[name] ?? name))
    const body = httpMethod === 'GET' || httpMethod === 'DELETE' ? undefined : '{}'
    const nowhere = path.replaceAll(/\{\w+\}/g, 'nothing')
    const lines = []
    for (const who of ['guest', 'bad', 'ann-meet', 'eve'])
      lines.push(await day.outcome(who, httpMethod, filled, body))
    if (nowhere !== path)
      lines.push(`where there is nothing: ${await day.outcome('ann', httpMethod, nowhere, body)}`)
    records.push({ name: `refused: ${id}`, lines })
  }
  expect(changesOf('store.txt', frozenText(records))).toEqual([])
})

test('each operation of the discovery document was answered and was refused', () => {
  const without = (isThat: (status: number) => boolean) =>
    operations
      .filter((one) => !day.asked.some((asked) => isThat(asked.status) && isOf(asked, one)))
      .map(({ id }) => id)
  expect(operations).toHaveLength(69)
  expect(without((status) => status < 300)).toEqual([])
  expect(without((status) => status >= 400)).toEqual([])
})

function isOf(
  asked: { readonly method: string; readonly path: string },
  { httpMethod, path }: Operation,
): boolean {
  if (asked.method !== httpMethod) return false
  const own = operations.find(
    (one) => one.httpMethod === httpMethod && `/drive/v2/${one.path}` === asked.path,
  )
  if (own !== undefined) return own.path === path
  return new RegExp(`^(?:/upload)?/drive/v2/${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked.path)
}
