/** Leaves of a list, each distinct one processed once: a text may repeat an antigen thousands of times. */
import type { Note } from '../errors.ts'
import type { GlLeaf } from '../nomenclature/gl-string.ts'

/** `read` adds notes about its leaf to `notes`; a repeat is noted at its own position and returns nothing. */
export function eachLeafOnce<T>(
  leaves: readonly GlLeaf[],
  notes: Note[],
  read: (leaf: GlLeaf) => readonly T[],
): T[] {
  const notesByLeaf = new Map<string, readonly Note[]>()
  return leaves.flatMap((leaf) => {
    const known = notesByLeaf.get(leaf.text)
    if (known !== undefined) {
      const position = [leaf.start, leaf.start + leaf.text.length] as const
      for (const note of known) notes.push({ ...note, position })
      return []
    }
    const before = notes.length
    const found = read(leaf)
    notesByLeaf.set(leaf.text, notes.slice(before))
    return found
  })
}
