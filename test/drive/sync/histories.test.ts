/**
 * Random histories of two machines and a store: edits, moves and removals on both, items in several folders, syncs one
 * after the other, at once and killed, and a store that goes back to a snapshot. At the end both have the same, or the
 * difference is named; and no content is gone that no user has removed or replaced.
 */
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Machine,
  type RestorableStore,
  makeMachine,
  readFiles,
  startRestorable,
} from '../../support/machine.ts'
import { IS_LONG } from '../../support/rounds.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let store: RestorableStore
beforeAll(async () => {
  store = await startRestorable(temp('store'))
})
afterAll(() => store.stop())

type Next = (below: number) => number

/** A generator that repeats its numbers in each run. */
function numbers(seed: number): Next {
  let state = (seed * 2_654_435_761) >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * below)
  }
}

const PATHS = ['a', 'b', 'p/a', 'p/b', 'p/d/a', 'p/d/c', 'q/a', 'q/c', 'r/b']
const FOLDERS = ['p', 'p/d', 'q', 'r', 's']

/** Where a content was seen, and where a user has removed it. */
interface Content {
  readonly seen: Set<string>
  readonly removed: Set<string>
  isReplaced: boolean
}

interface History {
  readonly folder: string
  readonly next: Next
  readonly machines: readonly Machine[]
  readonly contents: Map<string, Content>
  /** What was done, for a message. */
  readonly done: string[]
}

function contentOf({ contents }: History, text: string): Content {
  const known = contents.get(text) ?? { seen: new Set(), removed: new Set(), isReplaced: false }
  contents.set(text, known)
  return known
}

function note(history: History, { root }: Machine): void {
  for (const [path, text] of Object.entries(readFiles(root)))
    if (!basename(path).startsWith('.hla-sync-')) contentOf(history, text).seen.add(path)
}

function removed(history: History, { root }: Machine, path: string): void {
  for (const [found, text] of Object.entries(readFiles(root)))
    if (found === path || found.startsWith(`${path}/`)) contentOf(history, text).removed.add(found)
}

