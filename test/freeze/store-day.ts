/**
 * Runs a day at the store: sends the requests of its script (store-day.txt) to a service, and records the answers, with
 * ids, etags and dates named after their steps.  [disk, network]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../src/drive/contract/failure.ts'
import { command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { type Drive, type Reply, startDrive } from '../support/drive.ts'
import type { Hooks } from '../support/hooks.ts'
import { peopleOf } from '../support/people.ts'
import type { FrozenRecord } from './faces.ts'
import { StoreNames } from './store-names.ts'
import { answerLines, type Asked, type Seen } from './store-answer.ts'

/**
 * `who METHOD path [header: value] body -> name=member`. A path is below `/drive/v2/` unless it begins with a slash; a
 * body is JSON, a JSON string, or `zeros N`; a capture is a member of the answer (`items.0.id`; default: its id) or
 * `@header`. `told CHANNEL N` waits for N messages.
 */
export interface Step {
  /** `files.3` */
  readonly key: string
  readonly line: string
}

/** Grouped by section: the first word of its heading. */
export function scriptSteps(): Step[] {
  let [section, at] = ['', 0]
  return readFileSync(join(import.meta.dirname, 'store-day.txt'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const heading = /^# (\w+):/.exec(line)?.[1]
      if (heading !== undefined) [section, at] = [heading, 0]
      if (heading !== undefined || line.trim() === '' || line.startsWith('// ')) return []
      return [{ key: `${section}.${(at += 1)}`, line: line.trim() }]
    })
}

const TOKENS: Readonly<Record<string, readonly [scopes: readonly Scope[], client: string]>> = {
  'ann-read': [['drive.readonly'], 'tests'],
  'ann-file': [['drive.file'], 'program'],
  'ann-two': [['drive.file', 'drive.appdata'], 'program'],
  'ann-app': [['drive.appdata'], 'program'],
  'ann-other': [['drive.appdata'], 'other'],
  'ann-meta': [['drive.metadata'], 'tests'],
  'ann-apps': [['drive.apps.readonly'], 'tests'],
  'ann-meet': [['drive.meet.readonly'], 'tests'],
}

export interface Day {
  readonly drive: Drive
  /** Runs a step: its answer, and the changes that the watchers see. */
  readonly ask: (step: Step) => Promise<FrozenRecord>
  /** Requests so far, each with its operation of the discovery document. */
  readonly asked: readonly Asked[]
  /** Sends a request that is recorded elsewhere: status and reason. */
  readonly outcome: (who: string, method: string, path: string, body?: string) => Promise<string>
  readonly fill: (text: string) => string
}

/** Users who watch changes: after each change of theirs, each one's list of changes is read. */
const WATCHERS = ['ann', 'bob', 'dan']

export async function openDay(hooks: Hooks | undefined, program?: string): Promise<Day> {
  const drive = await startDrive({
    args: ['--allow-local-notifications', '--access-log', 'off', '-r', 'starter'],
    ...(program === undefined ? {} : { program }),
  })
  const names = new StoreNames(drive.url, hooks?.url)
  const tokens = await makePeople(drive, names)
  const asked: Asked[] = []
  const since = new Map<string, string>()
  const ask = async (who: string, method: string, path: string, rest: Partial<Seen> = {}) => {
    const address = path.startsWith('http') ? path.slice(drive.url.length) : path
    const below = address.startsWith('/') ? address : `/drive/v2/${address}`
    const token = tokens.get(who)
    if (token === undefined && who !== 'guest') throw new Error(`nobody is ${who}`)
    const headers = { 'accept-encoding': 'identity', ...rest.headers }
    const reply = await drive.ask(method, below, {
      token,
      headers,
      ...(rest.body === undefined ? {} : { body: rest.body }),
    })
    asked.push({ method, path: below.split('?')[0] ?? '', status: reply.status })
    return reply
  }
  const changes = async (who: string): Promise<string[]> => {
    const fields =
      'newStartPageToken,items(fileId,driveId,deleted,file(title,version,labels/trashed,shared),drive/name)'
    const query = `includeItemsFromAllDrives=true&supportsAllDrives=true&pageToken=${since.get(who) ?? '1'}`
    const { json } = await ask(who, 'GET', `changes?${query}&fields=${fields}`)
    since.set(who, json.newStartPageToken)
    return json.items.map((item: object) => `${who} sees ${JSON.stringify(item)}`)
  }
  for (const who of WATCHERS) await changes(who)
  return {
    drive,
    asked,
    fill: (text) => names.fill(text),
    async outcome(who, method, path, body) {
      const { status, json } = await ask(who, method, path, jsonBody(body))
      return `${who} ${status} ${json?.error?.errors[0]?.reason ?? ''}`.trim()
    },
    async ask(step) {
      await tick()
      names.begin(step.key)
      const told = /^told (\S+) (\d+)$/.exec(step.line)
      const [channel, count] = told?.slice(1) ?? []
      if (channel !== undefined && hooks !== undefined)
        return record(step, await toldLines(hooks, channel, Number(count), names))
      const { who, method, path, headers, body, captures } = readStep(step, (text) => names.fill(text))
      const reply = await ask(who, method, path, { headers, ...(body === undefined ? {} : { body }) })
      for (const [name, member] of captures) names.keep(name, valueOf(reply, member, step))
      const isChange = method !== 'GET' && method !== 'HEAD' && reply.status < 300
      const seen: string[] = []
      if (isChange) seen.push(...(await Promise.all(WATCHERS.map(changes))).flat())
      return record(step, [...answerLines(reply, names), ...seen.map((line) => names.settle(line))])
    },
  }
}

