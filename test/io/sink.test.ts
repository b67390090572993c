/** Sinks: in which order bytes arrive, what a member of compressed output has, and who listens for signals. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { onInterrupt } from '../../src/io/interrupt.ts'
import { asRun, currentRun, ownsProcess } from '../../src/io/run.ts'
import { bufferedSink, type ByteSink, openSink, packSink, withSink } from '../../src/io/sink.ts'
import { tempFolder } from '../support/temp.ts'

const MIB = 1024 ** 2
const temp = tempFolder()

/** A sink of bytes that notes each call, and a text of more than 20 bytes by its length. */
function noted() {
  const log: string[] = []
  const note = (what: string) => () => void log.push(what)
  const ends: ByteSink = {
    emit: (bytes) => void log.push(bytes.length > 20 ? String(bytes.length) : Buffer.from(bytes).toString()),
    ready: () => undefined,
    identity: () => undefined,
    complete: note('complete'),
    finish: note('finish'),
    abandon: note('abandon'),
  }
  return { log, ends }
}

describe('text', () => {
  test('is written before bytes that follow it, and once', () => {
    const { log, ends } = noted()
    const sink = bufferedSink(ends)
    sink.write('a')
    sink.write('b')
    sink.writeBytes(Buffer.from('c'))
    sink.write('d')
    sink.flush()
    sink.flush()
    sink.write('é')
    void sink.complete()
    void sink.finish()
    expect(log).toEqual(['ab', 'c', 'd', 'é', 'complete', 'finish'])
  })

  test('is written when there is much of it', () => {
    const { log, ends } = noted()
    const sink = bufferedSink(ends)
    for (const length of [65_535, 1, 40_000, 40_000, 5]) sink.write('x'.repeat(length))
    expect(log).toEqual(['65536', '80000'])
    void sink.abandon()
    expect(log.slice(2)).toEqual(['abandon'])
  })

  test('is encoded as a whole', () => {
    const { log, ends } = noted()
    const sink = bufferedSink(ends, (text) => Buffer.from(`[${text}]`))
    sink.write('a')
    sink.write('b')
    void sink.finish()
    expect(log).toEqual(['[ab]', 'finish'])
  })
})

describe('members of compressed output', () => {
  const packed = (ends: ByteSink) => packSink(ends, (bytes) => Buffer.from(`<${bytes.length}>`))

  test.for([
    [[], ['<0>']],
    [[5], ['<5>']],
    [[MIB], [`<${MIB}>`]],
    [
      [MIB - 1, 1, 7],
      [`<${MIB}>`, '<7>'],
    ],
    [
      [1, 3 * MIB],
      [`<${MIB}>`, `<${MIB}>`, `<${MIB}>`, '<1>'],
    ],
  ] as const)('of %j bytes are %j', ([lengths, members]) => {
    const { log, ends } = noted()
    const { emit, complete, finish } = packed(ends)
    for (const length of lengths) emit(Buffer.alloc(length))
    // all is there before the end is prepared, and nothing follows
    void complete()
    expect(log).toEqual([...members, 'complete'])
    void finish()
    expect(log.slice(members.length)).toEqual(['complete', 'finish'])
  })

  test('are written as soon as they are full', () => {
    const { log, ends } = noted()
    const { emit, finish } = packed(ends)
    emit(Buffer.alloc(MIB - 1))
    expect(log).toEqual([])
    emit(Buffer.alloc(1))
    expect(log).toEqual([`<${MIB}>`])
    emit(Buffer.alloc(2 * MIB))
    expect(log).toEqual([`<${MIB}>`, `<${MIB}>`, `<${MIB}>`])
    void finish()
    expect(log.slice(3)).toEqual(['finish'])
  })

  test('are all there at an end that was not prepared', () => {
    const { log, ends } = noted()
    const { emit, finish } = packed(ends)
    emit(Buffer.alloc(3))
    void finish()
    expect(log).toEqual(['<3>', 'finish'])
  })

  test('have the bytes as they were given', () => {
    const { log, ends } = noted()
    const { emit, finish } = packSink(ends, (bytes) => Buffer.from(bytes))
    const memory = Buffer.from('a')
    emit(memory)
    memory[0] = 0x62
    emit(memory)
    void finish()
    expect(log).toEqual(['ab', 'finish'])
  })

  test('are none without compression', () => {
    const { ends } = noted()
    expect(packSink(ends, undefined)).toBe(ends)
  })
})