function edit(history: History, machine: Machine, path: string): void {
  const file = join(machine.root, path)
  if (isFolder(file) || !canHold(machine, path)) return
  const before = readFiles(machine.root)[path]
  // another path with this content is the same file of the store, or a copy that a conflict has made
  if (before !== undefined) contentOf(history, before).isReplaced = true
  mkdirSync(dirname(file), { recursive: true })
  const text = `${history.contents.size} ${path} of ${basename(machine.root)}`
  writeFileSync(file, text)
  contentOf(history, text)
  note(history, machine)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** False if a folder of the path is a file. */
function canHold({ root }: Machine, path: string): boolean {
  const folder = dirname(path)
  return (
    folder === '.' ||
    ((isFolder(join(root, folder)) || !existsSync(join(root, folder))) &&
      canHold({ root } as Machine, folder))
  )
}

function remove(history: History, machine: Machine, path: string): void {
  removed(history, machine, path)
  rmSync(join(machine.root, path), { recursive: true, force: true })
}

function move(history: History, machine: Machine, from: string, to: string): void {
  const [source, target] = [join(machine.root, from), join(machine.root, to)]
  if (!existsSync(source) || existsSync(target) || `${to}/`.startsWith(`${from}/`) || !canHold(machine, to))
    return
  removed(history, machine, from)
  mkdirSync(dirname(target), { recursive: true })
  renameSync(source, target)
  note(history, machine)
}

const syncing = ({ folder }: History, { root }: Machine) => ['sync', '-q', '--delete-all', root, `/${folder}`]

async function sync(history: History, machine: Machine, run = machine.hla) {
  const ran = await run(...syncing(history, machine))
  if (ran.status > 1 || ran.stderr.includes('internal error')) throw new Error(`${ran.status}: ${ran.stderr}`)
  note(history, machine)
  return ran
}

async function killedSync(history: History, machine: Machine): Promise<void> {
  const child = machine.begin(...syncing(history, machine))
  const ended = once(child, 'exit')
  await Promise.race([ended, once(child.stdout ?? child, 'data').then(() => pause(history.next(30)))])
  child.kill('SIGKILL')
  await ended
  note(history, machine)
}

/** Puts a file or a folder of the store into another folder, too. */
async function link({ folder, next }: History): Promise<void> {
  const ask = store.drive().ask
  const items = async (q: string) =>
    (await ask('GET', '/drive/v2/files', { query: { q: `${q} and trashed = false`, maxResults: 1000 } })).json
      .items as { id: string; title: string; mimeType: string; parents: { id: string }[] }[]
  const [top] = await items(`title = '${folder}'`)
  if (top === undefined) return
  const found = [top]
  for (const item of found)
    if (item.mimeType.endsWith('.folder') && found.length < 50)
      found.push(...(await items(`'${item.id}' in parents`)))
  const folders = found.filter(({ mimeType }) => mimeType.endsWith('.folder'))
  const [item, to] = [found[next(found.length)], folders[next(folders.length)]]
  if (item === undefined || to === undefined || item === top) return
  // refused for a folder within itself
  await ask('POST', `/drive/v2/files/${item.id}/parents`, { body: { id: to.id } })
}

async function step(history: History): Promise<void> {
  const { next, machines, done } = history
  const machine = machines[next(2)] as Machine
  const any = () => PATHS[next(PATHS.length)] ?? ''
  const folder = () => FOLDERS[next(FOLDERS.length)] ?? ''
  const what = next(20)
  const begun = done.length
  const say = (text: string) => done.push(`${basename(machine.root)} ${text}`)
  if (what < 6) {
    const path = any()
    say(`edit ${path}`)
    edit(history, machine, path)
  } else if (what < 8) {
    const path = next(3) === 0 ? folder() : any()
    say(`remove ${path}`)
    remove(history, machine, path)
  } else if (what < 11) {
    const [from, to] = next(2) === 0 ? [folder(), folder()] : [any(), any()]
    say(`move ${from} ${to}`)
    move(history, machine, from, to)
  } else if (what < 13) {
    done.push('link')
    await link(history)
  } else if (what < 16) {
    say('sync')
    await sync(history, machine)
  } else if (what === 16) {
    say('killed sync')
    await killedSync(history, machine)
  } else if (what === 17) {
    done.push('both sync at once')
    await Promise.all(machines.map((one) => sync(history, one, one.beside)))
  } else if (what === 18) {
    done.push('snapshot')
    await store.keepSnapshot()
  } else {
    done.push('return')
    await store.returnToSnapshot()
  }
  expect(done.length).toBe(begun + 1)
}

/** Syncs until there is nothing to do. @returns the paths that were left, as told */
async function settle(history: History): Promise<string[]> {
  for (let round = 0; round < 8; round += 1) {
    const ran = []
    for (const machine of history.machines) ran.push(await sync(history, machine))
    if (ran.every(({ stdout }) => stdout === ''))
      return ran.flatMap(({ stderr }) =>
        [...stderr.matchAll(/warning: (.*) was not synchronised/g)].map(([, path = '']) => path),
      )
  }
  throw new Error('the machines do not settle')
}

/** A file of a folder with two parents: removed from one path it is gone from the other. */
function isOneEntry(one: string, other: string): boolean {
  const entry = (path: string) => path.split('/').slice(-2).join('/')
  return one === other || (one.includes('/') && entry(one) === entry(other))
}

/** @returns lost contents, with the paths where they were */
async function tryHistory(seed: number): Promise<readonly (readonly [text: string, paths: string[]])[]> {
  const folder = `h${seed}`
  const reached = () => store.drive()
  const machines = ['one', 'two'].map((name) => makeMachine(reached, temp, `${folder}-${name}`))
  const history: History = { folder, next: numbers(seed), machines, contents: new Map(), done: [] }
  try {
    for (const path of PATHS.slice(0, 6)) edit(history, machines[0] as Machine, path)
    for (const machine of machines) await sync(history, machine)
    // a state that a later step may return to
    await store.keepSnapshot()
    for (let count = 0; count < 14; count += 1) await step(history)
    const left = await settle(history)
    const [one = {}, two = {}] = machines.map(({ root }) => readFiles(root))
    const isLeft = (path: string) => left.some((top) => path === top || path.startsWith(`${top}/`))
    const shared = (files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).filter(([path]) => !isLeft(path)))
    expect(shared(two)).toEqual(shared(one))
    const texts = new Set([...Object.values(one), ...Object.values(two)])
    const lost = [...history.contents].filter(
      ([text, { seen, removed: gone, isReplaced }]) =>
        !texts.has(text) &&
        !isReplaced &&
        [...seen].some((path) => ![...gone].some((one) => isOneEntry(one, path))),
    )
    return lost.map(([text, { seen }]) => [text, [...seen]] as const)
  } catch (error) {
    throw new Error(`history ${seed}: ${history.done.join(', ')}: ${String(error)}`, { cause: error })
  }
}

/** HLA_SEED repeats one history, or begins with it. */
const FIRST = Number(process.env['HLA_SEED'] ?? 1)
const HISTORIES = IS_LONG ? 500 : process.env['HLA_SEED'] === undefined ? 20 : 1
const PART = Math.min(5, HISTORIES)

test.for(Array.from({ length: HISTORIES / PART }, (_, at) => FIRST + at * PART))(
  'histories from %i on lose nothing, and end with equal trees or a named conflict',
  { timeout: 0 },
  async (first) => {
    for (let seed = first; seed < first + PART; seed += 1)
      expect(await tryHistory(seed), `history ${seed}`).toEqual([])
  },
)
