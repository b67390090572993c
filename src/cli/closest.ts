/** Finds similar words: by shared beginning, then by number of typing errors. */

/** Returns up to `most` candidates, nearest first; ties keep the given order. */
export function closest(word: string, candidates: readonly string[], most = 3): string[] {
  const allowed = Math.max(1, Math.floor(word.length / 3))
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(candidate, word) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** Among candidates that begin with the word, the shortest is nearest. `ping` is near to `no-ping`. */
function distanceTo(candidate: string, word: string): number {
  if (candidate.replace(/(^|\.|--)no-/, '$1') === word) return 0.5
  return word.length >= 2 && candidate.toLowerCase().startsWith(word.toLowerCase())
    ? 1 - (word.length + 1) / (candidate.length + 1)
    : editDistance(word, candidate)
}

/**
 * Damerau-Levenshtein distance: insertion, deletion, substitution, swap of neighbours; a change of case counts half.
 */
function editDistance(a: string, b: string): number {
  let earlier: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const [x, y] = [a.charAt(row - 1), b.charAt(column - 1)]
      const isSwap = row > 1 && column > 1 && x === b[column - 2] && a[row - 2] === y
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + editCost(x, y),
          isSwap ? (earlier[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    earlier = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

function editCost(x: string, y: string): number {
  return x === y ? 0 : x.toLowerCase() === y.toLowerCase() ? 0.5 : 1
}
