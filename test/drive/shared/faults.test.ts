/** Servers of one store, and their database, killed under load: what was acknowledged is there, once, and nothing is half there. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { tempFolder } from '../../support/temp.ts'

const ROUNDS = process.env['HLA_LONG'] === undefined ? 5 : 50
const CONNECTIONS = 32
const SERVERS = 3

interface Known {
  /** Id of a file -> its title, as the last answer told it. */
  readonly titles: Map<string, string>
  /** Titles whose answer did not come: they may be there, once. */
  readonly doubtful: Set<string>
  /** Id -> MD5 of its content. */
  readonly contents: Map<string, string>
}

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

async function upload(server: Drive, title: string, known: Known): Promise<void> {
  const content = Buffer.from(`${title} `.repeat(3000))
  const made = await server.ask('POST', '/upload/drive/v2/files', {
    body: content,
    headers: { 'content-type': 'text/plain' },
    query: { uploadType: 'media' },
  })
  if (made.status === 200) known.contents.set(made.json.id, md5(content))
  else expect(made.status).toBe(503)
}

/** Until the server is gone, or `isOver`. */
async function work(server: Drive, name: string, known: Known, isOver: () => boolean): Promise<void> {
  for (let at = 0; !isOver(); at += 1) {
    const title = `${name}.${at}`
    try {
      if (at % 4 === 3) {
        await upload(server, title, known)
        continue
      }
      known.doubtful.add(title)
      const made = await server.ask('POST', '/drive/v2/files', { body: { title } })
      if (made.status !== 200) {
        expect([made.status, made.text]).toEqual([503, expect.any(String)])
        expect(made.headers.get('retry-after')).not.toBeNull()
        continue
      }
      known.doubtful.delete(title)
      known.titles.set(made.json.id, title)
      const next = `${title}+`
      known.doubtful.add(next)
      const changed = await server.ask('PUT', `/drive/v2/files/${made.json.id}`, { body: { title: next } })
      if (changed.status !== 200) continue
      known.doubtful.delete(next)
      known.titles.set(made.json.id, next)
    } catch (error) {
      // the server was killed; a wrong answer is none of those
      if (error instanceof Error && /AssertionError/.test(error.name)) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** All that was acknowledged is there as it was told, or as an answer that did not come would have told; nothing is there twice. */
async function expectAll(server: Drive, known: Known): Promise<void> {
  const titles = new Map<string, string>()
  let pageToken: string | undefined
  do {
    const page = await server.ask('GET', '/drive/v2/files', {
      query: {
        maxResults: 1000,
        fields: 'nextPageToken,items(id,title,md5Checksum)',
        ...(pageToken === undefined ? {} : { pageToken }),
      },
    })
    expect([page.status, page.text]).toEqual([200, expect.any(String)])
    for (const { id, title, md5Checksum } of page.json.items) {
      expect(titles.has(id)).toBe(false)
      titles.set(id, title)
      const content = known.contents.get(id)
      if (content !== undefined) expect(md5Checksum).toBe(content)
    }
    pageToken = page.json.nextPageToken
  } while (pageToken !== undefined)
  for (const id of known.contents.keys()) expect(titles.has(id)).toBe(true)
  for (const [id, title] of known.titles) {
    const found = titles.get(id) ?? ''
    const isDoubtful = found === `${title}+` && known.doubtful.has(found)
    expect([id, found]).toEqual([id, isDoubtful ? found : title])
  }
  const seen = [...titles.values()]
    .filter((title) => title !== 'Untitled')
    .map((title) => title.replace(/\+$/, ''))
  expect(seen.length).toBe(new Set(seen).size)
}

describe.skipIf(POSTGRES === undefined)('servers of one store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const temp = tempFolder()

  test(`${ROUNDS} times`, { timeout: 60_000 + ROUNDS * 60_000 }, async () => {
    const url = postgres?.database('faults') ?? ''
    const args = ['--database', url, '--contents', temp('contents'), '--access-log', 'off']
    const first = await startDrive({ folder: temp('0'), args })
    const { token } = first
    const start = (at: number) => startDrive({ folder: temp(`${at}`), args, token })
    const servers = [first, await start(1), await start(2)]
    const known: Known = { titles: new Map(), doubtful: new Set(), contents: new Map() }
    const random = randomNumbers(Date.now() % 1000)
    for (let round = 0; round < ROUNDS; round += 1) {
      let isOver = false
      const load = Promise.all(
        Array.from({ length: CONNECTIONS }, (_, n) => {
          const server = servers[n % SERVERS] ?? first
          return work(server, `${round}.${n}`, known, () => isOver)
        }),
      )
      await new Promise((resolve) => setTimeout(resolve, 500 + random() * 1000))
      const killed = round % 4 === 3 ? [0, 1, 2] : round % 4 === 2 ? [] : [Math.floor(random() * SERVERS)]
      if (killed.length === 0) {
        postgres?.stop(true)
        await new Promise((resolve) => setTimeout(resolve, 300 + random() * 700))
        postgres?.start()
      } else await Promise.all(killed.map((at) => (servers[at] ?? first).stop('SIGKILL')))
      await new Promise((resolve) => setTimeout(resolve, 500))
      isOver = true
      await load
      for (const at of killed) servers[at] = await start(at)
      for (const server of servers)
        await expect
          .poll(async () => (await server.ask('GET', '/drive/v2/about')).status, { timeout: 30_000 })
          .toBe(200)
      for (const server of servers) await expectAll(server, known)
    }
    expect(known.titles.size).toBeGreaterThan(ROUNDS)
    for (const server of servers) await server.stop()
  })
})
