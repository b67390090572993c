/** A service on an open store, in this process: what it tells, what it takes from its options, and how it ends. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readOpenId } from '../../../src/drive/commands/options/openid-options.ts'
import { COMMANDS, command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { digestToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { WITHDRAW } from '../../../src/drive/persistence/upkeep/sweep.ts'
import { connectInFolder } from '../../../src/drive/persistence/service-socket.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { type Serving, serveStore } from '../../../src/drive/serve/serve-store.ts'
import { ADMIN_ROOT } from '../../../src/drive/contract/admin-requests.ts'
import { readTls } from '../../../src/cli/run/serve/settings.ts'
import { asRun, STREAMS } from '../../../src/io/run.ts'
import { type Asking, ask } from '../../support/drive.ts'
import { closeConnections } from '../../support/close-connections.ts'
import { freePort } from '../../support/free-port.ts'
import { keepSignals } from '../../support/signals.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const TOKEN = 'token-of-ada'
const DAY_MS = 86_400_000

function optionsOf(more: Partial<Serving>): Serving {
  const options = {
    data: 'unused',
    host: '127.0.0.1',
    port: 0,
    owner: 'ada@lab.example',
    accessLog: '-',
    maxUpload: 1_000_000,
    release: 'starter',
    dataDir: temp('no-releases'),
    idleTimeout: 60_000,
    rateLimit: 0,
    keepTrash: 30 * DAY_MS,
    keepRevisions: 30 * DAY_MS,
    mostRevisions: 100,
    drainDelay: 0,
    drainTimeout: 30_000,
    ...more,
  } as Serving
  return { ...options, tls: readTls(options), openId: readOpenId(options) }
}

async function newStore(name: string): Promise<Store> {
  const store = await openTestStore(temp(name), { writer: COMMANDS })
  await command(store, 'setUp', OPERATOR, { email: 'ada@lab.example', digest: digestToken(TOKEN) })
  return store
}

interface Served {
  readonly url: () => string
  readonly ask: (method: string, path: string, asking?: Asking) => ReturnType<typeof ask>
  readonly said: () => string
  /** Lines of the access log, and how often the file was opened again. */
  readonly lines: string[]
  readonly reopened: () => number
  readonly break: (error: Error) => void
  /** `ended`, or what it ended with. */
  readonly end: () => unknown
  readonly over: Promise<void>
}

const running: Served[] = []
keepSignals()
let starts = 0

/** Starts it; it ends with a signal. */
function serve(store: Store, more: Partial<Serving> = {}): Served {
  const lines: string[] = []
  let reopened = 0
  let end: unknown
  let fail: (error: Error) => void = () => undefined
  const broken = new Promise<never>((_, reject) => (fail = reject))
  const file = temp(`messages-${(starts += 1)}`)
  const messages = openSync(file, 'a')
  const logFile = {
    write: (line: string) => void lines.push(line),
    flush: () => undefined,
    reopen: () => void (reopened += 1),
  }
  const work = () => serveStore(store, optionsOf({ logFile, broken, ...more }))
  const over = asRun([], { ...STREAMS, messages }, work).then(
    () => void (end = 'ended'),
    (error: unknown) => void (end = error),
  )
  const said = () => readFileSync(file, 'utf8')
  const url = () => / on (https?:\S+)\n/.exec(said())?.[1] ?? ''
  const served: Served = {
    url,
    ask: (method, path, asking = {}) => ask(`${url()}${path}`, method, { token: TOKEN, ...asking }),
    said,
    lines,
    reopened: () => reopened,
    break: fail,
    end: () => end,
    over: over.finally(() => closeSync(messages)),
  }
  running.push(served)
  return served
}

async function started(store: Store, more: Partial<Serving> = {}): Promise<Served> {
  const served = serve(store, more)
  await expect.poll(() => served.url() || served.end(), { interval: 5 }).toMatch(/^http/)
  return served
}

/** As the system sends it. */
const signal = (name: NodeJS.Signals) => process.emit(name)

