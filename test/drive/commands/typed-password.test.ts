/** A password typed at a terminal, where no letter of it is shown. */
import { PassThrough } from 'node:stream'
import { beforeEach, expect, test, vi } from 'vitest'
import { readPassword } from '../../../src/drive/commands/password-file.ts'

const told: string[] = []
/** What is typed at each prompt. */
let keys: string[] = []
let terminal = new PassThrough()

vi.mock('../../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  isTerminal: (stream: string) => stream === 'input',
  tell(text: string) {
    told.push(text)
    if (text.endsWith(': ')) setImmediate(() => terminal.write(keys.shift() ?? ''))
  },
}))
vi.mock('../../../src/io/run.ts', async (original) => ({
  ...(await original<object>()),
  inputStream: () => terminal,
}))

beforeEach(() => {
  told.length = 0
  terminal = new PassThrough()
})

const PROMPTS = ['Password: ', '\n', 'Repeat the password: ', '\n']

test('is read twice', async () => {
  keys = ['correct horse\n', 'correct horse\n']
  expect(await readPassword('-')).toBe('correct horse')
  expect(told).toEqual(PROMPTS)
})

test.for([
  ['two that differ', ['correct horse\n', 'correct house\n'], 'the two passwords differ', PROMPTS],
  ['Ctrl-C', ['corr\u0003'], 'no password was given', PROMPTS.slice(0, 1)],
  ['Ctrl-C at the second', ['corr\n', '\u0003'], 'no password was given', PROMPTS.slice(0, 3)],
] as const)('%s: refused', async ([, typed, message, prompts]) => {
  keys = [...typed]
  await expect(readPassword('-')).rejects.toThrow(expect.objectContaining({ code: 'usage', message }))
  expect(told).toEqual(prompts)
  expect([terminal.listenerCount('keypress'), keys]).toEqual([0, []])
})
