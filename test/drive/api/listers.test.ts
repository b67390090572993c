/** A list that no process can make is refused at once, and never waits for ever. Idle processes end. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { type ListRequest, type Listers, startListers } from '../../../src/drive/api/lists/listers.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const open: Listers[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((listers) => listers.close()))
})

/**
 * A stand-in for the process of lists. It ends at its start while the file `broken` exists, notes its requests in
 * `asked`, and answers `held` once the file `held` is gone.
 */
const LISTER = `
const { appendFileSync, existsSync } = require('node:fs')
const [broken, asked, held] = process.argv.slice(2)
if (existsSync(broken)) process.exit(1)
process.on('disconnect', () => process.exit())
process.on('message', ({ url }) => {
  appendFileSync(asked, url + ' ' + process.pid + '\\n')
  if (url === 'end') process.exit(1)
  if (url.startsWith('held')) {
    const over = setInterval(() => {
      if (existsSync(held)) return
      clearInterval(over)
      process.send({ made: { etag: undefined, text: url } })
    }, 5)
    return
  }
  const text = url === 'pid' ? String(process.pid) : url
  setTimeout(() => process.send({ made: { etag: undefined, text } }), url === 'slow' ? 300 : 20)
})
process.send('ready')
`

/** `idle`: ms without a list after which the processes end. */
function lists(idle?: number, patience = 5000) {
  const [script, broken, asked, held] = [temp('lister.cjs'), temp('broken'), temp('asked'), temp('held')]
  for (const file of [broken, held]) rmSync(file, { force: true })
  writeFileSync(asked, '')
  writeFileSync(script, LISTER)
  const entry = [script, broken, asked, held] as const
  const idling = idle === undefined ? {} : { idle }
  const warnings: string[] = []
  const warn = (text: string) => void warnings.push(text)
  const listers = startListers({ entry, patience: () => patience, warn, ...idling })
  open.push(listers)
  const ask = async (user: number, url: string, gone?: AbortSignal, parameters = {}) =>
    (await listers.ask({ caller: { user }, url, parameters } as unknown as ListRequest, gone)).text
  const make = (user: number, url: string) =>
    ask(user, url).catch(({ status }: { readonly status: number }) => String(status))
  /** Requests to the processes, with the process of each. */
  const askedOf = () =>
    readFileSync(asked, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [url = '', pid] = line.split(' ')
        return { url, pid: Number(pid) }
      })
  const urls = () => askedOf().map(({ url }) => url)
  return { listers, ask, make, broken, held, warnings, askedOf, urls }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const FAILED = {
  status: 503,
  reason: 'backendError',
  message: 'The list or search failed; try again.',
  details: { retryAfter: 1 },
}

test('after the end of the service', async () => {
  const { listers, make } = lists()
  expect(await make(1, 'quick')).toBe('quick')
  await listers.close()
  expect(await make(1, 'quick')).toBe('503')
})

test('when only the process of slow lists is left, and no other can start', async () => {
  const { make, broken, warnings } = lists()
  expect(await make(1, 'slow')).toBe('slow')
  writeFileSync(broken, '')
  // both quick processes end, and so do those that take their places
  expect(await Promise.all([make(2, 'end'), make(3, 'end')])).toEqual(['503', '503'])
  const ended = 'a process for lists and searches ended: 1'
  expect(warnings).toEqual([ended, ended])
  expect(existsSync(broken)).toBe(true)
  expect(await make(4, 'quick')).toBe('503')
  rmSync(broken)
  expect(await make(4, 'quick')).toBe('quick')
})

test('its processes end when idle, and the next list starts others', async () => {
  const { make } = lists(200)
  const pids = async () => (await Promise.all([make(1, 'pid'), make(2, 'pid')])).map(Number)
  const first = await pids()
  await expect.poll(() => first.filter(isAlive), { timeout: 10_000 }).toEqual([])
  const later = await pids()
  expect(later.filter((pid) => first.includes(pid))).toEqual([])
  expect(await make(1, 'quick')).toBe('quick')
})

test('its processes stay while lists come, and while one is made', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { make, held, urls } = lists(1000, 60_000)
    const known = new Set<string>()
    while (known.size < 2)
      for (const pid of await Promise.all([make(1, 'pid'), make(2, 'pid')])) known.add(pid)
    for (let time = 0; time < 2; time += 1) {
      vi.advanceTimersByTime(900)
      expect([...known]).toContain(await make(1, 'pid'))
    }
    writeFileSync(held, '')
    const long = make(2, 'held')
    while (!urls().includes('held')) await new Promise(setImmediate)
    expect([...known]).toContain(await make(1, 'pid'))
    vi.advanceTimersByTime(1000)
    rmSync(held)
    expect(await long).toBe('held')
    vi.advanceTimersByTime(1000)
    expect([...known]).not.toContain(await make(1, 'pid'))
  } finally {
    vi.useRealTimers()
  }
})