async function ended(served: Served): Promise<unknown> {
  await expect.poll(served.end, { interval: 5 }).toBeDefined()
  return served.end()
}

async function stop(served: Served): Promise<void> {
  closeConnections()
  signal('SIGTERM')
  expect(await ended(served)).toBe('ended')
}

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  for (const served of running.splice(0)) {
    if (served.end() !== undefined) continue
    signal('SIGTERM')
    signal('SIGINT')
    await served.over
  }
})

const portOf = (served: Served) => Number(new URL(served.url()).port)

/** What a connection to the port ends with. */
const connection = (port: number) =>
  new Promise<string>((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => {
      socket.destroy()
      resolve('open')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })

/** An upload whose content is not sent yet. */
function heldUpload(served: Served) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-length': '3', expect: '100-continue' }
  const sent = request(`${served.url()}/upload/drive/v2/files?uploadType=media`, { method: 'POST', headers, agent: false }) // prettier-ignore
  const answer = new Promise<number | string>((resolve) => {
    sent.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('error', () => resolve('broken off'))
  })
  const isTaken = new Promise<void>((resolve) => void sent.once('continue', resolve))
  sent.flushHeaders()
  return { answer, isTaken, send: () => sent.end('abc') }
}

test('a service by its defaults', async () => {
  const store = await newStore('defaults')
  const served = await started(store)
  const { path } = store.folder
  expect(served.said()).toBe(`hla: serving the files in ${path} on http://127.0.0.1:${portOf(served)}\n`)
  const about = await served.ask('GET', '/drive/v2/about', {
    token: undefined,
    query: { access_token: TOKEN },
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
  })
  expect([about.status, about.json.selfLink]).toEqual([200, `${served.url()}/drive/v2/about`])
  const made = await served.ask('POST', '/drive/v2/files', { body: { title: 'x' } })
  const channel = { id: 'c', type: 'web_hook', address: 'http://127.0.0.1:1/' }
  const watched = await served.ask('POST', `/drive/v2/files/${made.json.id}/watch`, { body: channel })
  expect([watched.status, watched.json.error.message]).toEqual([400, 'WebHook callback must be HTTPS.'])
  const listed = await served.ask('GET', '/drive/v2/files', { query: { q: `title = 'x'` } })
  expect([listed.status, listed.json.items]).toMatchObject([200, [{ id: made.json.id }]])
  expect(served.lines.join('')).toContain('"route":"/drive/v2/about"')
  const send = await connectInFolder(store.folder)
  const users = await send?.({ method: 'GET', url: `${ADMIN_ROOT}/users`, body: undefined })
  expect([users?.status, users?.text]).toEqual([200, expect.stringContaining('ada@lab.example')])
  await stop(served)
  expect(existsSync(join(path, 'service.sock'))).toBe(false)
  expect(await connection(portOf(served))).toBe('ECONNREFUSED')
  await store.close()
})

test('a service by other options, which is quiet', async () => {
  const store = await newStore('options')
  const port = await freePort()
  const served = serve(store, {
    port,
    quiet: true,
    trustProxy: true,
    queryToken: false,
    allowLocalNotifications: true,
    accessLog: 'off',
  })
  await expect.poll(() => connection(port)).toBe('open')
  const url = `http://127.0.0.1:${port}`
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'files.example' }
  const about = await ask(`${url}/drive/v2/about`, 'GET', { token: TOKEN, headers })
  expect(about.json.selfLink).toBe('https://files.example/drive/v2/about')
  const inQuery = await ask(`${url}/drive/v2/about`, 'GET', { query: { access_token: TOKEN } })
  expect(inQuery.status).toBe(401)
  const made = await ask(`${url}/drive/v2/files`, 'POST', { token: TOKEN, body: { title: 'x' } })
  const body = { id: 'c', type: 'web_hook', address: 'http://127.0.0.1:1/' }
  const watched = await ask(`${url}/drive/v2/files/${made.json.id}/watch`, 'POST', { token: TOKEN, body })
  expect(watched.status).toBe(200)
  await stop(served)
  expect([served.said(), served.lines]).toEqual(['', []])
  await store.close()
})

