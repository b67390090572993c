/** Standard streams of a run: what is written there, what is read, and what happens when it cannot be. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openLocalInput } from '../../src/io/file-port.ts'
import { asRun, currentRun, inputPath, type Streams, STREAMS } from '../../src/io/run.ts'
import { draw, isTerminal, tell, writeAll, writeOut } from '../../src/io/stdout.ts'
import { errorOf } from '../support/errors.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const isLinux = process.platform === 'linux'

function opened(path: string, flags: string): number {
  const file = openSync(path, flags)
  onTestFinished(() => closeSync(file))
  return file
}

/** Carries out `work` with these streams. */
function withStreams<T>(streams: Partial<Streams>, work: () => T): Promise<T> {
  return asRun(['some', 'words'], { ...STREAMS, output: 101, ...streams }, () => Promise.resolve(work()))
}

test('results and messages have a stream each; a message from outside is made visible, a drawing is not', async () => {
  const [output, messages] = [opened(temp('output'), 'w'), opened(temp('messages'), 'w')]
  await withStreams({ output, messages }, () => {
    writeOut('é\u001b')
    writeOut(Buffer.from([0, 0xff]))
    writeOut('')
    tell('a\u001b[2J\n')
    tell('b\u0007', (visible) => `\u001b[31m${visible}\u001b[0m`)
    draw('\r\u001b[K')
    expect(currentRun().words).toEqual(['some', 'words'])
  })
  expect(readFileSync(temp('output'))).toEqual(
    Buffer.concat([Buffer.from('é\u001b'), Buffer.from([0, 0xff])]),
  )
  expect(readFileSync(temp('messages'), 'utf8')).toBe('a\\x1b[2J\n\u001b[31mb\\x07\u001b[0m\r\u001b[K')
  expect(currentRun()).toMatchObject(STREAMS)
})

test.skipIf(!isLinux)('a full disk is an error for results, and nothing for messages', async () => {
  const full = opened('/dev/full', 'w')
  const said = { code: 'io', message: 'cannot write the output: no space left on device' }
  await withStreams({ output: full, messages: full }, () => {
    expect(errorOf(() => writeOut('x'))).toMatchObject({ ...said, cause: { code: 'ENOSPC' } })
    expect(errorOf(() => writeAll(full, 'x', 'a.csv'))?.message).toBe(
      said.message.replace('the output', 'a.csv'),
    )
    expect(errorOf(() => writeOut(''))).toBeUndefined()
    expect(errorOf(() => tell('x'))).toBeUndefined()
    expect(errorOf(() => draw('x'))).toBeUndefined()
  })
})

test('a file and a device are no terminal', async () => {
  const file = opened(temp('file'), 'w')
  const device = opened('/dev/null', 'r')
  const are = await withStreams({ input: device, output: file, messages: file }, () =>
    (['input', 'output', 'messages'] as const).map(isTerminal),
  )
  expect(are).toEqual([false, false, false])
})

test('standard input is a stream that is opened once, and has a path', async () => {
  writeFileSync(temp('input'), 'id,A_1\n')
  const input = opened(temp('input'), 'r')
  await asRun([], { ...STREAMS, input, output: 101 }, async () => {
    const { name, title, size, bytes } = openLocalInput('-')
    expect([name, title, size]).toEqual(['stdin', '-', undefined])
    const stream = bytes()
    expect(openLocalInput('-').bytes()).toBe(stream)
    let text = ''
    for await (const piece of stream) text += piece.toString()
    expect([text, inputPath()]).toEqual(['id,A_1\n', `/dev/fd/${input}`])
  })
  // it stays open for who opened it
  expect(() => readFileSync(input)).not.toThrow()
  expect(inputPath()).toBe('/dev/stdin')
})

test('files that a run has opened are closed at its end, also when it fails', async () => {
  for (const isFailing of [false, true]) {
    let file = 0
    const run = asRun([], { ...STREAMS, output: 101 }, async () => {
      file = openSync(temp('late'), 'w')
      currentRun().open.push(file)
      await Promise.resolve()
      if (isFailing) throw new Error('failed')
      return 'done'
    })
    expect(await run.catch((error: unknown) => String(error))).toBe(isFailing ? 'Error: failed' : 'done')
    expect(() => closeSync(file)).toThrow('EBADF')
    expect(currentRun().output).toBe(STREAMS.output)
  }
})
