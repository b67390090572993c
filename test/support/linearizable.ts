/**
 * Whether a history of requests to one object is as if each had happened at one moment between its question and its answer
 * (Wing and Gong 1993): tried in every order that the times allow.
 */

export interface Done<State> {
  /** ms */
  readonly asked: number
  /** ms; Infinity: no answer came, and it may have happened or not. */
  readonly answered: number
  /** The states that it may leave behind when it happens in `state`; none: it cannot have happened there as it was answered. */
  readonly happen: (state: State) => readonly State[]
  readonly what: string
}

/** `name`: equal for equal states. */
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
