/** A sink that a consumer reads piece by piece: the producer never runs ahead, and stops with the consumer. */
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readableSink } from '../../src/io/readable-sink.ts'

/** Writes `pieces` pieces, and waits after each. */
async function write(
  sink: ReturnType<ReturnType<typeof readableSink>['open']>,
  pieces: number,
  log: number[],
) {
  const memory = Buffer.alloc(1)
  for (let one = 0; one < pieces; one += 1) {
    memory[0] = one
    sink.writeBytes(memory)
    log.push(one)
    await sink.ready()
  }
  sink.write('end')
  await sink.finish()
  return 'done'
}

test('each piece is made when the one before was taken, and the last comes with the end', async () => {
  const taken = readableSink()
  const log: number[] = []
  const pieces = taken.pieces(() => write(taken.open(), 3, log))
  const texts: string[] = []
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    if (next.done === true) {
      expect(next.value).toBe('done')
      break
    }
    texts.push(Buffer.from(next.value).toString('latin1'))
    await setTimeout(5)
    expect(log.length).toBeLessThanOrEqual(texts.length)
  }
  expect(texts).toEqual(['\0', '\u0001', '\u0002', 'end'])
})

test('who stops taking ends it', async () => {
  const taken = readableSink()
  const log: number[] = []
  let ended: unknown
  const pieces = taken.pieces(() =>
    write(taken.open(), 100, log).catch((error: unknown) => {
      ended = error
      throw error
    }),
  )
  await pieces.next()
  await pieces.return('done')
  await setTimeout(5)
  expect(ended).toMatchObject({ name: 'ReaderStopped', message: 'the reader of the output has stopped' })
  expect(log.length).toBeLessThan(3)
})

test('who stops taking while it works ends it at its next wait', async () => {
  const taken = readableSink()
  let ended: unknown
  const pieces = taken.pieces(async () => {
    const sink = taken.open()
    sink.writeBytes(Buffer.from('a'))
    await setTimeout(5)
    try {
      await sink.ready()
    } catch (error) {
      ended = error
    }
  })
  await pieces.next()
  await pieces.return(undefined)
  await setTimeout(10)
  expect(ended).toMatchObject({ name: 'ReaderStopped' })
})

test('an error comes behind the pieces before it', async () => {
  const taken = readableSink()
  const pieces = taken.pieces(async () => {
    await write(taken.open(), 1, [])
    throw new Error('too late')
  })
  const texts: string[] = []
  await expect(
    (async () => {
      for await (const piece of pieces) texts.push(Buffer.from(piece).toString('latin1'))
    })(),
  ).rejects.toThrow('too late')
  expect(texts).toEqual(['\0', 'end'])
})
