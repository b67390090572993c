/** Runs the rules of a store, one at a time.  [threads, clock] */
import { setTimeout as sleep } from 'node:timers/promises'
import { largestChange } from '../domain/changes/change-log.ts'
import { errorMessage } from '../../errors.ts'
import { OPERATOR, command } from '../domain/commands.ts'
import {
  type RuleRow,
  activeRules,
  clashingRule,
  findChangedRules,
  findEndReason,
  findLiveRule,
  isWithin,
} from '../domain/rules/rule-rows.ts'
import { readLimits } from '../domain/settings.ts'
import type { Store } from '../persistence/store.ts'
import { messageWithHint } from './messages.ts'
import type { RuleThread } from './rule-thread.ts'
import { type RuleRun, runRule } from './run-rule.ts'

export interface RuleRunner {
  readonly stop: () => Promise<void>
}

export interface RunnerOptions extends Pick<RuleRun, 'maxUpload' | 'accesses' | 'warn'> {
  /** Opens a thread for the run of one rule; `patience` is the ms for one table. */
  readonly openThread: (patience: number) => RuleThread
}

/** Times in ms: between checks for changes, and after a failure or while a rule waits. */
const CHECK_MS = 500
const PAUSE_MS = 60_000
/** Time in ms between checks that a running rule has not ended. */
const WATCH_MS = 1000
/** Maximum number of changes per check. */
const CHANGES_ROWS = 5000

interface Running extends RunnerOptions {
  readonly store: Store
  /** Rule id -> time of the next run, in ms of this process's clock. */
  readonly due: Map<string, number>
  /** Position in the change log, up to which changes were examined. */
  seen: number
  /** Converts tables of the current rule; of the last one between rules. */
  thread: RuleThread | undefined
  readonly stopping: AbortSignal
}

export function runRules(store: Store, options: RunnerOptions): RuleRunner {
  const controller = new AbortController()
  const { signal: stopping } = controller
  const seen = largestChange(store.read)
  const running: Running = { ...options, store, due: new Map(), seen, thread: undefined, stopping }
  const loop = async () => {
    while (!stopping.aborted) {
      const pause = await runNextRule(running).catch((error: unknown) => {
        if (!stopping.aborted) options.warn(`rules: ${errorMessage(error)}`)
        return PAUSE_MS
      })
      if (pause !== undefined) await sleep(pause, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
  const over = loop()
  return {
    async stop() {
      controller.abort()
      void running.thread?.close()
      await over
    },
  }
}

/** @returns ms until the next turn; undefined if it comes at once */
async function runNextRule(running: Running): Promise<number | undefined> {
  const { store, due } = running
  for (const rule of activeRules(store.read)) {
    const reason = findEndReason(store.read, rule)
    if (reason !== undefined) await command(store, 'endRule', OPERATOR, { id: rule.id, reason })
  }
  const rules = activeRules(store.read)
  const now = performance.now()
  for (const { id } of rules) due.set(id, due.get(id) ?? now)
  if (rules.length === 0) running.seen = largestChange(store.read)
  else noteChanges(running, now)
  const timeOf = ({ id }: RuleRow) => due.get(id) ?? now
  const [next] = rules.toSorted((one, other) => timeOf(one) - timeOf(other))
  if (next === undefined || timeOf(next) > now) return CHECK_MS
  const again = await runUnlessWaiting(running, next)
  due.set(next.id, performance.now() + (again ?? Infinity))
  return undefined
}

/** A rule whose folders have changed is due, after those that wait already. */
function noteChanges(running: Running, now: number): void {
  const { store, due, seen: from } = running
  const to = Math.min(largestChange(store.read), from + CHANGES_ROWS)
  for (const id of findChangedRules(store.read, from, to)) due.set(id, Math.min(due.get(id) ?? now, now))
  running.seen = to
}

/** @returns ms until the next run, even without changes; undefined for none */
async function runUnlessWaiting(running: Running, rule: RuleRow): Promise<number | undefined> {
  const { store, stopping } = running
  const limits = readLimits(store.read)
  const reason = whyWaiting(store, rule, limits['rule-folders'])
  if (reason !== undefined) return wait(store, rule, reason)
  // the thread of this run opens the newest release
  const thread = running.openThread(limits['rule-seconds'] * 1000)
  running.thread = thread
  const isOver = () => stopping.aborted || findLiveRule(store.read, rule.id) === undefined
  const watch = setInterval(() => {
    if (isOver()) void thread.close()
  }, WATCH_MS)
  try {
    return await runRule({ ...running, rule, thread, isOver })
  } catch (error) {
    return isOver() ? undefined : await wait(store, rule, messageWithHint(error))
  } finally {
    clearInterval(watch)
    await thread.close()
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
