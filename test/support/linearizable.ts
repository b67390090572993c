/**
 * Checks that a history of requests to one object is linearizable: each request took effect at one moment between its
 * start and its answer (Wing and Gong 1993). Tries every order that the times allow.
 */

export interface Done<State> {
  /** ms, start of the request. */
  readonly asked: number
  /** ms; Infinity without an answer: the request may have happened or not. */
  readonly answered: number
  /** States that the request can leave when it happens in `state`; empty if its answer is impossible there. */
  readonly happen: (state: State) => readonly State[]
  readonly what: string
}

/** `name` returns equal texts for equal states. */
export function isLinearizable<State>(
  history: readonly Done<State>[],
  first: State,
  name: (state: State) => string,
): boolean {
  const all = 2 ** history.length - 1
  const certain = history.reduce((sum, one, at) => (one.answered === Infinity ? sum : sum + 2 ** at), 0)
  const seen = new Set<string>()
  const go = (done: number, state: State): boolean => {
    if ((done & certain) === certain) return true
    const key = `${done} ${name(state)}`
    if (seen.has(key)) return false
    seen.add(key)
    const left = history.flatMap((one, at) => ((done & (2 ** at)) === 0 ? [{ one, bit: 2 ** at }] : []))
    const earliest = Math.min(...left.map(({ one }) => one.answered))
    return left
      .filter(({ one }) => one.asked <= earliest)
      .some(({ one, bit }) => one.happen(state).some((next) => go(done + bit, next)))
  }
  return history.length < 30 && all > 0 ? go(0, first) : history.length === 0
}