function record({ key, line }: Step, lines: readonly string[]): FrozenRecord {
  return { name: `${key}: ${line}`, lines }
}

async function makePeople(drive: Drive, names: StoreNames): Promise<ReadonlyMap<string, string>> {
  const people = await peopleOf(drive)
  const tokens = new Map<string, string>([
    ['op', drive.token],
    ['bad', 'nothing'],
  ])
  const pks = new Map<string, number>()
  for (const name of ['ann', 'bob', 'cat', 'dan', 'eve']) {
    const { id, pk, token, ask } = await people.add(`${name}@example.org`)
    tokens.set(name, token)
    pks.set(name, pk)
    names.keep(`${name}.id`, id)
    names.keep(`${name}.root`, (await ask('GET', '/drive/v2/about')).json.rootFolderId)
  }
  names.keep('lab.id', await people.group('lab@example.org', 'dan@example.org'))
  names.keep('tomorrow', new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000).toISOString())
  const facts = JSON.stringify({ installed: true, primaryFileExtensions: ['csv'] })
  await command(people.store, 'addClient', OPERATOR, { id: 'tables', facts })
  const fields = [
    { id: 'note', valueType: 'text', maxLength: 10 },
    { id: 'count', valueType: 'integer' },
  ]
  await command(people.store, 'putLabel', OPERATOR, { id: 'review', fields: JSON.stringify(fields) })
  for (const [name, [scopes, client]] of Object.entries(TOKENS))
    tokens.set(name, await people.token(pks.get('ann') ?? 0, scopes, client))
  await people.store.close()
  return tokens
}

/** Waits, so that steps have different milliseconds. */
async function tick(): Promise<void> {
  await sleep(3)
}

function readStep({ key, line }: Step, fill: (text: string) => string) {
  const [, who = '', method = '', path = '', all = ''] = /^(\S+) ([A-Z]+) (\S+)(.*)$/.exec(line) ?? []
  if (method === '') throw new Error(`${key} is no step: ${line}`)
  const [, rest = '', captured = ''] = /^(.*?)(?: -> ([\w.=@-]+))?$/.exec(all) ?? []
  const headers = Object.fromEntries(
    [...rest.matchAll(/\[([\w-]+): ([^\]]*)\]/g)].map(([, name = '', value = '']) => [name, fill(value)]),
  )
  const text = rest.replace(/^(?:\s*\[[\w-]+: [^\]]*\])*\s*/, '').trim()
  const body = readBody(text, fill)
  const [name = '', member = ''] = captured.split('=')
  const captures = captured === '' ? [] : [[name, member] as const]
  return {
    who,
    method,
    path: fill(path),
    body: body?.body,
    headers: { ...body?.headers, ...headers },
    captures,
  }
}

function readBody(text: string, fill: (text: string) => string): Partial<Seen> | undefined {
  if (text === '') return undefined
  const size = /^zeros (\d+)$/.exec(text)?.[1]
  if (size !== undefined) return { body: new Uint8Array(Number(size)) }
  if (text.startsWith('{')) return jsonBody(fill(text))
  return { body: fill(String(JSON.parse(text))), headers: { 'content-type': 'text/plain' } }
}

function jsonBody(body?: string): Partial<Seen> {
  return body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }
}

function valueOf(reply: Reply, member: string, step: Step): string {
  const { json, headers } = reply
  const found: unknown = member.startsWith('@')
    ? headers.get(member.slice(1))
    : member === ''
      ? (json?.replyId ?? json?.commentId ?? json?.id)
      : member.split('.').reduce((value, name) => value?.[name], json)
  if (typeof found !== 'string')
    throw new Error(`${step.key}: ${step.line}\nno ${member} in ${reply.status} ${reply.text}`)
  return found
}

/** The first `count` messages of a receiver. */
async function toldLines(hooks: Hooks, channel: string, count: number, names: StoreNames): Promise<string[]> {
  const mine = () => hooks.taken.filter(({ headers }) => headers['x-goog-channel-id'] === channel)
  for (let at = 0; mine().length < count && at < 500; at += 1) await sleep(20)
  return mine().map(({ path, headers, body }) => {
    const given = Object.entries(headers).filter(([name]) => /^x-goog|^content-type/.test(name))
    const words = given.map(([name, value]) => `${name.replace('x-goog-', '')}: ${String(value)}`)
    return names.settle(`${path} ${words.toSorted().join(', ')} ${body}`.trim())
  })
}
