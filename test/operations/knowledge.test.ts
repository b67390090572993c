/** What a process knows: each part is opened once, at its first use, and equal options have one engine. */
import { expect, test } from 'vitest'
import { adviceText } from '../../src/operations/faces.ts'
import {
  adviceBudget,
  budgetText,
  dataIdText,
  describePeculiarities,
  type KnowledgeParts,
  makeKnowledge,
  refuseStarter,
  spentBudget,
  withBudget,
} from '../../src/operations/knowledge.ts'
import { isHlaError } from '../../src/errors.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { errorOf } from '../support/errors.ts'
import { smallRelease } from '../support/small-release.ts'

const release = smallRelease()

test('parts are opened once, and not before', () => {
  const opened: string[] = []
  const knowledge = makeKnowledge({
    release,
    identity: () => (opened.push('identity'), { id: '3.58.0', sha256: 'a', files: [] }),
    history: () => void opened.push('history'),
    catalogue: (id) => void opened.push(`catalogue ${id}`),
    open: (name): KnowledgeParts => (opened.push(`release ${name}`), { release }),
  })
  expect(opened).toEqual([])
  for (let times = 0; times < 2; times += 1) {
    expect(knowledge.history()).toBeUndefined()
    expect(knowledge.identity).toEqual({ id: '3.58.0', sha256: 'a', files: [] })
    for (const id of ['ciwd', 'eurasian'] as never[]) expect(knowledge.catalogue(id)).toBeUndefined()
    for (const name of ['3.29.0', '3.25.0']) expect(knowledge.other(name).release).toBe(release)
  }
  expect(opened).toEqual([
    'history',
    'identity',
    'catalogue ciwd',
    'catalogue eurasian',
    'release 3.29.0',
    'release 3.25.0',
  ])
  expect(knowledge.other('3.29.0')).toBe(knowledge.other('3.29.0'))
  expect(knowledge.other('3.29.0').memory).toBe(knowledge.memory)
})

test('a release alone has nothing else', () => {
  const knowledge = makeKnowledge({ release })
  const { identity, mac, catalogues, installed, history, catalogue } = knowledge
  expect([identity, mac, catalogues(), installed(), history(), catalogue('ciwd' as never)]).toEqual([
    { id: undefined, sha256: undefined, files: [] },
    undefined,
    [],
    [],
    undefined,
    undefined,
  ])
  for (const [name, hint] of [
    ['3.29.0', 'hla data install 3.29.0 installs it'],
    ['v3.29.0', undefined],
  ] as const) {
    const error = errorOf(() => knowledge.other(name))
    expect(error).toMatchObject({
      code: 'no-data',
      message: 'no other release can be opened here',
      offending: name,
    })
    expect(isHlaError(error) && adviceText(error.hint, 'command-line')).toBe(hint)
  }
})

test('equal options have one engine, and no options the standard one', () => {
  const { engine } = makeKnowledge({ release })
  expect(engine()).toBe(engine(undefined))
  expect(engine({ strict: false, ping: false })).toBe(engine({ ping: false, strict: false }))
  expect(engine({ strict: false })).not.toBe(engine({ strict: true }))
  expect(engine({ strict: false }).options.strict).toBe(false)
  expect(engine({}, '3.29.0')).toBe(engine({}, '3.29.0'))
  expect(engine({}, '3.29.0')).not.toBe(engine({}, '3.25.0'))
  expect(engine(undefined, '3.29.0')).toMatchObject({ membersOf: '3.29.0', memory: engine().memory })
  expect(engine({})).not.toHaveProperty('membersOf')
})

test('a budget is that of other releases, too', () => {
  const budget = adviceBudget()
  expect(budget).toEqual({ left: 10_000, refused: 0 })
  expect(spentBudget()).toEqual({ left: 0, refused: 1 })
  expect(budgetText()).toBe('suggestions were made only for the first 10,000 unknown names')
  const knowledge = withBudget(makeKnowledge({ release, open: () => ({ release }) }), budget)
  expect([knowledge.advice, knowledge.other('3.29.0').advice]).toEqual([budget, budget])
  expect(knowledge.other('3.29.0').advice).toBe(budget)
})

test('data are named, and told where they are unusual', () => {
  expect(dataIdText({ id: '3.58.0+mac.1', sha256: 'abc', files: [] })).toBe('3.58.0+mac.1 sha256:abc')
  expect(dataIdText({ id: undefined, sha256: undefined, files: [] })).toBeUndefined()
  const files = { id: '3.58.0', sha256: 'abc', files: [] }
  expect(describePeculiarities(files)).toEqual({})
  expect(describePeculiarities({ ...files, changed: [], warnings: [], antigensBefore2026: false })).toEqual(
    {},
  )
  const unusual = { changed: ['wmda/hla_nom.txt'], warnings: ['a warning'], antigensBefore2026: true }
  expect(describePeculiarities({ ...files, ...unusual })).toEqual({
    changed: ['wmda/hla_nom.txt'],
    warnings: ['a warning'],
    antigens: 'before-2026',
  })
})

test('the starter set is refused where lists must be complete', () => {
  expect(() => refuseStarter(makeKnowledge({ release }), 'counting')).not.toThrow()
  const error = errorOf(() => refuseStarter(makeKnowledge(openStarter()), 'counting'))
  expect(error).toMatchObject({
    code: 'starter',
    message: 'counting needs complete lists; the built-in starter set has none',
  })
  expect(isHlaError(error) && adviceText(error.hint, 'command-line')).toBe(
    'hla data install 3.58.0 installs the full release',
  )
})
