import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { pendingAnswers, type Answers } from '../../../src/drive/persistence/writer/writer.ts'
import { StorageFailure } from '../../../src/drive/contract/failure.ts'
import { decodeError, encodeError } from '../../../src/drive/persistence/writer/writer-messages.ts'

/** Awaits commands, and collects their answers in `said`. */
function ask(answers: Answers, names: readonly string[], said: string[]): void {
  answers.await(
    names.map((name) => ({
      resolve: (result) => said.push(`${name} ${String(result)}`),
      reject: ({ message }) => said.push(`${name}: ${message}`),
    })),
  )
}

function named(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${letter}${at}`)
}

const results = (count: number) => Array.from({ length: count }, () => ({ result: 'good' }))

async function turns(): Promise<void> {
  for (let at = 0; at < 50; at++) await turn()
}

describe('answersOf', () => {
  test('gives those of two groups in the order asked, some at a time', async () => {
    const said: string[] = []
    const answers = pendingAnswers()
    const [first, second] = [named('a', 20), named('b', 20)]
    ask(answers, [...first, ...second], said)
    answers.give(results(20))
    expect(said.length).toBeLessThan(20)
    answers.give(results(20))
    expect(said.length).toBeLessThan(20)
    await turns()
    expect(said).toEqual([...first, ...second].map((name) => `${name} good`))
    expect(answers.open()).toBe(0)
  })

  test('refuses each command by its own error', async () => {
    const said: string[] = []
    const answers = pendingAnswers()
    ask(answers, ['a', 'b', 'c'], said)
    answers.give([{ error: encodeError(new Error('wrong')) }, { result: 'good' }])
    answers.give([{ error: encodeError(new Error('lost')) }])
    await turns()
    expect(said).toEqual(['a: wrong', 'b good', 'c: lost'])
  })

  test('at the end gives what is on disk and refuses the rest', () => {
    const said: string[] = []
    const answers = pendingAnswers()
    ask(answers, [...named('a', 12), 'b', 'c'], said)
    answers.give(results(12))
    answers.end(new Error('broken'))
    expect(said.slice(0, 12)).toEqual(named('a', 12).map((name) => `${name} good`))
    expect(said.slice(12)).toEqual([expect.stringMatching(/^b: /), expect.stringMatching(/^c: /)])
  })

  test('refuses a command whose answer is missing', async () => {
    const said: string[] = []
    const answers = pendingAnswers()
    ask(answers, ['a', 'b'], said)
    answers.give([{ result: 'good' }, undefined as never])
    await turns()
    expect(said).toEqual(['a good', 'b: a command has no answer'])
  })
})

describe('an error of the writer thread arrives', () => {
  const sent = (error: unknown) => decodeError(structuredClone(encodeError(error)))

  test('with its name, its place and the cause', () => {
    const error = new TypeError('a bug', { cause: new RangeError('too large') })
    const arrived = sent(error)
    expect(arrived).toMatchObject({ name: 'TypeError', message: 'a bug' })
    expect(arrived.stack).toBe(`${error.stack}\ncaused by ${(error.cause as Error).stack}`)
    const alone = new Error('alone')
    expect(sent(alone).stack).toBe(alone.stack)
  })

  test('as the refusal that it was', () => {
    const details = { location: 'id', locationType: 'parameter', retryAfter: 3 } as const
    const arrived = sent(new StorageFailure(404, 'notFound', 'gone', details))
    expect(arrived).toBeInstanceOf(StorageFailure)
    expect(arrived).toMatchObject({ status: 404, reason: 'notFound', message: 'gone', details })
  })

  test('as its text, where it is no error', () =>
    expect(sent('words')).toMatchObject({ name: 'Error', message: 'words' }))
})
