/** Carries out the rules of a store, one after the other; one server does it for all.  [process, clock] */
import { errorMessage } from '../../../../errors.ts'
import { largestChange } from '../../../../drive/domain/accounts/quota.ts'
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import { activeRules, findRule, touchedRules, whyOver } from '../../../../drive/domain/rules/rule-rows.ts'
import type { Store } from '../../../../drive/persistence/store.ts'
import { MADE } from './marks.ts'
import { carryOut, isLeading, PAUSE, type Running, type RunnerOptions } from './run-rule.ts'

export interface RuleRunner {
  readonly stop: () => Promise<void>
}

/** ms between two looks at what has changed. */
const OFTEN = 500
/** Changes that are looked through at once. */
const PIECE = 5000

export function runRules(store: Store, options: RunnerOptions): RuleRunner {
  const running: Running = {
    store,
    options,
    due: new Map(),
    known: new Set(),
    crashes: new Map(),
    givenUp: new Map(),
    seen: undefined,
    now: undefined,
    hasEnded: false,
  }
  let wake: () => void = () => undefined
  const goOn = async () => {
    while (!running.hasEnded) {
      const pause = await turn(running).catch((error: unknown) => {
        if (!running.hasEnded) options.warn(`rules: ${errorMessage(error)}`)
        return PAUSE
      })
      if (running.hasEnded) return
      await new Promise<void>((over) => {
        const timer = setTimeout(over, pause)
        wake = () => {
          clearTimeout(timer)
          over()
        }
      })
    }
  }
  const over = goOn()
  return {
    async stop() {
      running.hasEnded = true
      running.now?.kill()
      wake()
      await over
    },
  }
}

/** @returns ms until the next */
async function turn(running: Running): Promise<number> {
  const { store, due, known } = running
  const rules = isLeading(store) ? activeRules(store.read) : []
  if (rules.length === 0) {
    running.seen = undefined
    for (const one of [due, known]) one.clear()
    return OFTEN
  }
  noteChanges(running)
  for (const { id } of rules) {
    if (!known.has(id)) due.set(id, 0)
    known.add(id)
  }
  for (const rule of rules) {
    const reason = whyOver(store.read, rule)
    if (reason === undefined) continue
    due.delete(rule.id)
    await command(store, 'endRule', OPERATOR, { id: rule.id, reason })
  }
  const now = performance.now()
  const [next] = [...due].filter(([, at]) => at <= now).toSorted(([, a], [, b]) => a - b)
  if (next === undefined) return OFTEN
  const [id] = next
  due.delete(id)
  const rule = findRule(store.read, id)
  if (rule === undefined || rule.ended !== null) return 0
  const again = await carryOut(running, rule)
  // what happened meanwhile has set it to now
  if (again !== undefined && !due.has(id)) due.set(id, performance.now() + again)
  return 0
}

function noteChanges(running: Running): void {
  const { store, due } = running
  const latest = largestChange(store.read)
  const from = running.seen ?? latest
  const to = Math.min(latest, from + PIECE)
  if (to > from) for (const id of touchedRules(store.read, { from, to, made: MADE })) due.set(id, 0)
  running.seen = to
}
