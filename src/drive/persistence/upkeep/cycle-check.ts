/** Finds folders that lie in themselves. */
import type { Database } from '../database/database.ts'

export interface Edge {
  readonly parent: number
  readonly child: number
}

/** An edge of every cycle: without them there is none. */
export function cycleEdges(database: Database): Edge[] {
  const children = new Map<number, number[]>()
  const sql = `SELECT parent, child FROM parents JOIN files ON pk = child WHERE kind = 'folder'`
  for (const { parent, child } of database.each<Edge>(sql)) {
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [child])
    else known.push(child)
  }
  return backEdges(children)
}

/** Depth first, without recursion: folders may be nested deeply. An edge to what is being visited closes a cycle. */
function backEdges(children: ReadonlyMap<number, readonly number[]>): Edge[] {
  const state = new Map<number, 'visiting' | 'done'>()
  const found: Edge[] = []
  for (const top of children.keys()) {
    const path = [{ folder: top, next: 0 }]
    if (state.has(top)) continue
    state.set(top, 'visiting')
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const child = children.get(here.folder)?.[here.next++]
      if (child === undefined) {
        state.set(here.folder, 'done')
        path.pop()
      } else if (state.get(child) === 'visiting') found.push({ parent: here.folder, child })
      else if (!state.has(child)) {
        state.set(child, 'visiting')
        path.push({ folder: child, next: 0 })
      }
    }
  }
  return found
}
