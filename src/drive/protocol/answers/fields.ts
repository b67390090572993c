/** `fields`: parsing of partial-response selections (spec 1), and their application to a resource. */
import { invalidParameter } from '../../contract/failure.ts'
import {
  type Member,
  type Members,
  type SchemaName,
  findMembers,
  innerMembers,
} from '../../contract/schemas.ts'
import { isRecord } from '../bodies/body.ts'

/** Selection on one level. Arrays are transparent: the selection of `items` applies to each element. */
export interface Selection {
  /** Selected members. Undefined selects everything, as for scalars and whole maps. */
  readonly members: ReadonlyMap<string, Selection> | undefined
  /** True for the default representation and for all members. A serialiser that calls `isSelected` needs no further filtering then. */
  readonly isWhole: boolean
}

interface Draft {
  isEverything: boolean
  isDefault: boolean
  readonly members: Map<string, Draft>
}

const ANY: Selection = { members: undefined, isWhole: true }
const MAX_CACHED = 500
const MAX_CACHED_LENGTH = 1000
const cache = new Map<string, Selection>()
const defaults = new WeakMap<Members, Selection>()
const everything = new WeakMap<Members, Selection>()

/**
 * Blank or absent: the default representation. `*` alone: all members, on all levels.
 * @throws {StorageFailure} 400 invalidParameter, naming the path that is not in the schema
 */
