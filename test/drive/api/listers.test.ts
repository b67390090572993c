/** A list that no process can make is refused at once, and never waits for ever. Idle processes end. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { type ListRequest, type Listers, startListers } from '../../../src/drive/api/lists/listers.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const open: Listers[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((listers) => listers.close()))
})

/** A stand-in for the process of lists. It ends at its start while the file exists that it is given. */
const LISTER = `
const { existsSync } = require('node:fs')
if (existsSync(process.argv[2])) process.exit(1)
process.on('disconnect', () => process.exit())
process.on('message', ({ url }) => {
  if (url === 'end') process.exit(1)
  const text = url === 'pid' ? String(process.pid) : url
  setTimeout(() => process.send({ made: { etag: undefined, text } }), url === 'slow' ? 300 : 20)
})
process.send('ready')
`

/** `idle`: ms without a list after which the processes end. */
function lists(idle?: number): {
  listers: Listers
  make: (user: number, url: string) => Promise<string>
  broken: string
} {
  const [script, broken] = [temp('lister.cjs'), temp('broken')]
  rmSync(broken, { force: true })
  writeFileSync(script, LISTER)
  const entry = [script, broken] as const
  const idling = idle === undefined ? {} : { idle }
  const listers = startListers({ entry, patience: () => 5000, warn: () => undefined, ...idling })
  open.push(listers)
  const make = (user: number, url: string) =>
    listers.ask({ caller: { user }, url, parameters: {} } as unknown as ListRequest).then(
      ({ text }) => text,
      ({ status }: { readonly status: number }) => String(status),
    )
  return { listers, make, broken }
}

test('after the end of the service', async () => {
  const { listers, make } = lists()
  expect(await make(1, 'quick')).toBe('quick')
  await listers.close()
  expect(await make(1, 'quick')).toBe('503')
})

test('when only the process of slow lists is left, and no other can start', async () => {
  const { make, broken } = lists()
  expect(await make(1, 'slow')).toBe('slow')
  writeFileSync(broken, '')
  // both quick processes end, and so do those that take their places
  expect(await Promise.all([make(2, 'end'), make(3, 'end')])).toEqual(['503', '503'])
  expect(existsSync(broken)).toBe(true)
  expect(await make(4, 'quick')).toBe('503')
  rmSync(broken)
  expect(await make(4, 'quick')).toBe('quick')
})

test('its processes end when idle, and the next list starts others', async () => {
  const { make } = lists(200)
  const pids = async () => (await Promise.all([make(1, 'pid'), make(2, 'pid')])).map(Number)
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const first = await pids()
  await expect.poll(() => first.filter(isAlive), { timeout: 10_000 }).toEqual([])
  const later = await pids()
  expect(later.filter((pid) => first.includes(pid))).toEqual([])
  expect(await make(1, 'quick')).toBe('quick')
})
