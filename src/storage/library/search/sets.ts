/** What an index finds at once: tests as sets of items, each item once, from which a search can start. */
import { FOLDER_MIME } from '../../model/kinds.ts'
import { foldTitle } from '../../model/title.ts'
import type { QNode, QTest } from '../../query/q-tree.ts'
import { findSeen, MY_ACLS, MY_PRINCIPALS } from '../access.ts'
import { contentMatch, titleMatch } from './full-text.ts'
import { isPublic } from '../properties.ts'
import { bind, type Building } from './statement.ts'

/** Writes `SELECT … AS pk`; all items that fit are among them, and none but they if the set is exact. */
export interface ItemSet {
  readonly write: (statement: Building) => string
  readonly isExact: boolean
}

/** Parts of a UNION; SQLite allows 500. */
const MOST_PARTS = 100

/** Undefined: no index knows. */
export function setOf(node: QNode): ItemSet | undefined {
  switch (node.kind) {
    case 'or':
      return unionOf(node.parts)
    case 'and':
      return looser(node.parts.map(setOf).find((set) => set !== undefined))
    case 'not':
      return undefined
    default: {
      const write = writerOf([node])
      return write === undefined ? undefined : { write, isExact: true }
    }
  }
}

/** One set for all tests of words, which the index of words joins better than anybody. */
export function wordsSet(tests: readonly QNode[]): ItemSet | undefined {
  const matches = tests.flatMap(matchOf)
  return matches.length === 0 ? undefined : { write: matching(matches, 'AND'), isExact: true }
}

/** The operand of `words MATCH`; empty for what is no test of words, or one that everything fits. */
export function matchOf(node: QNode): string[] {
  if (node.kind !== 'text' || node.op !== 'contains') return []
  if (node.field === 'title') return [titleMatch(node.value) ?? []].flat()
  return node.field === 'fullText' ? [contentMatch(node.value) ?? []].flat() : []
}

type Writer = ItemSet['write']

function looser(set: ItemSet | undefined): ItemSet | undefined {
  return set === undefined ? undefined : { write: set.write, isExact: false }
}

/** Titles are asked for together, as are words and folders: clients ask for hundreds. */
function unionOf(parts: readonly QNode[]): ItemSet | undefined {
  const groups = new Map<string, QTest[]>()
  const others: ItemSet[] = []
  for (const part of parts) {
    const group = groupOf(part)
    if (group !== undefined) groups.set(group.name, [...(groups.get(group.name) ?? []), group.test])
    else {
      const set = setOf(part)
      if (set === undefined) return undefined
      others.push(set)
    }
  }
  const writers = [...groups.values()].map(writerOf).concat(others.map(({ write }) => write))
  if (writers.length > MOST_PARTS) return undefined
  const isExact = others.every((set) => set.isExact)
  return { write: (statement) => writers.map((write) => write?.(statement)).join(' UNION '), isExact }
}

function groupOf(node: QNode): { readonly name: string; readonly test: QTest } | undefined {
  if (node.kind === 'text' && node.field === 'title' && node.op === '=') return { name: 'title', test: node }
  if (node.kind === 'member' && node.of === 'parents') return { name: 'parents', test: node }
  if (node.kind === 'text' && matchOf(node).length > 0) return { name: 'words', test: node }
  return undefined
}

/** Of one test, or of several of the same group any of which may fit. */
function writerOf(tests: readonly QTest[]): Writer | undefined {
  const [test] = tests
  switch (test?.kind) {
    case 'text':
      return textWriter(test, tests)
    case 'member':
      return test.of === 'parents' ? childrenOf(tests) : undefined
    case 'property':
      return withProperty(test)
    case 'flag':
      return test.value ? FLAGGED[test.field] : undefined
    default:
      return undefined
  }
}

function textWriter(test: Extract<QTest, { kind: 'text' }>, tests: readonly QTest[]): Writer | undefined {
  const matches = tests.flatMap(matchOf)
  if (matches.length > 0) return matching(matches, 'OR')
  if (test.field === 'title' && test.op === '=') return titled(tests)
  const isFolder = test.field === 'mimeType' && test.op === '=' && test.value.toLowerCase() === FOLDER_MIME
  return isFolder ? () => `SELECT pk FROM files WHERE acl IN ${MY_ACLS} AND kind = 'folder'` : undefined
}

function matching(matches: readonly string[], join: 'AND' | 'OR'): Writer {
  const match = matches.length === 1 ? matches[0] : matches.map((one) => `(${one})`).join(` ${join} `)
  return (statement) => `SELECT rowid AS pk FROM words WHERE words MATCH ${bind(statement, match ?? '')}`
}

function titled(tests: readonly QTest[]): Writer {
  return (statement) => {
    const titles = tests.map((test) => bind(statement, foldTitle(String('value' in test ? test.value : ''))))
    return `SELECT pk FROM files WHERE acl IN ${MY_ACLS} AND fold IN (${titles.join(', ')})`
  }
}

/** A folder that the caller may not know of has nothing in it. */
function childrenOf(tests: readonly QTest[]): Writer {
  return (statement) => {
    const folders = tests.flatMap((test) => {
      const folder = test.kind === 'member' ? findSeen(statement.db, statement.caller, test.value) : undefined
      return folder === undefined ? [] : [bind(statement, folder.pk)]
    })
    const distinct = folders.length > 1 ? 'DISTINCT ' : ''
    return `SELECT ${distinct}child AS pk FROM parents WHERE parent IN (${folders.join(', ')})`
  }
}

function withProperty({ key, value, visibility }: Extract<QTest, { kind: 'property' }>): Writer {
  return (statement) => {
    const valued = value === undefined ? '' : ` AND value = ${bind(statement, value)}`
    const named = `key = ${bind(statement, key)}${valued} AND app IN ${appsOf(statement, visibility)}`
    return `SELECT DISTINCT file AS pk FROM properties WHERE ${named}`
  }
}

/** Public properties have the app 0; private ones are those of the caller's own program. */
export function appsOf({ caller }: Building, visibility: string | undefined): string {
  if (visibility === undefined) return `(0, ${caller.client})`
  return isPublic(visibility) ? '(0)' : `(${caller.client})`
}

const FLAGGED: Readonly<Record<string, Writer>> = {
  trashed: () => `SELECT pk FROM files WHERE acl IN ${MY_ACLS} AND trashed = 1`,
  starred: () => 'SELECT item AS pk FROM user_state WHERE user = ?1 AND starred = 1',
  sharedWithMe: () => `SELECT DISTINCT item AS pk FROM grants WHERE principal IN ${MY_PRINCIPALS}`,
}
