/** The loop that runs the rules of a store in this process: which runs when, on a clock of the test. */
import { syncBuiltinESMExports } from 'node:module'
import type { TimerOptions } from 'node:timers'
import promises from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Caller, StorageFailure } from '../../src/drive/contract/failure.ts'
import { COMMANDS, command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { findRule, type RuleTerms } from '../../src/drive/domain/rules/rule-rows.ts'
import type { Transaction } from '../../src/drive/persistence/database/database.ts'
import type { Store } from '../../src/drive/persistence/store.ts'
import type { RuleThread } from '../../src/drive/rules/rule-thread.ts'
import { type RuleRunner, runRules } from '../../src/drive/rules/run-rules.ts'
import { HlaError } from '../../src/errors.ts'
import { openTestStore } from '../support/store.ts'
import { tempFolder } from '../support/temp.ts'

const FOLDER = 'application/vnd.google-apps.folder'
const temp = tempFolder()
const sql = (tx: Transaction, _caller: Caller, text: string) => tx.run(text)
let stores = 0
let store: Store
let ada: Caller
/** What the loop has asked for: rules that are noted or ended, and threads. */
let order: string[]
let warnings: string[]
let runner: RuleRunner | undefined
/** Title of a folder -> id of its rule. */
let ids: Record<string, string>

function pause(ms?: number, value?: unknown, { signal }: TimerOptions = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error('the pause is over'))
    signal?.addEventListener('abort', end)
    setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve(value)
    }, ms)
  })
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  // the pauses of the loop are on the same clock, for modules that have imported them by name, too
  vi.spyOn(promises, 'setTimeout').mockImplementation(pause)
  syncBuiltinESMExports()
  store = await openTestStore(temp(`store-${(stores += 1)}`), { writer: { ...COMMANDS, sql } })
  await command(store, 'setUp', OPERATOR, { email: 'ada@lab.example', digest: 'd' })
  const user = store.read.get<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)?.pk ?? 0
  ada = { user, client: 1, scopes: ['drive'] }
  ;[order, warnings, runner, ids] = [[], [], undefined, {}]
})
afterEach(async () => {
  await runner?.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await store.close()
})

const add = async (title: string, parent?: string, mimeType?: string): Promise<string> => {
  const parents = parent === undefined ? {} : { parents: [{ id: parent }] }
  const type = mimeType === undefined ? {} : { mimeType }
  return (await command(store, 'insertFile', ada, { body: { title, ...type, ...parents } })).row.id
}
const folder = (title: string, parent?: string) => add(title, parent, FOLDER)

async function rule(folderId: string, name: string, more: Partial<RuleTerms> = {}): Promise<string> {
  const terms = { method: 'lgx', release: 'starter', match: undefined, withSubfolders: false, ...more }
  const added = { folder: folderId, target: undefined, terms, includesExisting: true }
  const { id } = await command(store, 'addRule', ada, added)
  ids[name] = id
  return id
}
const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? id
const troubleOf = (name: string) => findRule(store.read, ids[name] ?? '')?.progress.trouble

interface Held {
  /** Called for each command of the loop. */
  readonly writing?: (name: string) => void
  readonly thread?: Partial<RuleThread>
  readonly read?: Store['read']
}

function run({ writing, thread, read = store.read }: Held = {}): void {
  const watched: Store = {
    ...store,
    read,
    async write<Result>(...asked: Parameters<Store['write']>) {
      writing?.(asked[0])
      const result = await store.write<Result>(...asked)
      const { id, reason } = asked[2] as { readonly id: string; readonly reason?: string }
      if (asked[0] === 'noteRule') order.push(nameOf(id))
      if (asked[0] === 'endRule') order.push(`${nameOf(id)} ends: ${reason}`)
      return result
    },
  }
  runner = runRules(watched, {
    maxUpload: 1_000_000,
    accesses: { note: () => undefined },
    warn: (text) => warnings.push(text),
    openThread: (patience) => {
      threads.push(patience)
      return {
        convert: () => Promise.reject(new Error('there is no table')),
        close: () => Promise.resolve(),
        ...thread,
      }
    },
  })
}
let threads: number[] = []
beforeEach(() => void (threads = []))