test('service accounts need an address: it is kept from the first start that has one', async () => {
  const store = await newStore('accounts')
  const warning =
    'hla: warning: service accounts get no tokens: the public address is unknown; set it with --public-url\n'
  /** What it says before the line of its start. */
  const saidOn = async (host: string) => {
    const served = await started(store, { host })
    const said = served.said()
    await stop(served)
    return said.replace(/hla: serving the files in \S+ on http:\/\/(?:\S+:)\d+\n$/, '')
  }
  expect(await saidOn('0.0.0.0')).toBe('')
  const key = { kid: 'k', publicKey: 'unused', mayImpersonate: false }
  await command(store, 'addAccount', OPERATOR, { email: 'robot@lab.example', ...key })
  expect(await saidOn('0.0.0.0')).toBe(warning)
  expect(await saidOn('::')).toBe(warning)
  expect(await saidOn('127.0.0.1')).toBe('')
  expect(await saidOn('0.0.0.0')).toBe('')
  await store.close()
})

test('a port in use: the service does not start, and leaves the folder to the next', async () => {
  const store = await newStore('in-use')
  const first = await started(store)
  const other = await newStore('in-use-too')
  const second = serve(other, { port: portOf(first) })
  expect(await ended(second)).toMatchObject({
    code: 'io',
    message: `cannot listen on 127.0.0.1:${portOf(first)}: the port is in use`,
  })
  expect(existsSync(join(other.folder.path, 'service.sock'))).toBe(false)
  await stop(first)
  await store.close()
  await other.close()
})

describe('the end', () => {
  test('waits for the answers under way, and takes nothing new', async () => {
    const store = await newStore('ending')
    const served = await started(store)
    const upload = heldUpload(served)
    await upload.isTaken
    signal('SIGINT')
    await expect.poll(() => connection(portOf(served))).toBe('ECONNREFUSED')
    expect(served.end()).toBeUndefined()
    upload.send()
    expect([await upload.answer, await ended(served)]).toEqual([200, 'ended'])
    await store.close()
  })

  test('breaks them off at a second signal', async () => {
    const store = await newStore('ending-at-once')
    const served = await started(store)
    const upload = heldUpload(served)
    await upload.isTaken
    signal('SIGTERM')
    signal('SIGTERM')
    expect([await upload.answer, await ended(served)]).toEqual(['broken off', 'ended'])
    await store.close()
  })

  test('comes when nothing can be written any more, whatever is under way', async () => {
    const store = await newStore('broken')
    const served = await started(store)
    const upload = heldUpload(served)
    await upload.isTaken
    const error = new Error('the disk is gone')
    served.break(error)
    expect([await upload.answer, await ended(served)]).toEqual(['broken off', error])
    expect(existsSync(join(store.folder.path, 'service.sock'))).toBe(false)
    await store.close()
  })

  test('waits for the rule that runs', async () => {
    const store = await newStore('rules')
    const caller = { user: 1, client: 1, scopes: ['drive' as const] }
    const { row } = await command(store, 'insertFile', caller, {
      body: { title: 'in', mimeType: 'application/vnd.google-apps.folder' },
    })
    const terms = { method: 'lgx', release: 'starter', match: undefined, withSubfolders: false }
    await command(store, 'addRule', caller, {
      folder: row.id,
      target: undefined,
      terms,
      includesExisting: true,
    })
    const order: string[] = []
    const gate: { open?: () => void } = {}
    const isOpen = new Promise<void>((resolve) => (gate.open = resolve))
    const watched: Store = {
      ...store,
      async write<Result>(...asked: Parameters<Store['write']>) {
        if (asked[0] !== 'noteRule') return store.write<Result>(...asked)
        order.push('a rule notes')
        await isOpen
        const result = await store.write<Result>(...asked)
        order.push('a rule has noted')
        return result
      },
    }
    const served = await started(watched)
    void served.over.then(() => order.push('ended'))
    await expect.poll(() => order).toEqual(['a rule notes'])
    signal('SIGTERM')
    await expect.poll(() => connection(portOf(served))).toBe('ECONNREFUSED')
    setTimeout(() => gate.open?.(), 50)
    await ended(served)
    expect(order).toEqual(['a rule notes', 'a rule has noted', 'ended'])
    await store.close()
  })
})

