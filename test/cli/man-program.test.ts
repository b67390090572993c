/** On a terminal a page is shown by man(1), where there is one. */
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { showPage } from '../../src/cli/run/manual/show.ts'
import { packageFile, packagePath } from '../../src/package-root.ts'

const PROGRAMS = await loadPrograms()

const state = vi.hoisted(() => ({ isTerminal: true, build: undefined as string | undefined, printed: '' }))
const started = vi.hoisted(() => vi.fn<(...args: unknown[]) => unknown>())

vi.mock('node:child_process', async (original) => ({ ...(await original<object>()), spawn: started }))
vi.mock('../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  isTerminal: (stream: string) => state.isTerminal && stream === 'output',
  writeOut: (text: string) => void (state.printed += text),
}))
vi.mock('../../src/package-root.ts', async (original) => ({
  ...(await original<object>()),
  packageBuild: () => state.build,
}))

/** A program that ends with an event, after it read its input. */
function program(event: string, value: unknown): { readonly text: () => string } {
  const stdin = new PassThrough()
  let text = ''
  stdin.on('data', (bytes: Buffer) => (text += bytes.toString()))
  started.mockImplementation((_, __, options) => {
    const isPiped = (options as { readonly stdio: readonly string[] }).stdio[0] === 'pipe'
    const child = Object.assign(new EventEmitter(), { stdin: isPiped ? stdin : null })
    setImmediate(() => {
      // a reader that quits early
      if (isPiped) stdin.emit('error', new Error('EPIPE'))
      child.emit(event, value)
    })
    return child
  })
  return { text: () => text }
}

beforeEach(() => void Object.assign(state, { isTerminal: true, build: undefined, printed: '' }))
afterEach(() => void started.mockReset())

const PLAIN = /^hla-redux - /

test.for([
  ['ends well', 'close', 0, ''],
  ['fails', 'close', 16, PLAIN],
  ['is missing', 'error', new Error('ENOENT'), PLAIN],
] as const)('man reads the file of the package, and %s', async ([, event, value, printed]) => {
  program(event, value)
  await showPage(['redux'], PROGRAMS)
  expect(started.mock.calls).toEqual([
    ['man', ['-l', packagePath('man', 'hla-redux.1')], { stdio: ['inherit', 'inherit', 'inherit'] }],
  ])
  if (printed === '') expect(state.printed).toBe('')
  else expect(state.printed).toMatch(printed)
})

test('a program of one file gives man the page', async () => {
  state.build = 'single file'
  const { text } = program('close', 0)
  await showPage(['tables'], PROGRAMS)
  expect(started.mock.calls).toEqual([['man', ['-l', '-'], { stdio: ['pipe', 'inherit', 'inherit'] }]])
  expect(text()).toBe(String(packageFile('man', 'hla-tables.7')))
  expect(state.printed).toBe('')
})

test('man is not asked where the output is no terminal', async () => {
  state.isTerminal = false
  await showPage(['redux'], PROGRAMS)
  expect(started).not.toHaveBeenCalled()
  expect(state.printed).toMatch(PLAIN)
})
