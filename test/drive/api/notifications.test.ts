/** Notifications while the receiver is killed at random and the service once: no message is missing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { bundled } from '../../support/bundled.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { freePort } from '../../support/free-port.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const CHANGES = process.env['HLA_LONG'] === undefined ? 500 : 10_000
const FILES = 20
const WORKERS = 8
const receiver = bundled('test/support/receiver.ts')
const temp = tempFolder()
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

test(
  `${CHANGES} changes arrive, each at least once and in order`,
  { timeout: 240_000 + CHANGES * 30 },
  async () => {
    const log = temp('taken')
    writeFileSync(log, '')
    const port = await freePort()
    const folder = temp('store')
    const args = ['--allow-local-notifications', '--access-log', 'off']
    let drive = await startDrive({ folder, args })
    const { token } = drive
    const other = await otherToken(folder)
    const files = await Promise.all(
      Array.from({ length: FILES }, async (_, at) => {
        const { id } = (await drive.ask('POST', '/drive/v2/files', { body: { title: `file ${at}` } })).json
        await watch(drive, `files/${id}/watch`, { id: `file-${at}`, port })
        return id as string
      }),
    )
    await watch(drive, 'changes/watch', { id: 'mine', port })
    await watch(drive, 'changes/watch', { id: 'others', port, token: other })
    const trouble = killAtRandom(port, log)
    const sent = Array.from({ length: FILES }, () => 0)
    await change(drive, files, sent, CHANGES / 2)
    await drive.stop('SIGKILL')
    drive = await startDrive({ folder, args, token })
    await change(drive, files, sent, CHANGES / 2)
    const lastBegan = Date.now()
    await drive.ask('PATCH', `/drive/v2/files/${files[0]}`, { body: { title: 'the last' } })
    sent[0] = (sent[0] ?? 0) + 1
    await trouble.end()
    await expect.poll(() => waiting(drive), { timeout: 60_000 + CHANGES * 20, interval: 100 }).toBe(0)
    const taken = takenFrom(log)
    for (let at = 0; at < FILES; at += 1) {
      const states = taken.get(`file-${at}`) ?? []
      const numbers = states.map(({ number }) => number)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      // the first message announces the channel
      expect(new Set(numbers).size).toBe((sent[at] ?? 0) + 1)
      expect(numbers.at(-1)).toBe((sent[at] ?? 0) + 1)
    }
    const mine = taken.get('mine') ?? []
    expect(mine.at(-1)?.at).toBeGreaterThanOrEqual(lastBegan)
    expect(new Set((taken.get('others') ?? []).map(({ state }) => state))).toEqual(new Set(['sync']))
    expect(trouble.kills()).toBeGreaterThan(1)
    await drive.stop()
  },
)

/** Changes each file with one worker at a time, so that its changes have an order. */
async function change(drive: Drive, files: readonly string[], sent: number[], count: number): Promise<void> {
  let next = 0
  const work = async (worker: number) => {
    const own = files.map((id, at) => ({ id, at })).filter(({ at }) => at % WORKERS === worker)
    for (let turn = 0; next < count; turn += 1) {
      const file = own[turn % own.length]
      if (file === undefined) return
      next += 1
      const body = { description: `${file.at} ${sent[file.at]}` }
      const { status } = await drive.ask('PATCH', `/drive/v2/files/${file.id}`, { body })
      expect(status).toBe(200)
      sent[file.at] = (sent[file.at] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))
}

interface Watching {
  readonly id: string
  readonly port: number
  readonly token?: string
}

async function watch(drive: Drive, path: string, { id, port, token = drive.token }: Watching): Promise<void> {
  const body = { id, type: 'web_hook', address: `http://127.0.0.1:${port}/`, params: { ttl: '86400' } }
  expect((await drive.ask('POST', `/drive/v2/${path}`, { body, token })).status).toBe(200)
}

/** Token of a user without access to the folder. */
async function otherToken(folder: string): Promise<string> {
  const hla = (...args: string[]) => callHla(['drive', ...args, '--data', folder], { cwd: folder })
  await hla('user', 'add', 'bo@example.org')
  return (await hla('token', 'create', '--user', 'bo@example.org')).stdout.trim()
}

/** Starts and kills the receiver at random; it runs at the end. */
function killAtRandom(port: number, log: string) {
  const state = { isOver: false, kills: 0 }
  const begin = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [receiver, String(port), log], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.add(child)
    await once(child.stdout, 'data')
    return child
  }
  const run = (async () => {
    while (!state.isOver) {
      const child = await begin()
      await sleep(400 + Math.random() * 1000)
      child.kill('SIGKILL')
      await once(child, 'exit')
      children.delete(child)
      state.kills += 1
      await sleep(Math.random() * 200)
    }
    return begin()
  })()
  return {
    kills: () => state.kills,
    async end() {
      state.isOver = true
      await run
    },
  }
}

async function waiting(drive: Drive): Promise<number> {
  const { text } = await drive.ask('GET', '/metrics')
  return Number(/^hla_drive_notifications_waiting (\d+)$/m.exec(text)?.[1])
}

interface Message {
  readonly number: number
  readonly state: string
  readonly at: number
}

/** Messages by channel, in order of arrival. */
function takenFrom(log: string): Map<string, Message[]> {
  const taken = new Map<string, Message[]>()
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const [channel = '', number, state = '', at] = line.split(' ')
    taken.set(channel, [...(taken.get(channel) ?? []), { number: Number(number), state, at: Number(at) }])
  }
  return taken
}
