/**
 * Tables answered remotely: every question is sent once, in batches, before it is needed, and the answers are read like
 * local ones.
 */
import { readCells } from '../../src/table/plan/plan.ts'
import type { OperationRequest } from '../../src/operations/operation-request.ts'
import { describe, expect, test } from 'vitest'
import { makeAnswers } from '../../src/table/answers/answers.ts'
import { settlingFacts } from '../../src/remote/remote-answering.ts'
import { readTableInput } from '../../src/table/input/input.ts'
import {
  makeNameFacts,
  columnTitle,
  settleFacts,
  type SettlingFacts,
} from '../../src/table/cells/name-facts.ts'
import { openTable } from '../../src/table/plan/open-table.ts'
import { readRequest } from '../../src/table/plan/raw-table-options.ts'
import { type Executor, localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import { convertTable } from '../support/random-tables.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const release = smallRelease()
const local = localExecutor(makeKnowledge({ release, mac: smallMacs() }))

/** Answers and records the questions of `ahead`. */
function distant(): { executor: Executor; asked: OperationRequest[][] } {
  const asked: OperationRequest[][] = []
  const executor: Executor = {
    execute: () => {
      throw new Error('not asked ahead')
    },
    async ahead(questions) {
      asked.push([...questions])
      const keys = new Set(questions.map((question) => JSON.stringify(question)))
      return {
        execute(operation, input) {
          if (!keys.has(JSON.stringify({ operation, input }))) throw new Error('not asked ahead')
          return local.execute(operation, input)
        },
      }
    },
  }
  return { executor, asked }
}

function distantFacts(): { facts: SettlingFacts; asked: string[][] } {
  const asked: string[][] = []
  const facts = settlingFacts({
    label: '3.58.0',
    title: columnTitle('3.58.0', true),
    loci: release.facts.loci,
    oldNames: release.facts.oldNames,
    isComplete: true,
    async areValid(names) {
      asked.push([...names])
      return names.map((gl_string) => {
        // the output schema of validate
        const { valid } = local.execute('validate', { gl_string }) as { readonly valid: boolean }
        return valid
      })
    },
  })
  return { facts, asked }
}

const TABLE = `id,A_1,A_2,C_1,C_2,DRB1_1
1,01:01,02:01,7,12,0301
2,01:01,A2,1,99,NNNN
3,99:99,02:AB,12,7,1501
4,01:01
5,01:01+02:01,x y,"7",3,0301
`

async function opened(facts: SettlingFacts) {
  async function* chunks() {
    yield Buffer.from(TABLE)
  }
  return openTable(await readTableInput('t.csv', chunks()), readRequest({}, undefined, []), undefined, facts)
}

const request = {
  operation: cellOperationNamed('redux'),
  inputs: [{ reduction_method: 'lgx' }],
  width: 1,
  release: '3.58.0',
}

describe('askedFacts', () => {
  test('plan a table as facts do that are here', async () => {
    const { facts, asked } = distantFacts()
    const withoutFacts = ({ plan }: Awaited<ReturnType<typeof opened>>) =>
      plan.groups.map(({ context, ...group }) => ({ ...group, context: { ...context, facts: undefined } }))
    expect(withoutFacts(await opened(facts))).toEqual(withoutFacts(await opened(makeNameFacts(release))))
    // in batches, and each question once
    expect(asked.length).toBeLessThan(4)
    expect(new Set(asked.flat()).size).toBe(asked.flat().length)
  })
})

describe('answers of who is far away', () => {
  test('are those that are given here, each typing asked about once', async () => {
    const { executor, asked } = distant()
    const far = await opened(distantFacts().facts)
    const near = await opened(makeNameFacts(release))
    const answers = makeAnswers({ ...request, executor })
    const here = makeAnswers({ ...request, executor: local })
    const cellsIn = ({ plan, dialect, first }: typeof far) =>
      first.slice(1).filter(({ values }) => values.length === 6).flatMap((row) => readCells(row, { plan, dialect })) // prettier-ignore
    await answers.ahead?.prepare(cellsIn(far))
    const expected = cellsIn(near).map(({ value, group }) => here.of(value, group))
    expect(cellsIn(far).map(({ value, group }) => answers.of(value, group))).toEqual(expected)
    expect(answers.distinct()).toEqual(here.distinct())
    expect(asked).toHaveLength(1)
    const texts = asked.flat().map(({ input }) => JSON.stringify(input))
    expect(new Set(texts).size).toBe(texts.length)
    await answers.ahead?.prepare(cellsIn(far))
    expect(asked).toHaveLength(1)
  })

  test('are of prepared cells alone', async () => {
    const { plan } = await opened(makeNameFacts(release))
    const answers = makeAnswers({ ...request, executor: distant().executor })
    const [group] = plan.groups
    if (group === undefined) throw new Error('no group')
    expect(() => answers.of('01:01', group)).toThrow('a cell that was not prepared')
  })
})

describe('a table that is answered far away', () => {
  const knowledge = makeKnowledge({ release, mac: smallMacs() })

  test('asks once for what is given at once, whatever fails in it and however it is quoted', async () => {
    const { executor, asked } = distant()
    const body = '1,A*01:01,A*99:99\n2,"A*02:01","x""y"\n3,A*01:01,A*02:01\n4,A*24:02\n5,A*01:01,A*11:01'
    const table = { head: 'id,A_1,A_2\n', body, delimiter: ',', cuts: [], reading: {}, writing: {}, operation: 'redux', inputs: [{ reduction_method: 'lgx' }], details: false } // prettier-ignore
    expect(await convertTable(table, knowledge, true, executor)).toEqual(
      await convertTable(table, knowledge, true),
    )
    expect(asked).toHaveLength(1)
  })
})

test.for([
  ['once, where all facts are here', undefined, 1],
  ['once, where none was missing', [false], 1],
  ['again until none is missing', [true, true, false], 3],
] as const)('what is made of facts is made %s', async ([, missing, times]) => {
  const { settle: _, ...facts } = distantFacts().facts
  const left = [...(missing ?? [])]
  const asked =
    missing === undefined ? facts : { ...facts, settle: () => Promise.resolve(left.shift() === true) }
  let made = 0
  expect(await settleFacts(asked, () => (made += 1))).toBe(times)
})
