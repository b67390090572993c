/** What a search costs for each item that it is tried on, and which of its tests are made together. */
import type { QNode, QTest } from './q-tree.ts'

/** Comparisons of columns cost one; what looks into another table, or for a word, as much as eight of them. */
export const MOST_COST = 512
const LOOKUP = 8
/** Of another one of a kind that is looked up together. */
const MORE = 0.25

export interface Grouped {
  /** Each of one kind, whose tests are made at once: whether one of them holds. */
  readonly groups: readonly (readonly QTest[])[]
  readonly rest: readonly QNode[]
}

/**
 * `a or b or …` holds if one of them does; `not a and not b and …` if none does. What is there twice is left out. Of `and` the groups
 * are those that must not hold.
 */
export function groupTests(kind: 'and' | 'or', parts: readonly QNode[]): Grouped {
  const groups = new Map<string, Map<string, QTest>>()
  const rest = new Map<string, QNode>()
  for (const part of parts) {
    const test = kind === 'or' ? part : negatedBy(part)
    const group = test === undefined ? undefined : findGroup(test)
    if (group === undefined) {
      rest.set(JSON.stringify(part, withoutPlace), part)
      continue
    }
    const tests = groups.get(group.name) ?? new Map<string, QTest>()
    groups.set(group.name, tests.set(JSON.stringify(group.test, withoutPlace), group.test))
  }
  return { groups: [...groups.values()].map((tests) => [...tests.values()]), rest: [...rest.values()] }
}

function withoutPlace(name: string, value: unknown): unknown {
  return name === 'at' ? undefined : value
}

/** What `not` and `!=` stand before. */
function negatedBy(node: QNode): QNode | undefined {
  if (node.kind === 'not') return node.inner
  return node.kind === 'text' && node.op === '!=' ? { ...node, op: '=' } : undefined
}

/** Undefined: it is made alone. */
function findGroup(test: QNode): { readonly name: string; readonly test: QTest } | undefined {
  if (test.kind === 'member')
    return test.of === 'parents' || test.of === 'labels' ? { name: test.of, test } : undefined
  if (test.kind === 'property')
    return { name: `property ${test.value === undefined} ${test.visibility}`, test }
  if (test.kind !== 'text') return undefined
  if (isTermTest(test)) return { name: 'words', test }
  const isListed = test.op === '=' && (test.field === 'title' || test.field === 'mimeType')
  return isListed ? { name: test.field, test } : undefined
}

/** `title contains` and `fullText contains`: the index of words answers them. */
export function isTermTest({ field, op }: Extract<QTest, { readonly kind: 'text' }>): boolean {
  return op === 'contains' && (field === 'title' || field === 'fullText')
}

export function estimateCost(node: QNode): number {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const { groups, rest } = groupTests(node.kind, node.parts)
      return sum(groups.map(estimateGroup)) + sum(rest.map(estimateCost))
    }
    case 'not':
      return estimateCost(node.inner)
    default:
      return estimateTest(node)
  }
}

function estimateGroup(tests: readonly QTest[]): number {
  const [most = 0, ...others] = tests.map(estimateTest).toSorted((one, other) => other - one)
  const isWords = tests[0]?.kind === 'text' && isTermTest(tests[0])
  return most + (isWords ? sum(others) : others.length * MORE)
}

function estimateTest(test: QTest): number {
  switch (test.kind) {
    case 'member':
    case 'property':
      return LOOKUP
    case 'flag':
      return test.field === 'sharedWithMe' ? LOOKUP : 1
    case 'text':
      if (test.field === 'visibility') return LOOKUP
      return isTermTest(test) ? LOOKUP * wordsIn(test.value) : 1
    default:
      return 1
  }
}

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

function wordsIn(text: string): number {
  return text.match(WORD)?.length ?? 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}
