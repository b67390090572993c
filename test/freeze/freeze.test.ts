/**
 * The freeze: every face's output for the corpus, as text that a reviewer can judge. HLA_UPDATE_FREEZE=1 rewrites it.
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installedData } from '../support/installed-data.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import {
  freezeCommand,
  freezeMessage,
  freezeRequest,
  type FrozenRecord,
  freezeShared,
  freezeTable,
  freezeTypings,
  serveStarter,
  type Service,
} from './faces.ts'
import { changesOf, frozenText, sampled } from './frozen.ts'
import { MESSAGES } from './messages.ts'
import { frozenCommands, frozenTables, REQUESTS, TYPINGS } from './inputs.ts'

const temp = tempFolder()
let service: Service
const setting = () => ({ folder: temp('runs'), service })

beforeAll(async () => {
  mkdirSync(temp('runs'), { recursive: true })
  service = await serveStarter(temp('runs'))
})

afterAll(() => service.end())

/** ms: it waits for processes, beside other tests. */
const PATIENCE = 900_000

/** Concurrent processes: one more than processors keeps all of them busy. */
const AT_ONCE = availableParallelism() + 1

async function frozen<T>(inputs: readonly T[], freeze: (input: T) => Promise<FrozenRecord>) {
  const records: FrozenRecord[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next; at < inputs.length; at = next) {
      next += 1
      records[at] = await freeze(inputs[at] as T) // the index is less than the length
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return frozenText(records)
}

test('tables: command line, remote, HTTP', { timeout: PATIENCE }, async () => {
  const tables = sampled(frozenTables(), ({ name }) => name)
  const now = await frozen(tables, (one) => freezeTable(one, setting()))
  expect(changesOf('tables.txt', now, { isSample: true })).toEqual([])
})

test('commands: command line, remote', { timeout: PATIENCE }, async () => {
  const commands = sampled(frozenCommands(), ({ args }) => args.join(' '))
  const now = await frozen(commands, (one) => freezeCommand(one, setting()))
  expect(changesOf('commands.txt', now, { isSample: true })).toEqual([])
})

test('typings: co-process, library', { timeout: PATIENCE }, async () => {
  expect(changesOf('typings.txt', frozenText(await freezeTypings(TYPINGS, setting())))).toEqual([])
})

test('requests of HTTP', { timeout: PATIENCE }, async () => {
  const now = await frozen(REQUESTS, (one) => freezeRequest(one, setting()))
  expect(changesOf('requests.txt', now)).toEqual([])
})

test.skipIf(!hasShared)('a message of each error code', { timeout: PATIENCE }, async () => {
  const data = await installedData()
  const codes = Object.keys(MESSAGES) as (keyof typeof MESSAGES)[] // keys of the table
  const now = await frozen(codes, (code) => freezeMessage(code, MESSAGES[code], setting(), data))
  expect(changesOf('messages.txt', now)).toEqual([])
})

/** Files below the folder that take at most a second. */
function filesBelow(folder: string): string[] {
  return readdirSync(sharedPath(folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => !/README|\.md$/.test(name) && statSync(sharedPath(name)).isFile())
    .filter((name) => statSync(sharedPath(name)).size < 4_000_000)
    .toSorted()
}

test.skipIf(!hasShared)('files that the project may not hold', { timeout: PATIENCE }, async () => {
  const data = await installedData()
  const files = sampled([...filesBelow('formats'), ...filesBelow('registry')], (name) => name)
  const now = await frozen(files, (name) => freezeShared(name, sharedPath(), data))
  expect(changesOf('shared.txt', now, { isSample: true })).toEqual([])
})
