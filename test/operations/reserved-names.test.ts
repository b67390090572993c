/** Property names of every JavaScript object, wherever external text is read: they are unknown like any other name. */
import { expect, test } from 'vitest'
import { adviceText } from '../../src/operations/faces.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'
import type { Property } from '../../src/operations/schema.ts'
import { parseDelimiter } from '../../src/table/input/dialect.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { settlingFacts } from '../../src/remote/remote-answering.ts'
import { type Method, parseMethod } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'
import { errorOf } from '../support/errors.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const NAMES = Object.getOwnPropertyNames(Object.prototype)

const starter = openStarter()
const small = { release: smallRelease(), mac: smallMacs() }
const KNOWLEDGE = [makeKnowledge(starter), makeKnowledge({ ...small, open: () => small })]

/** The outcome of a question: the answer or an HlaError; any other error is a bug. */
function outcome(executor: ReturnType<typeof localExecutor>, operation: string, input: unknown): string {
  try {
    return JSON.stringify(executor.execute(operation, input))
  } catch (error) {
    if (isHlaError(error))
      return `${error.code} ${error.message} ${adviceText(error.hint, 'command-line') ?? ''}`
    throw new Error(`${operation} ${JSON.stringify(input)}: ${String(error)}`, { cause: error })
  }
}

/** The name as a value of the property, and inside it. */
function valuesFor(name: string, { type, properties = {} }: Property): unknown[] {
  if (type === 'array') return [[name], name]
  if (type !== 'object') return [name]
  const inside = Object.entries(properties).flatMap(([key, property]) =>
    valuesFor(name, property).map((value) => ({ [key]: value })),
  )
  return [name, ...inside, JSON.parse(`{${JSON.stringify(name)}:true}`)]
}

function typingsOf(name: string): string[] {
  return [name, `A*${name}`, `${name}*01:01`, `${name}*`, `A*01:${name}`, `HLA-${name}`, `A${name}`, `${name}1`, `A*01:01/${name}`] // prettier-ignore
}

test.for(NAMES)('%s in every property of every operation', (name) => {
  for (const knowledge of KNOWLEDGE) {
    const executor = localExecutor(knowledge)
    for (const { name: operation, input, subject = '' } of OPERATIONS) {
      const right = Object.fromEntries((input.required ?? []).map((key) => [key, 'A*01:01']))
      const asked = [
        ...typingsOf(name).map((text) => ({ ...right, [subject]: text })),
        ...Object.entries(input.properties).flatMap(([key, property]) =>
          valuesFor(name, property).map((value) => ({ ...right, [key]: value })),
        ),
        JSON.parse(`{${JSON.stringify(name)}:1}`) as object,
      ]
      for (const one of asked) expect(outcome(executor, operation, one)).not.toMatch(/native code|\[object/)
    }
    expect(outcome(executor, name, {})).toContain('unknown operation')
  }
})

test.for(NAMES)('%s is no method', (name) => {
  expect(errorOf(() => parseMethod(name))?.code).toBe('unknown-method')
  // JavaScript programs may pass any string
  expect(errorOf(() => redux(KNOWLEDGE[0]!.engine(), 'A*01:01', name as Method))?.code).toBe('unknown-method')
})

test.for(NAMES)('%s is no delimiter, and no old name', (name) => {
  expect(errorOf(() => parseDelimiter(name))?.code).toBe('usage')
  const facts = makeNameFacts(starter.release)
  expect(facts.respell(name)).toBe(name)
  const { oldNames } = starter.release.facts
  const asked = { ...facts, oldNames, isComplete: true, areValid: async () => [] }
  expect(settlingFacts(asked).respell(name)).toBe(name)
})
