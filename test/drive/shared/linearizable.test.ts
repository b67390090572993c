/** Concurrent requests to one file over several servers are linearizable. */
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { type Done, isLinearizable } from '../../support/linearizable.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { IS_LONG } from '../../support/rounds.ts'
import { startSwift, SWIFT } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const HISTORIES = IS_LONG ? 2000 : 100
/** Histories with contents, which are slow in a bucket. */
const BUCKET_HISTORIES = 200
const CLIENTS = 3
const OF_CLIENT = 3

/** State of a file as its answers show it; undefined: deleted. */
interface State {
  readonly etag: string
  readonly title: string
  readonly isTrashed: boolean
  readonly parent: string
  readonly md5: string
}

type Step = Done<State | undefined>

function stateIn({ json }: Reply): State {
  const { etag, title, labels, parents, md5Checksum } = json
  return {
    etag,
    title,
    isTrashed: labels.trashed,
    parent: parents.map(({ id }: { id: string }) => id).join(),
    md5: md5Checksum ?? '',
  }
}

const md5 = (bytes: string) => createHash('md5').update(bytes).digest('hex')
/** A content that is too long for the database. */
const newContent = () => randomBytes(10_000).toString('hex')
const media = { 'content-type': 'text/plain' }

/** Whether only the changed members and the tag differ. */
function isChanged(before: State | undefined, after: State, change: Partial<State>): boolean {
  if (before === undefined) return false
  const { etag: _, ...expected } = { ...before, ...change }
  const { etag, ...found } = after
  return JSON.stringify(expected) === JSON.stringify(found) && etag !== ''
}

interface Asked {
  readonly server: Drive
  readonly id: string
  readonly random: () => number
  readonly folders: readonly string[]
  readonly hasContents: boolean
  /** The last tag that the client received. */
  etag: string
}

async function ask(
  { server }: Asked,
  what: string,
  request: Parameters<Drive['ask']>,
  happen: (reply: Reply) => Step['happen'],
): Promise<{ readonly step: Step; readonly reply: Reply }> {
  const asked = performance.now()
  const reply = await server.ask(...request)
  const answered = performance.now()
  return { reply, step: { asked, answered, what: `${what} ${reply.status}`, happen: happen(reply) } }
}

/** Step of a 404: the file is deleted. */
const gone: Step['happen'] = (state) => (state === undefined ? [state] : [])

async function oneStep(asked: Asked): Promise<Step> {
  const { id, random, folders, hasContents } = asked
  const path = `/drive/v2/files/${id}`
  const kind = Math.floor(random() * (hasContents ? 18 : 12))
  const changed = (change: Partial<State>, tag?: string) => (reply: Reply) => {
    if (reply.status === 404) return gone
    if (reply.status === 412)
      return (state: State | undefined) => (state !== undefined && state.etag !== tag ? [state] : [])
    if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
    const after = stateIn(reply)
    return (state: State | undefined) =>
      isChanged(state, after, change) && (tag === undefined || state?.etag === tag) ? [after] : []
  }
  const made = async (): Promise<{ readonly step: Step; readonly reply: Reply }> => {
    const title = `t${Math.floor(random() * 1e9)}`
    if (kind < 4)
      return ask(asked, 'get', ['GET', path], (reply) => {
        if (reply.status === 404) return gone
        const found = JSON.stringify(stateIn(reply))
        return (state) => (JSON.stringify(state) === found ? [state] : [])
      })
    if (kind < 6) return ask(asked, 'put', ['PUT', path, { body: { title } }], changed({ title }))
    if (kind < 9) {
      const headers = { 'if-match': asked.etag }
      return ask(asked, 'put if', ['PUT', path, { body: { title }, headers }], changed({ title }, asked.etag))
    }
    if (kind === 9) return ask(asked, 'trash', ['POST', `${path}/trash`], changed({ isTrashed: true }))
    if (kind === 10) return ask(asked, 'untrash', ['POST', `${path}/untrash`], changed({ isTrashed: false }))
    if (kind >= 15)
      return ask(asked, 'read', ['GET', path, { query: { alt: 'media' } }], (reply) => {
        if (reply.status === 404) return gone
        if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
        const found = md5(reply.text)
        return (state) => (state?.md5 === found ? [state] : [])
      })
    if (kind >= 12) {
      const body = newContent()
      return ask(
        asked,
        'upload',
        ['PUT', `/upload${path}`, { body, headers: media, query: { uploadType: 'media' } }],
        changed({ md5: md5(body) }),
      )
    }
    const parent = folders[Math.floor(random() * folders.length)] ?? ''
    const body = { parents: [{ id: parent }] }
    return ask(asked, 'move', ['PUT', path, { body }], changed({ parent }))
  }
  const { step, reply } = await made()
  if (reply.json?.etag !== undefined) asked.etag = reply.json.etag
  return step
}

