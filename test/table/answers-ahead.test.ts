/** Tables answered far away: everything is asked once, together, before it is needed, and read as it is read here. */
import type { OperationRequest } from '../../src/operations/operation-request.ts'
import { describe, expect, test } from 'vitest'
import { answersAhead, gathered } from '../../src/table/cells/answers-ahead.ts'
import { type AnswerRequest, makeAnswers } from '../../src/table/cells/answers.ts'
import { askedFacts } from '../../src/table/cells/remote-name-facts.ts'
import { readTableInput } from '../../src/table/input/input.ts'
import { makeNameFacts, columnTitle, type SettlingFacts } from '../../src/table/cells/name-facts.ts'
import { openTable } from '../../src/table/plan/open-table.ts'
import type { TableRow } from '../../src/table/input/read-table.ts'
import { readCells } from '../../src/table/cells/row-cells.ts'
import { readRequest } from '../../src/table/plan/raw-table-options.ts'
import { type Executor, localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed } from '../../src/operations/registry.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const release = smallRelease()
const local = localExecutor(makeKnowledge({ release, mac: smallMacs() }))

/** Answers what was asked ahead, and remembers it. */
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
  const facts = askedFacts({
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
    // together, and each once
    expect(asked.length).toBeLessThan(4)
    expect(new Set(asked.flat()).size).toBe(asked.flat().length)
  })
})

describe('answersAhead', () => {
  test('answers every cell as it is answered here, having asked about each typing once', async () => {
    const { executor, asked } = distant()
    const far = await opened(distantFacts().facts)
    const near = await opened(makeNameFacts(release))
    const answers: AnswerRequest = { ...request, executor }
    const ahead = answersAhead({ answers, plan: far.plan, dialect: far.dialect, ragged: 'error' })
    const here = makeAnswers({ ...request, executor: local })
    for await (const rows of far.blocks()) await ahead.prepare(rows)
    const cellsIn = ({ plan, dialect, first }: typeof far) =>
      first.slice(1).filter(({ values }) => values.length === 6).flatMap((row) => readCells(row, { plan, dialect })) // prettier-ignore
    const expected = cellsIn(near).map(({ value, group }) => here.of(value, group))
    expect(cellsIn(far).map(({ value, group }) => ahead.of(value, group))).toEqual(expected)
    expect(asked).toHaveLength(1)
    const texts = asked.flat().map(({ input }) => JSON.stringify(input))
    expect(new Set(texts).size).toBe(texts.length)
    await ahead.prepare(far.first)
    expect(asked).toHaveLength(1)
  })

  test('knows no cell that was not prepared', async () => {
    const { plan, dialect } = await opened(makeNameFacts(release))
    const ahead = answersAhead({ answers: { ...request, executor: local }, plan, dialect, ragged: 'error' })
    const [group] = plan.groups
    if (group === undefined) throw new Error('no group')
    expect(() => ahead.of('01:01', group)).toThrow('a cell that was not prepared')
  })
})

test('gathered gives all rows, many together', async () => {
  async function* blocks() {
    for (const size of [1, 2, 5, 1, 0]) yield Array.from({ length: size }, () => ({}) as TableRow)
  }
  const sizes = []
  for await (const rows of gathered(blocks(), 4)) sizes.push(rows.length)
  expect(sizes).toEqual([8, 1])
})
