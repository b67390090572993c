/** Runs the rules of a store, one at a time.  [threads, clock] */
import { largestChange } from '../domain/changes/change-log.ts'
import { errorMessage } from '../../errors.ts'
import { OPERATOR, command } from '../domain/commands.ts'
import {
  type RuleRow,
  activeRules,
  clashingRule,
  findChangedRules,
  findEndReason,
  findRule,
  isWithin,
} from '../domain/rules/rule-rows.ts'
import { readLimits } from '../domain/settings.ts'
import type { Store } from '../persistence/store.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import { messageWithHint } from './messages.ts'
import { type RuleThreads, openRuleThreads } from './rule-thread.ts'
import { type RuleRun, runRule } from './run-rule.ts'

export interface RuleRunner {
  readonly stop: () => Promise<void>
}

export interface RunnerOptions extends Pick<RuleRun, 'maxUpload' | 'accesses' | 'warn'> {
  readonly data: StoredData
}

/** Times in ms: between checks for changes, and after a failure or while a rule waits. */
const CHECK_MS = 500
const PAUSE_MS = 60_000
/** Maximum number of changes per check. */
const CHANGES_ROWS = 5000

interface Running extends RunnerOptions {
  readonly store: Store
  /** Rule id -> time of the next run, in ms of this process's clock. */
  readonly due: Map<string, number>
  readonly known: Set<string>
  /** Position in the change log, up to which changes were examined; undefined without rules. */
  seen: number | undefined
  threads: RuleThreads | undefined
  hasEnded: boolean
}

export function runRules(store: Store, options: RunnerOptions): RuleRunner {
  const running: Running = {
    ...options,
    store,
    due: new Map(),
    known: new Set(),
    seen: undefined,
    threads: undefined,
    hasEnded: false,
  }
  let wake: () => void = () => undefined
  const loop = async () => {
    while (!running.hasEnded) {
      const pause = await runNextRule(running).catch((error: unknown) => {
        if (!running.hasEnded) options.warn(`rules: ${errorMessage(error)}`)
        return PAUSE_MS
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
  const over = loop()
  return {
    async stop() {
      running.hasEnded = true
      await running.threads?.close()
      wake()
      await over
    },
  }
}

/** @returns ms until the next turn */
async function runNextRule(running: Running): Promise<number> {
  const { store, due, known } = running
  const rules = activeRules(store.read)
  if (rules.length === 0) {
    running.seen = undefined
    for (const one of [due, known]) one.clear()
    return CHECK_MS
  }
  noteChanges(running)
  for (const { id } of rules) {
    if (!known.has(id)) due.set(id, 0)
    known.add(id)
  }
  for (const rule of rules) {
    const reason = findEndReason(store.read, rule)
    if (reason === undefined) continue
    due.delete(rule.id)
    await command(store, 'endRule', OPERATOR, { id: rule.id, reason })
  }
  const now = performance.now()
  const [next] = [...due].filter(([, at]) => at <= now).toSorted(([, a], [, b]) => a - b)
  if (next === undefined) return CHECK_MS
  const [id] = next
  due.delete(id)
  const rule = findRule(store.read, id)
  if (rule === undefined || rule.ended !== null) return 0
  const again = await runUnlessWaiting(running, rule)
  // changes that arrived meanwhile have already made it due now
  if (again !== undefined && !due.has(id)) due.set(id, performance.now() + again)
  return 0
}

function noteChanges(running: Running): void {
  const { store, due } = running
  const latest = largestChange(store.read)
  const from = running.seen ?? latest
  const to = Math.min(latest, from + CHANGES_ROWS)
  if (to > from) for (const id of findChangedRules(store.read, { from, to })) due.set(id, 0)
  running.seen = to
}

/** @returns ms until the next run, even without changes; undefined for none */
async function runUnlessWaiting(running: Running, rule: RuleRow): Promise<number | undefined> {
  const { store, data } = running
  const limits = readLimits(store.read)
  const reason = whyWaiting(store, rule, limits['rule-folders'])
  if (reason !== undefined) return wait(store, rule, reason)
  // threads of this run open the newest release
  const threads = openRuleThreads(data, { count: 1, patience: limits['rule-seconds'] * 1000 })
  running.threads = threads
  const watch = setInterval(() => {
    if (hasEnded(store, rule.id)) void threads.close()
  }, 1000)
  const isOver = () => running.hasEnded || hasEnded(store, rule.id)
  try {
    return await runRule({ ...running, rule, threads, isOver })
  } catch (error) {
    return isOver() ? undefined : await wait(store, rule, messageWithHint(error))
  } finally {
    clearInterval(watch)
    running.threads = undefined
    await threads.close()
  }
}

/** Reason why a rule waits, since folders can move after it was made; undefined when it can run. */
function whyWaiting({ read }: Store, rule: RuleRow, mostFolders: number): string | undefined {
  if (!isWithin(read, rule, mostFolders)) return `there are more than ${mostFolders} folders below`
  const elders = activeRules(read).filter(({ pk }) => pk < rule.pk)
  const elder = clashingRule(read, rule, elders)
  return elder && `an older rule, ${elder.id}, writes files with the same names from the same tables`
}

async function wait(store: Store, { id, progress }: RuleRow, trouble: string): Promise<number> {
  if (progress.trouble !== trouble) await command(store, 'noteRule', OPERATOR, { id, progress: { trouble } })
  return PAUSE_MS
}

/** True when the rule was ended meanwhile, or its maker lost the permission. */
function hasEnded({ read }: Store, id: string): boolean {
  const rule = findRule(read, id)
  return rule === undefined || rule.ended !== null || findEndReason(read, rule) !== undefined
}