test('each hour the store is tidied as the options say, until the service ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const store = await newStore('tidied')
  const written: string[] = []
  const watched: Store = {
    ...store,
    write: <Result>(...asked: Parameters<Store['write']>) =>
      store.write<Result>(...asked).finally(() => written.push(asked[0])),
  }
  const served = await started(watched, { keepTrash: 1 })
  const { json } = await served.ask('POST', '/drive/v2/files', { body: { title: 'x' } })
  await served.ask('POST', `/drive/v2/files/${json.id}/trash`)
  vi.advanceTimersByTime(3_600_000)
  // the last step
  await expect.poll(() => written, { interval: 5 }).toContain(WITHDRAW)
  expect((await served.ask('GET', `/drive/v2/files/${json.id}`)).status).toBe(404)
  await stop(served)
  expect(vi.getTimerCount()).toBe(0)
  await store.close()
})

test('systemd is told when the service listens', async () => {
  const [folder, told] = [temp('programs'), temp('told')]
  execFileSync('mkdir', [folder])
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${told}\n`)
  chmodSync(join(folder, 'systemd-notify'), 0o755)
  vi.stubEnv('NOTIFY_SOCKET', '/run/systemd/notify')
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  const store = await newStore('systemd')
  const served = await started(store)
  await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8')).toBe('READY=1\n')
  await stop(served)
  await store.close()
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('with a certificate', () => {
  const [tlsCert, tlsKey] = [temp('cert.pem'), temp('key.pem')]
  const makeCertificate = (name: string) =>
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', `/CN=${name}`, '-keyout', tlsKey, '-out', tlsCert], { stdio: 'ignore' }) // prettier-ignore
  const shown = (served: Served) =>
    new Promise<string | undefined>((resolve, reject) => {
      const socket = connect({ port: portOf(served), host: '127.0.0.1', rejectUnauthorized: false }, () => {
        const { CN } = socket.getPeerCertificate().subject
        socket.destroy()
        resolve(CN === undefined ? undefined : String(CN))
      })
      socket.once('error', reject)
    })

  test('SIGHUP reads it and the log again; what cannot be read stays as it is', async () => {
    makeCertificate('first')
    const store = await newStore('tls')
    let isLogThere = true
    const lines: string[] = []
    const logFile = {
      write: (line: string) => void lines.push(line),
      flush: () => undefined,
      reopen() {
        if (!isLogThere) throw new Error('no such folder')
        lines.push('reopened')
      },
    }
    const served = await started(store, { tlsCert, tlsKey, logFile })
    const start = `hla: serving the files in ${store.folder.path} on https://127.0.0.1:${portOf(served)}\n`
    expect([served.said(), await shown(served)]).toEqual([start, 'first'])
    makeCertificate('second')
    signal('SIGHUP')
    expect([await shown(served), lines.filter((line) => line === 'reopened')]).toEqual([
      'second',
      ['reopened'],
    ])
    rmSync(tlsCert)
    isLogThere = false
    signal('SIGHUP')
    expect(await shown(served)).toBe('second')
    const kept = 'could not be reloaded; the service goes on with the old state'
    expect(served.said().slice(start.length).split('\n')).toEqual([
      `hla: error: log ${kept}: no such folder`,
      expect.stringMatching(new RegExp(`^hla: error: certificate ${kept}: .*cert\\.pem`)),
      '',
    ])
    await stop(served)
    await store.close()
  })
})