describe('withSink', () => {
  const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal))

  test('listens while it writes, and abandons what fails', async () => {
    const before = listeners()
    const { log, ends } = noted()
    const written = await withSink(bufferedSink(ends), async (sink) => {
      await Promise.resolve()
      expect(listeners()).toEqual(before.map((count) => count + 1))
      void sink.finish()
      return 'done'
    })
    const failed = withSink(bufferedSink(ends), async () => {
      await Promise.resolve()
      throw new Error('failed')
    })
    await expect(failed).rejects.toThrow('failed')
    expect([written, log]).toEqual(['done', ['finish', 'abandon']])
    expect(listeners()).toEqual(before)
  })
})

describe('a signal', () => {
  const end = vi.fn<(status: number) => void>()
  /** Listens, and gives what signals do. */
  function listen(cleanUp: () => Promise<unknown> | void) {
    const on = vi.spyOn(process, 'on')
    onTestFinished(onInterrupt(cleanUp))
    const listeners = new Map(on.mock.calls as [signal: unknown, listener: () => void][])
    on.mockRestore()
    return (signal: string) => listeners.get(signal)?.()
  }

  beforeEach(() => {
    end.mockReset()
    vi.useFakeTimers()
    vi.spyOn(process, 'exit').mockImplementation(end as never)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends with %i', ([signal, status]) => {
    const cleanUp = vi.fn<() => void>()
    listen(cleanUp)(signal)
    expect([cleanUp.mock.calls.length, end.mock.calls]).toEqual([1, [[status]]])
  })

  test.for([
    ['done', () => Promise.resolve()],
    ['failed', () => Promise.reject(new Error('failed'))],
  ] as const)('waits until cleaning up is %s', async ([, work]) => {
    listen(async () => {
      await new Promise((next) => setTimeout(next, 5))
      await work()
    })('SIGINT')
    await vi.advanceTimersByTimeAsync(4)
    expect(end).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(end.mock.calls).toEqual([[130]])
  })

  test('waits three seconds for it, and a second one not at all', () => {
    const cleanUp = vi.fn<() => Promise<void>>(() => new Promise(() => undefined))
    const send = listen(cleanUp)
    send('SIGINT')
    vi.advanceTimersByTime(2999)
    expect(end).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(end.mock.calls).toEqual([[130]])
    send('SIGTERM')
    expect([cleanUp.mock.calls.length, end.mock.calls]).toEqual([1, [[130], [143]]])
  })
})

test('what fails is cleaned up before it is told', async () => {
  const { log, ends } = noted()
  const abandon = async () => {
    await new Promise((next) => setImmediate(next))
    log.push('cleaned up')
  }
  const failed = withSink(bufferedSink({ ...ends, abandon }), () => Promise.reject(new Error('failed')))
  await failed.catch(() => log.push('told'))
  expect(log).toEqual(['cleaned up', 'told'])
})

test('a run has its own words and streams until it ends', async () => {
  const outer = currentRun()
  const streams = { input: 100, output: 101, messages: 102 }
  const seen = await asRun(['x'], streams, async () => {
    await Promise.resolve()
    return [currentRun().words, currentRun().output, ownsProcess()]
  })
  expect(seen).toEqual([['x'], 101, false])
  // the process's own begins behind the program
  expect(outer.words).not.toContain(process.argv[1])
  expect([currentRun() === outer, ownsProcess()]).toEqual([true, true])
})

test.for([
  ['a.csv', (bytes: Buffer) => bytes],
  ['a.csv.gz', (bytes: Buffer) => gunzipSync(bytes)],
] as const)('a file is %s, by its name, in the encoding that is asked for', async ([name, unpack]) => {
  for (const [options, written] of [
    [{}, 'é,1'],
    [{ encode: (text: string) => Buffer.from(text, 'latin1') }, Buffer.from('é,1', 'latin1')],
  ] as const) {
    const sink = await openSink(temp(name), options)
    sink.write('é')
    sink.write(',1')
    await sink.complete()
    expect(existsSync(temp(name))).toBe(false)
    await sink.finish()
    expect(unpack(readFileSync(temp(name)))).toEqual(Buffer.from(written as string))
    rmSync(temp(name))
  }
  const sink = await openSink(temp(name))
  sink.write('x')
  await sink.abandon()
  expect(readdirSync(temp(''))).toEqual([])
})