/** Lets the loop go on for so many ms, half a second at a time. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 500))
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  }
}

test('each rule runs at the start, and again where its folder changes', async () => {
  const [a, b] = [await folder('a'), await folder('b')]
  await rule(a, 'A')
  await rule(b, 'B')
  run()
  await pass(1000)
  expect(order).toEqual(['A', 'B'])
  await add('x', b)
  await pass(1000)
  expect(order).toEqual(['A', 'B', 'B'])
  await add('y', a)
  await pass(1000)
  expect(order).toEqual(['A', 'B', 'B', 'A'])
  await pass(120_000)
  expect(order).toEqual(['A', 'B', 'B', 'A'])
  expect(threads).toEqual([600_000, 600_000, 600_000, 600_000])
  expect(warnings).toEqual([])
})

test('the only rule, made later, runs again with each change', async () => {
  const a = await folder('a')
  run()
  await pass(1000)
  await rule(a, 'A')
  await pass(1000)
  expect(order).toEqual(['A'])
  await add('x', a)
  await pass(500)
  expect(order).toEqual(['A', 'A'])
})

test('a rule of too many folders waits, is told so once, and is tried each minute', async () => {
  const [a, b] = [await folder('a'), await folder('b')]
  await folder('one', b)
  await folder('two', b)
  await rule(a, 'A')
  await rule(b, 'B', { withSubfolders: true, method: 'G' })
  await command(store, 'setLimit', OPERATOR, { name: 'rule-folders', value: 1 })
  run()
  await pass(59_000)
  expect([order, troubleOf('B')]).toEqual([['A', 'B'], 'there are more than 1 folders below'])
  await pass(2000)
  expect([order, threads.length]).toEqual([['A', 'B'], 1])
  await command(store, 'setLimit', OPERATOR, { name: 'rule-folders', value: 2 })
  await pass(57_000)
  expect(order).toEqual(['A', 'B'])
  await pass(3000)
  expect([order, troubleOf('B')]).toEqual([['A', 'B', 'B'], undefined])
})

test('of two rules that write the same files the older one runs', async () => {
  const [a, other] = [await folder('a'), await folder('other')]
  await rule(a, 'A', { withSubfolders: true })
  await rule(other, 'B')
  await command(store, 'updateFile', ada, { id: other, body: {}, add: [a], behavior: 'now', isViewed: false })
  run()
  await pass(1000)
  expect(troubleOf('A')).toBeUndefined()
  expect(troubleOf('B')).toBe(
    `an older rule, ${ids['A']}, writes files with the same names from the same tables`,
  )
})

test('a rule whose maker has left ends, and the others go on', async () => {
  const [a, b] = [await folder('a'), await folder('b')]
  await rule(a, 'A')
  await rule(b, 'B')
  await store.write(
    'sql',
    OPERATOR,
    `DELETE FROM parents WHERE child = (SELECT pk FROM files WHERE title = 'a')`,
  )
  await store.write('sql', OPERATOR, `UPDATE rules SET folder = 0 WHERE id = '${ids['A']}'`)
  run()
  await pass(1000)
  expect(order).toEqual(['A ends: its owner may no longer write to the folder', 'B'])
})

test('what cannot be read is told, and read again after a minute', async () => {
  const fails = { now: true }
  const read = new Proxy(store.read, {
    get(target, name) {
      if (name === 'all' && fails.now) throw new Error('disk I/O error')
      return Reflect.get(target, name) as unknown
    },
  })
  await rule(await folder('a'), 'A')
  run({ read })
  await pass(59_500)
  expect(warnings).toEqual(['rules: disk I/O error'])
  await pass(1000)
  expect(warnings).toEqual(['rules: disk I/O error', 'rules: disk I/O error'])
  fails.now = false
  await pass(61_000)
  expect([order, warnings.length]).toEqual([['A'], 2])
})

test('a note that cannot be written is told', async () => {
  const b = await folder('b')
  await folder('one', b)
  await folder('two', b)
  await rule(b, 'B', { withSubfolders: true })
  await command(store, 'setLimit', OPERATOR, { name: 'rule-folders', value: 1 })
  run({
    writing: () => {
      throw new Error('disk I/O error')
    },
  })
  await pass(1000)
  expect(warnings).toEqual(['rules: disk I/O error'])
})

describe('a table that is being converted', () => {
  /** A document of the store in a folder with a rule for all files. */
  async function table(name: string): Promise<void> {
    const id = await folder(name)
    await rule(id, name, { match: '*' })
    await add(`${name}.csv`, id)
    const mime = `UPDATE files SET mime = 'application/vnd.google-apps.spreadsheet' WHERE title = '${name}.csv'`
    await store.write('sql', OPERATOR, mime)
  }

  test('without the data that it needs its rule waits, and says so', async () => {
    await table('A')
    let isThere = false
    const convert = () => {
      if (isThere) return Promise.resolve({ kind: 'no-typings' as const })
      return Promise.reject(new HlaError('no-data', 'there is no release', { hint: 'install one' }))
    }
    run({ thread: { convert } })
    await expect.poll(() => troubleOf('A')).toBe('there is no release (install one)')
    isThere = true
    await pass(59_500)
    expect(order).toEqual(['A'])
    await pass(1000)
    await expect.poll(() => [order, troubleOf('A'), warnings]).toEqual([['A', 'A'], undefined, []])
  })

  test('fails when its conversion breaks, which is told', async () => {
    await table('A')
    run()
    await expect.poll(() => findRule(store.read, ids['A'] ?? '')?.progress.failed).toBe(1)
    expect(warnings).toEqual([`rule ${ids['A']}: there is no table`])
    expect(store.read.all('SELECT content FROM comments')).toEqual([
      {
        content: expect.stringMatching(
          /^hla could not convert this table: there is no table \[io\]\n/,
        ) as string,
      },
    ])
  })

  test('whose answer the store refuses waits, and its rule says why', async () => {
    await table('A')
    run({
      writing: (name) => {
        if (name === 'settleTable') throw new StorageFailure(403, 'x', 'There is no room. Or time.')
      },
    })
    await expect.poll(() => troubleOf('A')).toBe('the store says: There is no room. Or time')
    expect(warnings).toEqual([`rule ${ids['A']}: there is no table`])
    await pass(29_500)
    expect(order).toEqual(['A'])
    await pass(1000)
    await expect.poll(() => order).toEqual(['A', 'A'])
  })

  /** A thread whose work ends when it is closed. */
  function endless() {
    const state = { begun: 0, closed: 0 }
    let end: (error: Error) => void = () => undefined
    const convert = () => {
      state.begun += 1
      return new Promise<never>((_, reject) => (end = reject))
    }
    const close = () => {
      state.closed += 1
      end(new Error('the thread was closed'))
      return Promise.resolve()
    }
    return { state, thread: { convert, close } }
  }

  test('is given up when the service ends, without a word, and comes up at the next start', async () => {
    await table('A')
    const { state, thread } = endless()
    run({ thread })
    await expect.poll(() => state.begun).toBe(1)
    await runner?.stop()
    expect([order, troubleOf('A'), warnings]).toEqual([[], undefined, []])
    const next = endless()
    run(next)
    await expect.poll(() => next.state.begun).toBe(1)
  })

  test('is given up within a second when its rule is removed, and the others go on', async () => {
    await table('A')
    await rule(await folder('b'), 'B')
    const { state, thread } = endless()
    run({ thread })
    await expect.poll(() => state.begun).toBe(1)
    await pass(5000)
    expect([state.closed, order]).toEqual([0, []])
    await command(store, 'removeRule', ada, { id: ids['A'] ?? '' })
    await pass(1500)
    await expect.poll(() => [order, warnings]).toEqual([['B'], []])
  })
})

test('a rule gets its thread when the one before has ended', async () => {
  await rule(await folder('a'), 'A')
  await rule(await folder('b'), 'B')
  const gate: { open?: () => void } = {}
  const isOpen = new Promise<void>((resolve) => (gate.open = resolve))
  run({ thread: { close: () => isOpen } })
  await pass(1000)
  expect([order, threads.length]).toEqual([['A'], 1])
  gate.open?.()
  await pass(1000)
  expect([order, threads.length]).toEqual([['A', 'B'], 2])
})
