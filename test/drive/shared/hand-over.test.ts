/** The server that delivers all messages dies or hangs: another one soon delivers the rest, in order. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { startHooks } from '../../support/hooks.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { tempFolder } from '../../support/temp.ts'

interface Message {
  readonly number: number
  /** ms since 1970 */
  readonly at: number
}

const temp = tempFolder()
async function isLeader(server: Drive): Promise<boolean> {
  return /^hla_drive_leader 1$/m.test((await server.ask('GET', '/metrics')).text)
}

describe.skipIf(POSTGRES === undefined)('the server that sends', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()

  test('dies, or stands still', async () => {
    const messages: Message[] = []
    let answerFirst: (status: number) => void = () => undefined
    const firstAnswer = new Promise<number>((resolve) => (answerFirst = resolve))
    const { url: address } = await startHooks(({ headers }) => {
      const number = Number(headers['x-goog-message-number'])
      messages.push({ number, at: Date.now() })
      return number === 1 ? firstAnswer : 200
    })
    const url = postgres?.database('sends') ?? ''
    const args = ['--database', url, '--contents', temp('contents'), '--allow-local-notifications']
    const first = await startDrive({ folder: temp('1'), args })
    const start = (at: number) => startDrive({ folder: temp(`${at}`), args, token: first.token })
    const servers = [first, await start(2), await start(3)]
    const made = await first.ask('POST', '/drive/v2/files', { body: { title: '0' } })
    const path = `/drive/v2/files/${made.json.id}`
    await first.ask('POST', `${path}/watch`, { body: { id: randomUUID(), type: 'web_hook', address } })
    const arrived = (number: number) => messages.some((one) => one.number >= number)
    await expect.poll(() => arrived(1), { timeout: 20_000 }).toBe(true)
    // while the first message is unanswered, no second server sends it; each polls once a second
    await sleep(1500)
    expect(messages).toHaveLength(1)
    answerFirst(200)
    let changes = 1
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      const flags = await Promise.all(servers.map(isLeader))
      expect(flags.filter(Boolean)).toHaveLength(1)
      const at = flags.indexOf(true)
      const leader = servers[at] ?? first
      const other = servers[(at + 1) % servers.length] ?? first
      leader.child.kill(signal)
      const began = Date.now()
      for (let n = 0; n < 5; n += 1) {
        changes += 1
        const status = (await other.ask('PUT', path, { body: { title: String(changes) } })).status
        expect(status).toBe(200)
      }
      await expect.poll(() => arrived(changes), { timeout: 40_000 }).toBe(true)
      const late = Math.max(...messages.map((one) => one.at)) - began
      // 1 s to poll the lock and 1 s to poll messages; a hanging server has a timeout
      expect(late).toBeLessThan(signal === 'SIGKILL' ? 10_000 : 25_000)
      if (signal === 'SIGKILL') servers[at] = await start(at + 1)
      else {
        leader.child.kill('SIGCONT')
        changes += 1
        await other.ask('PUT', path, { body: { title: String(changes) } })
        await expect.poll(() => arrived(changes), { timeout: 20_000 }).toBe(true)
        expect((await Promise.all(servers.map(isLeader))).filter(Boolean)).toHaveLength(1)
      }
    }
    // each message at least once, first deliveries in order
    const firsts = [...new Set(messages.map((one) => one.number))]
    expect(firsts).toEqual(Array.from({ length: changes }, (_, n) => n + 1))
    for (const server of servers) await server.stop()
  })
})
