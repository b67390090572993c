/** The reserve on the disk of a database, by sizes beside the space that is free now. */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { Connection } from '../../../src/drive/persistence/database/connection.ts'
import {
  type DiskReserve,
  diskReserve,
  freeBytes,
  openReserve,
  openRoom,
} from '../../../src/drive/persistence/disk-reserve.ts'
import { storeFolder } from '../../../src/drive/persistence/folder.ts'
import { NOBODY } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const MIB = 1 << 20
afterEach(() => vi.useRealTimers())

/** A reserve in a folder of its own. */
function reserveOf(name: string, size: number) {
  mkdirSync(temp(name), { recursive: true })
  const data = { database: join(temp(name), 'store.db'), size, state: new SharedArrayBuffer(4) }
  return { ...diskReserve(data), other: diskReserve(data), file: join(temp(name), 'reserve') }
}

const free = () => freeBytes(statfsSync(temp('.')))

/** A file of this size that takes no space. */
function sparse(path: string, size: number): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, size)
  closeSync(file)
}

test('is a file of its size that takes its space, until it is given up', () => {
  const { restore, giveUp, isFull, look, other, file } = reserveOf('made', 3 * MIB + 4096)
  expect([isFull(), existsSync(file)]).toEqual([false, false])
  restore()
  const { size, mode, blocks, ino } = statSync(file)
  expect([size, mode & 0o777, blocks * 512 >= size]).toEqual([3 * MIB + 4096, 0o600, true])
  const bytes = readFileSync(file)
  expect(bytes.subarray(0, MIB).some((byte) => byte !== 0)).toBe(true)
  expect(bytes.subarray(0, 4096).equals(bytes.subarray(2 * MIB, 2 * MIB + 4096))).toBe(true)
  expect(readdirSync(temp('made'))).toEqual(['reserve'])
  // what is whole stays
  restore()
  expect(statSync(file).ino).toBe(ino)
  expect([look(), isFull(), other.isFull()]).toEqual([false, false, false])
  giveUp()
  expect([isFull(), other.isFull(), readdirSync(temp('made'))]).toEqual([true, true, []])
  giveUp()
  other.restore()
  expect([isFull(), statSync(file).size]).toEqual([false, 3 * MIB + 4096])
})

test.for<[name: string, put: (file: string) => void]>([
  ['a sparse file', (file) => sparse(file, 2 * MIB)],
  ['a shorter file', (file) => writeFileSync(file, 'x'.repeat(MIB))],
  ['a longer file', (file) => writeFileSync(file, 'x'.repeat(2 * MIB + 1))],
])('is made anew in place of %s', ([name, put]) => {
  const { restore, isFull, file } = reserveOf(name, 2 * MIB)
  put(file)
  restore()
  const { size, blocks } = statSync(file)
  expect([size, blocks * 512 >= size, isFull()]).toEqual([2 * MIB, true, false])
})

test.for([
  ['of an eighth of what is free', 1 / 8, false, false],
  ['of half of what is free', 1 / 2, true, false],
  ['of twice what is free', 2, true, false],
  ['of eight times what is free', 8, true, true],
] as const)('%s: a checkpoint is due, or the disk is full', ([name, share, isDue, isGivenUp]) => {
  const { look, isFull, file } = reserveOf(name, Math.floor(free() * share))
  writeFileSync(file, 'x')
  expect([look(), isFull(), existsSync(file)]).toEqual([isDue, isGivenUp, !isGivenUp])
  // what is full already stays so
  expect([look(), isFull()]).toEqual([isDue, isGivenUp])
})

test('a checkpoint is due for a log that would fill the disk', () => {
  const { look, isFull } = reserveOf('log', MIB)
  expect(look()).toBe(false)
  sparse(join(temp('log'), 'store.db-wal'), 2 * free())
  expect([look(), isFull()]).toEqual([true, false])
})

test('is not made where there is no room, nor in a folder that is gone', () => {
  const large = reserveOf('no room', 2 * free())
  large.restore()
  expect([large.isFull(), readdirSync(temp('no room'))]).toEqual([true, []])
  const blocked = reserveOf('blocked', MIB)
  mkdirSync(`${blocked.file}/folder`, { recursive: true })
  const made = () => readdirSync(temp('blocked'))
  expect(() => blocked.restore()).toThrow('reserve')
  expect([blocked.isFull(), made()]).toEqual([false, ['reserve']])
})

test('of a service is made at once, and again when it was given up', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  mkdirSync(temp('service'))
  const warnings: string[] = []
  const reserve = openReserve(storeFolder(temp('service')), (text) => void warnings.push(text))
  if (reserve === undefined) throw new Error('the disk is too small')
  const { blocks, bsize } = statfsSync(temp('service'))
  const size = Math.min(32 * MIB, Math.floor((blocks * bsize) / 16 / 4096) * 4096)
  const sizeNow = () => statSync(join(temp('service'), 'reserve'), { throwIfNoEntry: false })?.size
  expect([sizeNow(), reserve.data.size, reserve.data.database]).toEqual([
    size,
    size,
    join(temp('service'), 'store.db'),
  ])
  reserve.giveUp()
  vi.advanceTimersByTime(999)
  expect([reserve.isFull(), sizeNow()]).toEqual([true, undefined])
  vi.advanceTimersByTime(1)
  expect([reserve.isFull(), sizeNow()]).toEqual([false, size])
  reserve.giveUp()
  reserve.close()
  vi.advanceTimersByTime(5000)
  expect([reserve.isFull(), warnings]).toEqual([true, []])
})

test('without one each command is admitted; on a full disk those that free space, and all while pages are free', () => {
  const add = { command: 'add', caller: NOBODY, input: undefined }
  const remove = { ...add, command: 'remove' }
  const ofStore = { ...add, command: 'store: forget removals' }
  const all = openRoom({} as Connection, undefined)
  all.begin()
  all.exhausted()
  expect([all.isShort(), all.admits(add)]).toEqual([false, true])
  const state = { isFull: false, free: 99, counts: 0 }
  const connection = {
    get: () => {
      state.counts += 1
      return { bytes: state.free }
    },
  } as unknown as Connection // what a room asks
  const reserve = {
    data: { size: 100 },
    look: () => state.isFull,
    isFull: () => state.isFull,
    giveUp: () => (state.isFull = true),
  } as unknown as DiskReserve
  const room = openRoom(connection, reserve, ({ command }) => command === 'remove')
  const admitted = () => [add, remove, ofStore].map((asked) => room.admits(asked))
  expect([room.isShort(), ...admitted(), state.counts]).toEqual([false, true, true, true, 0])
  room.exhausted()
  expect([...admitted(), state.counts]).toEqual([false, true, true, 1])
  // of one transaction the pages are counted once
  state.free = 100
  expect([...admitted(), room.isShort(), state.counts]).toEqual([false, true, true, false, 1])
  room.begin()
  expect([...admitted(), room.isShort(), state.counts]).toEqual([true, true, true, true, 2])
  const strict = openRoom({ get: () => undefined } as unknown as Connection, reserve)
  expect([add, remove, ofStore].map((asked) => strict.admits(asked))).toEqual([false, false, true])
  expect(strict.isShort()).toBe(true)
})
