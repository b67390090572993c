/** The log of a service: nothing of a request but its id, lines in batches, a file that rotation may move. */
import fs, { existsSync, readdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import fastify from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { LostContent, makeLogger, openLogFile, requestIds } from '../../src/web/log.ts'
import { errorOf } from '../support/errors.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

describe('an error', () => {
  /** The line logged for it. */
  function logged(err: unknown): unknown {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    fastify({ logger: makeLogger({ stream, access: false }) }).log.error({ err }, 'failed')
    return JSON.parse(lines.join(''))
  }

  const system = Object.assign(new Error('ENOSPC: no space left'), { syscall: 'write' })

  test.for([
    ['a bug', new TypeError('A*01:01\nB*07:02'), 'TypeError', ''],
    ['a system error', system, 'Error', 'ENOSPC: no space left'],
    ['its consequence', new Error('A*01:01', { cause: system }), 'Error', 'ENOSPC: no space left'],
    ['lost content', new LostContent('a file is lost'), 'LostContent', 'a file is lost'],
  ] as const)('%s is logged without what it may repeat', ([, error, type, message]) => {
    const line = logged(error)
    expect(line).toMatchObject({ level: 50, msg: 'failed', err: { type, message } })
    expect(JSON.stringify(line)).not.toMatch(/01:01|07:02/)
    expect(line).toMatchObject({
      err: { stack: expect.stringMatching(/^(?: {4}at .*(?:\n|$))+$/) as unknown },
    })
  })

  test('a value that is none has its type only', () => {
    expect(logged('A*01:01')).toMatchObject({ err: { type: 'string', message: '', stack: '' } })
  })
})

test.for([
  [false, ['careful']],
  [true, ['asked', 'careful']],
] as const)('with requests: %s', ([access, messages]) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { log } = fastify({ logger: makeLogger({ stream, access }) })
  log.info({ req: { url: '/A*01:01' }, res: { headers: 'A*01:01' } }, 'asked')
  log.warn('careful')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(messages)
  expect(lines.join('')).not.toContain('01:01')
})

test('no log without a place for it', () => {
  expect(makeLogger({ stream: undefined, access: true })).toBe(false)
})

test('a request keeps its id if that is one, and gets another if not', () => {
  const idOf = requestIds()
  const asked = (id: unknown) => idOf({ headers: { 'x-request-id': id } })
  for (const id of ['a.B-1_', 'a'.repeat(64)]) expect(asked(id)).toBe(id)
  const given = ['a'.repeat(65), '', ' a', 'a ', 'a b', ['a'], undefined].map(asked)
  const [start = ''] = (given[0] ?? '').split('-')
  expect(start).toMatch(/^[\da-f]{8}$/)
  expect(given).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `${start}-${number}`))
})

describe('a file', () => {
  afterEach(() => void vi.useRealTimers())

  test('gets lines when there are many, when asked, and soon', () => {
    vi.useFakeTimers()
    const path = temp('many.log')
    const file = openLogFile(path)
    const written = () => readFileSync(path, 'utf8').length
    for (const text of ['a'.repeat(4095), 'a']) file.write(text)
    expect(written()).toBe(0)
    file.write('b')
    expect(written()).toBe(4096)
    file.flush()
    expect(written()).toBe(4097)
    for (const length of [4098, 4099]) {
      vi.advanceTimersByTime(150)
      file.write('c')
      vi.advanceTimersByTime(199)
      expect(written()).toBe(length - 1)
      vi.advanceTimersByTime(1)
      expect(written()).toBe(length)
    }
  })

  test('is opened again where rotation moved it away', () => {
    const path = temp('rotated.log')
    const file = openLogFile(path)
    file.write('one\n')
    renameSync(path, `${path}.1`)
    file.reopen()
    file.write('two\n')
    file.flush()
    expect([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['one\n', 'two\n'])
    expect(openPaths()).not.toContain(`${path}.1`)
  })

  test('is added to', () => {
    const path = temp('added.log')
    for (const line of ['one\n', 'two\n']) {
      const file = openLogFile(path)
      file.write(line)
      file.flush()
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  })

  test('that cannot be written is refused at once', () => {
    const path = temp('none/a.log')
    expect(errorOf(() => openLogFile(path))).toMatchObject({
      code: 'io',
      message: `cannot write ${path}: no such file or directory`,
      offending: path,
    })
    expect(existsSync(path)).toBe(false)
  })
})

/** Paths of the open files of this process; empty where the system does not tell. */
function openPaths(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').map((number) => {
    const link = `/proc/self/fd/${number}`
    return existsSync(link) ? readlinkSync(link) : ''
  })
}

describe('a standard stream', () => {
  /** What is written for these lines, behind the number of its file. */
  function written(where: string, lines: readonly string[]): string[] {
    const said: string[] = []
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(((file: number, text: string) => {
      said.push(`${file} ${text}`)
    }) as never)
    syncBuiltinESMExports()
    try {
      for (const line of lines) {
        const file = openLogFile(where)
        file.reopen()
        file.write(line)
        file.flush()
        file.flush()
      }
    } finally {
      write.mockRestore()
      syncBuiltinESMExports()
    }
    return said
  }

  test('gets the lines as they are', () => {
    expect(written('-', ['{"level":30}\n'])).toEqual(['1 {"level":30}\n'])
  })

  test('without a log gets warnings and errors, as other messages are', () => {
    const own = { time: 1, pid: 2, hostname: 'a' }
    const lines = [
      { level: 40, ...own, msg: 'cannot answer', reqId: 'r-1', code: 'no-hats' },
      { level: 40, ...own, msg: 'careful' },
      {
        level: 50,
        ...own,
        msg: 'failed',
        err: { type: 'TypeError', message: '', stack: '    at a\n    at b' },
      },
      { level: 60, ...own, msg: 'failed', err: { type: 'Error', message: 'ENOSPC', stack: '' } },
    ]
    expect(
      written(
        'off',
        lines.map((line) => JSON.stringify(line)),
      ),
    ).toEqual([
      '2 hla: warning: cannot answer (reqId=r-1 code=no-hats)\n',
      '2 hla: warning: careful\n',
      '2 hla: error: failed: TypeError\n    at a\n    at b\n',
      '2 hla: error: failed: Error: ENOSPC\n',
    ])
  })
})