export function parseFields(text: string | undefined, schema: SchemaName): Selection {
  if (text === undefined || text.trim() === '') return selectAll(findMembers(schema), false)
  const key = `${schema} ${text}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const selection = compile(text, findMembers(schema))
  if (cache.size >= MAX_CACHED) cache.clear()
  if (text.length <= MAX_CACHED_LENGTH) cache.set(key, selection)
  return selection
}

/** Tells whether a member is selected, so that expensive ones are computed only on request. */
export function isSelected(selection: Selection, name: string): boolean {
  return selection.members === undefined || selection.members.has(name)
}

/** Selection that applies inside a selected member. */
export function selectWithin(selection: Selection, name: string): Selection {
  return selection.members?.get(name) ?? ANY
}

/** Returns a resource with the selected members only. For a whole selection it returns the same object. */
export function selectFields<T>(resource: T, selection: Selection): T {
  // the result is a T with fewer members, as in any partial response
  return pick(resource, selection) as T
}

function pick(value: unknown, selection: Selection): unknown {
  if (selection.isWhole || selection.members === undefined) return value
  if (Array.isArray(value)) return value.map((item) => pick(item, selection))
  if (!isRecord(value)) return value
  // iterates the selection, which is usually smaller than the resource
  const picked: [name: string, value: unknown][] = []
  for (const [name, wanted] of selection.members)
    if (Object.hasOwn(value, name)) picked.push([name, pick(value[name], wanted)])
  // `fromEntries` is safe for a map key named __proto__
  return Object.fromEntries(picked)
}

function compile(text: string, members: Members): Selection {
  const nodes = parseFieldTree(text)
  const draft = newDraft()
  addAll(draft, nodes, members)
  const wrong = unmatchedPath(nodes)
  if (wrong !== undefined) throw invalidParameter('fields', `Invalid field selection ${wrong}`)
  return completeSelection(draft, members)
}

function newDraft(): Draft {
  return { isEverything: false, isDefault: false, members: new Map() }
}

/** Marks every node that the schema knows. Unmarked nodes are errors. */
function addAll(draft: Draft, nodes: readonly FieldNode[], members: Members): void {
  for (const node of nodes) {
    if (node.name === '*') addStar(draft, node, members)
    else {
      const member = members.get(node.name)
      if (member !== undefined) addMember(draft, node, member)
    }
  }
}

function addStar(draft: Draft, node: FieldNode, members: Members): void {
  node.isMatched = true
  draft.isEverything ||= node.inner === undefined
  if (node.inner === undefined) return
  for (const [name, member] of members) {
    // `*/id` applies only to members that have an id
    if (innerMembers(member.shape) !== undefined) addMember(draft, { ...node, name }, member)
  }
}

function addMember(draft: Draft, node: FieldNode, member: Member): void {
  node.isMatched = true
  const inner = draft.members.get(node.name) ?? newDraft()
  if (node.inner === undefined) inner.isDefault = true
  else if (!addInner(inner, node.inner, member)) return
  draft.members.set(node.name, inner)
}

/** Returns whether anything was selected. `*` and names also select keys of a map. */
function addInner(draft: Draft, nodes: readonly FieldNode[], member: Member): boolean {
  const members = innerMembers(member.shape)
  if (members !== undefined) addAll(draft, nodes, members)
  else if (member.shape.kind === 'map') addKeys(draft, nodes)
  return draft.isEverything || draft.isDefault || draft.members.size > 0
}

/** Accepts any key of a map, because keys are not in the schema. Below a key everything is selected. */
function addKeys(draft: Draft, nodes: readonly FieldNode[]): void {
  for (const node of nodes) {
    matchAll(node)
    if (node.name === '*') draft.isDefault = true
    else draft.members.set(node.name, newDraft())
  }
}

function matchAll(node: FieldNode): void {
  node.isMatched = true
  node.inner?.forEach(matchAll)
}

function unmatchedPath(nodes: readonly FieldNode[]): string | undefined {
  for (const node of nodes) {
    if (!node.isMatched) return node.path
    const inner = unmatchedPath(node.inner ?? [])
    if (inner !== undefined) return inner
  }
  return undefined
}

function completeSelection(draft: Draft, members: Members | undefined): Selection {
  if (members === undefined) return finishMap(draft)
  if (draft.isEverything) return selectAll(members, true)
  if (draft.isDefault && draft.members.size === 0) return selectAll(members, false)
  const wanted = new Map<string, Selection>(draft.isDefault ? selectAll(members, false).members : [])
  for (const [name, inner] of draft.members) {
    // `items,items/labels/trashed` selects all of labels
    inner.isDefault ||= wanted.has(name)
    const member = members.get(name)
    if (member !== undefined) wanted.set(name, completeSelection(inner, innerMembers(member.shape)))
  }
  return { members: wanted, isWhole: false }
}

function finishMap(draft: Draft): Selection {
  if (draft.isDefault || draft.members.size === 0) return ANY
  return { members: new Map([...draft.members.keys()].map((key) => [key, ANY])), isWhole: false }
}

function selectAll(members: Members, isEverything: boolean): Selection {
  const store = isEverything ? everything : defaults
  const known = store.get(members)
  if (known !== undefined) return known
  const wanted = [...members].filter(([, member]) =>
    isEverything ? !member.isNeverShown : member.isShownByDefault,
  )
  const inner = wanted.map(([name, { shape }]): [string, Selection] => {
    const below = innerMembers(shape)
    return [name, below === undefined ? ANY : selectAll(below, isEverything)]
  })
  const selection: Selection = { members: new Map(inner), isWhole: true }
  store.set(members, selection)
  return selection
}

interface FieldNode {
  /** Name of a member, or `*`. */
  readonly name: string
  /** Undefined selects the whole member. */
  readonly inner: FieldNode[] | undefined
  /** Path from the top, for messages: `items/labels`. */
  readonly path: string
  /** Set when the schema has the member. */
  isMatched: boolean
}

/** Maximum characters, longer than any list of all members. Bounds the work. */
const MAX_FIELDS_LENGTH = 8192
/** Maximum depth; the deepest schema has seven levels. */
const MAX_DEPTH = 20
const MAX_SHOWN_LENGTH = 200

interface Scanner {
  readonly text: string
  at: number
}

/** Skips blanks around names and punctuation. @throws {StorageFailure} 400 invalidParameter */
export function parseFieldTree(text: string): FieldNode[] {
  if (text.length > MAX_FIELDS_LENGTH)
    throw invalidParameter('fields', 'Invalid field selection: it is too long')
  const scanner = { text, at: 0 }
  const nodes = parseList(scanner, '', 0)
  if (scanner.at < text.length) throw wrongAt(scanner, 'the end')
  return nodes
}

function parseList(scanner: Scanner, above: string, depth: number): FieldNode[] {
  const nodes = [parsePath(scanner, above, depth)]
  while (accept(scanner, ',')) nodes.push(parsePath(scanner, above, depth))
  return nodes
}

function parsePath(scanner: Scanner, above: string, depth: number): FieldNode {
  if (depth > MAX_DEPTH) throw wrongAt(scanner, 'fewer levels')
  const name = parseName(scanner)
  const path = above === '' ? name : `${above}/${name}`
  let inner: FieldNode[] | undefined
  if (accept(scanner, '/')) {
    inner = [parsePath(scanner, path, depth + 1)]
  } else if (accept(scanner, '(')) {
    inner = parseList(scanner, path, depth + 1)
    if (!accept(scanner, ')')) throw wrongAt(scanner, '")"')
  }
  return { name, inner, path, isMatched: false }
}

function parseName(scanner: Scanner): string {
  const name = matchAt(scanner, /\s*(\*|[\w$.-]+)\s*/y)
  if (name === undefined) throw wrongAt(scanner, 'a name')
  return name
}

function accept(scanner: Scanner, mark: string): boolean {
  if (scanner.text[scanner.at] !== mark) return false
  scanner.at += 1
  // blanks as in `a(b) , c`
  matchAt(scanner, /(\s*)/y)
  return true
}

function matchAt(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.at
  const found = pattern.exec(scanner.text)
  if (found === null) return undefined
  scanner.at = pattern.lastIndex
  return found[1]
}

function wrongAt({ text, at }: Scanner, wanted: string): Error {
  const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
  return invalidParameter(
    'fields',
    `Invalid field selection ${shown}: ${wanted} expected at character ${at + 1}`,
  )
}
