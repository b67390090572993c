/** Requests, one a line: an error in one does not affect the answers of the others. */
import { expect, test } from 'vitest'
import { runPipe } from '../../src/cli/commands/pipe.ts'
import { type Knowledge, makeKnowledge } from '../../src/operations/knowledge.ts'
import { type Executor, localExecutor } from '../../src/operations/executor.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { openService } from '../../src/service/service.ts'

const knowledge = makeKnowledge(openStarter())

/** Throws on one typing, as a program with a bug would. */
const faulty: Executor = {
  execute(operation, input) {
    if (JSON.stringify(input).includes('B*07:02')) throw new TypeError('a fault')
    return localExecutor(knowledge).execute(operation, input)
  },
}

const LINES = [
  '\ufeff{"op":"redux","gl_string":"A*01:01:01"}',
  '{"op":"redux","gl_string":"A*01:01","reduction_method":"constructor"}',
  '{"op":"redux","gl_string":"B*07:02"}',
  '{"op":"__proto__"}',
  'null',
  '{"op":"ard","allele":"A*02:01:01"}',
  '{"op":"ard","allele":"A*02:01:01","release":"3.25.0"}',
]

const ANSWERS = [
  { ard: 'A*01:01' },
  { error: { code: 'unknown-method' } },
  { error: { code: 'internal', message: 'internal error' } },
  { error: { code: 'bad-request' } },
  { error: { code: 'bad-request' } },
  { ard: 'A*02:01' },
  { error: { code: 'pin' } },
]

test('in a pipe', async () => {
  let written = ''
  const faults: unknown[] = []
  const sink = {
    write: (text: string) => void (written += text),
    flush: () => undefined,
    ready: async () => undefined,
    finish: async () => undefined,
  }
  async function* bytes() {
    yield Buffer.from(`${LINES.join('\n')}\n`)
  }
  await runPipe({
    executor: faulty,
    sink: sink as never,
    source: { name: '-', bytes } as never,
    report: (fault) => faults.push(fault),
  })
  expect(written.trimEnd().split('\n').map((line) => JSON.parse(line) as unknown)).toMatchObject(ANSWERS) // prettier-ignore
  expect(faults).toEqual([new TypeError('a fault')])
})

test('in a batch', async () => {
  const logged: string[] = []
  const log = { stream: { write: (line: string) => void logged.push(line) }, access: false, inputs: false }
  const broken: Knowledge = {
    ...knowledge,
    engine(options) {
      if (JSON.stringify(options ?? {}).includes('ping')) throw new TypeError('a fault')
      return knowledge.engine(options)
    },
  }
  const { app } = openService(broken, { log })
  const lines = LINES.with(2, '{"op":"redux","gl_string":"B*07:02","options":{"ping":true}}')
  const answer = await app.inject({ method: 'POST', url: '/batch', payload: lines.join('\n') })
  expect(answer.body.trimEnd().split('\n').map((line) => JSON.parse(line) as unknown)).toMatchObject(ANSWERS) // prettier-ignore
  expect(logged.join('')).toContain('internal error')
  await app.close()
})