test('when the service ends: what is being made and what waits', async () => {
  const { listers, ask, held, urls, warnings } = lists()
  writeFileSync(held, '')
  const lists503 = Promise.allSettled(['held', 'quick'].map((url) => ask(1, url)))
  await expect.poll(urls).toEqual(['held'])
  await listers.close()
  const refused = { status: 'rejected', reason: expect.objectContaining(FAILED) as unknown }
  expect(await lists503).toEqual([refused, refused])
  expect(warnings).toEqual([])
})

test('of one user after 100 that wait, and others are made', async () => {
  const { ask, make, held, urls } = lists()
  writeFileSync(held, '')
  const all = [make(1, 'held')]
  await expect.poll(urls).toEqual(['held'])
  all.push(...Array.from({ length: 100 }, () => make(1, 'held')))
  await expect(ask(1, 'more')).rejects.toMatchObject({
    status: 503,
    reason: 'backendError',
    message: 'Too many lists and searches are running; try again.',
    details: { retryAfter: 1 },
  })
  expect(await make(2, 'quick')).toBe('quick')
  rmSync(held)
  expect(new Set(await Promise.all(all))).toEqual(new Set(['held']))
  expect(urls()).not.toContain('more')
})

test('that takes too long, with its limit', async () => {
  const { ask } = lists(undefined, 40)
  const message = (what: string) =>
    `The ${what} took too long and was stopped after 0.04 seconds. Request fewer items, or use fewer conditions.`
  const refusal = { status: 400, reason: 'invalid' }
  await expect(ask(1, 'slow')).rejects.toMatchObject({ ...refusal, message: message('list'), details: {} })
  await expect(ask(1, 'slow', undefined, { q: 'starred' })).rejects.toMatchObject({
    ...refusal,
    message: message('search'),
    details: { location: 'q' },
  })
})

test('whose client has gone: it is not made any more', async () => {
  const { ask, make, held, urls, askedOf } = lists()
  writeFileSync(held, '')
  const [waiting, running] = [new AbortController(), new AbortController()]
  const first = ask(1, 'held', running.signal)
  const second = ask(1, 'second', waiting.signal)
  await expect.poll(urls).toEqual(['held'])
  waiting.abort()
  await expect(second).rejects.toMatchObject(FAILED)
  running.abort()
  await expect(first).rejects.toMatchObject(FAILED)
  rmSync(held)
  expect(await make(1, 'third')).toBe('third')
  expect(urls()).toEqual(['held', 'third'])
  expect(askedOf()).toHaveLength(2)
})

test('a third slow list waits for one of the two processes of slow lists, and all are made', async () => {
  const { make, held, askedOf, urls } = lists()
  writeFileSync(held, '')
  const all = [make(1, 'held1'), make(2, 'held2')]
  await expect.poll(() => urls().toSorted()).toEqual(['held1', 'held2'])
  all.push(make(3, 'held3'))
  await expect.poll(() => urls().includes('held3')).toBe(true)
  const first = askedOf().find(({ url }) => url === 'held3')?.pid ?? 0
  await expect.poll(() => isAlive(first)).toBe(false)
  expect(await make(4, 'quick')).toBe('quick')
  rmSync(held)
  expect(await Promise.all(all)).toEqual(['held1', 'held2', 'held3'])
  const of = (url: string) => askedOf().filter((one) => one.url === url)
  expect([of('held1').length, of('held2').length, of('held3').length]).toEqual([1, 1, 2])
  expect([...of('held1'), ...of('held2')].map(({ pid }) => pid)).toContain(of('held3')[1]?.pid)
})

test('a third slow list goes on in its process where one of slow lists is idle, which ends', async () => {
  const { make, held, askedOf } = lists()
  expect(await Promise.all([make(1, 'slow'), make(2, 'slow')])).toEqual(['slow', 'slow'])
  const idle = askedOf().map(({ pid }) => pid)
  writeFileSync(held, '')
  const third = make(3, 'held3')
  await expect.poll(() => idle.filter(isAlive)).toHaveLength(1)
  rmSync(held)
  expect(await third).toBe('held3')
  expect(askedOf().filter(({ url }) => url === 'held3')).toHaveLength(1)
})