describe.skipIf(POSTGRES === undefined)('several servers', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const temp = tempFolder()

  async function expectLinearizable(
    histories: number,
    name: string,
    { contents, env = {} }: { readonly contents: string; readonly env?: Readonly<Record<string, string>> },
  ) {
    const hasContents = contents.startsWith('s3:')
    const url = postgres?.database(name) ?? ''
    const args = ['--database', url, '--contents', contents, '--access-log', 'off']
    const first = await startDrive({ folder: temp(`${name}-1`), args, env })
    const servers = [first]
    for (const server of ['2', '3'])
      servers.push(await startDrive({ folder: temp(`${name}-${server}`), args, env, token: first.token }))
    const random = randomNumbers(22)
    const root = await first.ask('GET', '/drive/v2/about')
    const folder = await first.ask('POST', '/drive/v2/files', {
      body: { title: 'folder', mimeType: 'application/vnd.google-apps.folder' },
    })
    const folders = [root.json.rootFolderId, folder.json.id]
    for (let at = 0; at < histories; at += 1) {
      const made = hasContents
        ? await first.ask('POST', '/upload/drive/v2/files', { body: newContent(), headers: media })
        : await first.ask('POST', '/drive/v2/files', { body: { title: 'begun' } })
      const { id, etag } = made.json
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        const server = servers[client % servers.length] ?? first
        const asked = { server, id, random, folders, hasContents, etag }
        const steps: Step[] = []
        for (let step = 0; step < OF_CLIENT; step += 1) steps.push(await oneStep(asked))
        return steps
      })
      const history = (await Promise.all(clients)).flat()
      const isGood = isLinearizable(history, stateIn(made), (state) => JSON.stringify(state))
      // the requests of a history that has no valid order
      const shown = history.map(({ what, asked, answered }) => `${asked} ${answered} ${what}`)
      expect(isGood ? [] : shown).toEqual([])
    }
    for (const server of servers) await server.stop()
  }

  test(`${HISTORIES} histories`, { timeout: 60_000 + HISTORIES * 1000 }, () =>
    expectLinearizable(HISTORIES, 'histories', { contents: temp('contents') }),
  )

  test.runIf(SWIFT && IS_LONG)(
    `${BUCKET_HISTORIES} histories with contents in a bucket`,
    { timeout: 120_000 + BUCKET_HISTORIES * 5000 },
    async () => {
      const swift = await startSwift()
      const contents = await swift.bucket('histories')
      await expectLinearizable(BUCKET_HISTORIES, 'placed', { contents, env: swift.env })
    },
  )
})

describe('the check itself', () => {
  const read = (asked: number, answered: number, value: number): Done<number> => ({
    asked, answered, what: 'read', happen: (state) => (state === value ? [state] : []),
  }) // prettier-ignore
  const write = (asked: number, answered: number, value: number): Done<number> => ({
    asked, answered, what: 'write', happen: () => [value],
  }) // prettier-ignore

  test.for([
    ['a read beside a write sees either', [write(0, 10, 1), read(1, 2, 0)], true],
    ['or what it writes', [write(0, 10, 1), read(1, 2, 1)], true],
    ['a read behind a write sees it', [write(0, 1, 1), read(2, 3, 0)], false],
    ['what one has seen another does not lose', [write(0, 10, 1), read(1, 2, 1), read(3, 4, 0)], false],
    ['what was not answered may have happened', [write(0, Infinity, 1), read(1, 2, 1)], true],
    ['or not', [write(0, Infinity, 1), read(1, 2, 0)], true],
    ['but not first one and then the other', [write(0, Infinity, 1), read(1, 2, 1), read(3, 4, 0)], false],
  ] as const)('%s', ([, history, expected]) => {
    expect(isLinearizable(history, 0, String)).toBe(expected)
  })
})
