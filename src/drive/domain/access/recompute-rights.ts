/** Recomputes the access lists of items and of everything below them after a change of grants, parents or owners. */
import { assured } from '../../../errors.ts'
import { ALL_BELOW } from '../folders/tree.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type AclEntry, digestAcl, readEntries, internAcl } from './access.ts'
import { recordRights } from '../changes/change-log.ts'
import { type Grant, PASSES_ON, deriveRights } from './rights.ts'

interface Node {
  readonly pk: number
  readonly owner: number | null
  readonly drive: number | null
  readonly acl: number
  /** JSON array of keys: the folders that pass their rights on. */
  readonly above: string
}

/** Items that move from one access list to another. */
interface Moved {
  readonly from: number
  readonly to: number
  readonly items: number[]
}

/**
 * The walk goes below an item only if the item's own access list changes. The change log gets an entry of each item
 * for every principal whose right to it changes; the caller records all other changes.
 */
export function recomputeRights(tx: Transaction, items: readonly number[]): void {
  if (!items.some((pk) => hasStaleRights(tx, pk))) return
  const nodes = nodesBelow(tx, items)
  const acls = new Map([...nodes.values()].map(({ pk, acl }) => [pk, acl]))
  const grants = grantsBelow(tx, items)
  const known = new Map<string, number>()
  const moved = new Map<string, Moved>()
  const tops = new Set(items)
  for (const node of inOrder(nodes)) {
    // the shape comes from the statement `NODE`
    const above = JSON.parse(node.above) as number[]
    if (!tops.has(node.pk) && !above.some((pk) => acls.get(pk) !== nodes.get(pk)?.acl)) continue
    const to = computeRights(tx, node, {
      above: above.map((pk) => acls.get(pk) ?? findAcl(tx, pk)),
      grants,
      known,
    })
    acls.set(node.pk, to)
    if (to !== node.acl) noteMove(moved, node, to)
  }
  for (const one of moved.values()) apply(tx, one)
}

const ABOVE = `(SELECT json_group_array(l.parent) FROM parents l JOIN files p ON p.pk = l.parent
  WHERE l.child = f.pk AND ${PASSES_ON})`
const NODE = `SELECT f.pk, f.owner, f.drive, f.acl, ${ABOVE} AS above FROM files f`
const STATED = `SELECT f.pk, f.owner, f.drive, f.acl, ${ABOVE} AS above, coalesce(a.digest, '') AS digest
  FROM files f LEFT JOIN acls a ON a.pk = f.acl WHERE f.pk = ?`

/** True if the item's access list, compared by digest or by entries, no longer follows from its sources. */
export function hasStaleRights(db: Database, pk: number, by: 'digest' | 'entries' = 'digest'): boolean {
  const node = db.get<Node & { readonly digest: string }>(STATED, pk)
  if (node === undefined) return false
  const grants = db.all<Grant>('SELECT principal, role, with_link FROM grants WHERE item = ?', pk)
  const above = (JSON.parse(node.above) as number[]).map((folder) => findAcl(db, folder))
  const { acl, drive } = node
  const is = by === 'digest' ? node.digest : digestAcl({ drive, entries: readEntries(db, acl) })
  return digestAcl(deriveRights(db, { ...node, above, grants })) !== is
}

function nodesBelow(tx: Transaction, items: readonly number[]): ReadonlyMap<number, Node> {
  const sql = `${ALL_BELOW} ${NODE} JOIN below ON below.pk = f.pk`
  return new Map(tx.all<Node>(sql, JSON.stringify(items)).map((node) => [node.pk, node]))
}

type Grants = ReadonlyMap<number, readonly Grant[]>

function grantsBelow(tx: Transaction, items: readonly number[]): Grants {
  const sql = `${ALL_BELOW} SELECT g.item, g.principal, g.role, g.with_link FROM below CROSS JOIN grants g ON g.item = below.pk`
  const found = new Map<number, Grant[]>()
  for (const grant of tx.all<Grant & { readonly item: number }>(sql, JSON.stringify(items)))
    push(found, grant.item, grant)
  return found
}

/** Orders folders before their contents. Items in a cycle are left out; the store has none. */
function inOrder(nodes: ReadonlyMap<number, Node>): Node[] {
  const ordered: Node[] = []
  const children = new Map<number, Node[]>()
  const waits = new Map<number, number>()
  for (const node of nodes.values()) {
    const inside = (JSON.parse(node.above) as number[]).filter((pk) => nodes.has(pk))
    waits.set(node.pk, inside.length)
    for (const pk of inside) push(children, pk, node)
  }
  const ready = [...nodes.values()].filter(({ pk }) => waits.get(pk) === 0)
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    ordered.push(node)
    for (const child of children.get(node.pk) ?? []) {
      const left = (waits.get(child.pk) ?? 0) - 1
      waits.set(child.pk, left)
      if (left === 0) ready.push(child)
    }
  }
  return ordered
}

function push<Value>(lists: Map<number, Value[]>, key: number, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

interface Around {
  /** Current access lists of the folders. */
  readonly above: readonly number[]
  readonly grants: Grants
  /** Access lists already computed, by owner, drive and lists above. */
  readonly known: Map<string, number>
}

function computeRights(
  tx: Transaction,
  { pk, owner, drive }: Node,
  { above, grants, known }: Around,
): number {
  const own = grants.get(pk)
  if (own !== undefined) return internAcl(tx, deriveRights(tx, { owner, drive, above, grants: own }))
  const key = JSON.stringify([owner, drive, ...above])
  const found = known.get(key) ?? internAcl(tx, deriveRights(tx, { owner, drive, above, grants: [] }))
  known.set(key, found)
  return found
}

function findAcl(db: Database, pk: number): number {
  const row = db.get<{ acl: number }>('SELECT acl FROM files WHERE pk = ?', pk)
  return assured(row, `there is no item ${pk}`).acl
}

function noteMove(moved: Map<string, Moved>, { pk, acl: from }: Node, to: number): void {
  const key = `${from} ${to}`
  const one = moved.get(key) ?? { from, to, items: [] }
  one.items.push(pk)
  moved.set(key, one)
}

function apply(tx: Transaction, { from, to, items }: Moved): void {
  const keys = JSON.stringify(items)
  tx.run('UPDATE files SET acl = ?1 WHERE pk IN (SELECT value FROM json_each(?2))', to, keys)
  const after = new Map(readEntries(tx, to).map((entry) => [entry.principal, entry]))
  const before = new Map(readEntries(tx, from).map((entry) => [entry.principal, entry]))
  const principals = [...new Set([...after.keys(), ...before.keys()])].flatMap((principal) => {
    const [was, is] = [before.get(principal), after.get(principal)]
    if (isSame(was, is) || !(was?.isListed === true || is?.isListed === true)) return []
    return [{ principal, isRemoved: is?.isListed !== true }]
  })
  recordRights(tx, items, principals)
}

function isSame(one: AclEntry | undefined, other: AclEntry | undefined): boolean {
  return one?.role === other?.role && one?.isListed === other?.isListed
}
