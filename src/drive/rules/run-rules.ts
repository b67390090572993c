/** Runs the rules of a store, one at a time.  [process, clock] */
import { errorMessage } from '../../errors.ts'
import { largestChange } from '../domain/accounts/quota.ts'
import { OPERATOR, command } from '../domain/commands.ts'
import {
  type RuleProgress,
  type RuleRow,
  activeRules,
  clashingRule,
  findRule,
  isWithin,
  findChangedRules,
  findEndReason,
} from '../domain/rules/rule-rows.ts'
import type { Store } from '../persistence/store.ts'
import { MADE } from './marks.ts'
import { isStorageFailure } from '../contract/failure.ts'
import { OWN_CLIENT, findClient } from '../domain/accounts/clients.ts'
import { digestToken, newToken } from '../domain/accounts/tokens.ts'
import { readLimits } from '../domain/settings.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import type { FromRule, AbandonedFile, RuleJob } from './messages.ts'
import { type RuleProcess, startRuleProcess } from './rule-process.ts'

export interface RuleRunner {
  readonly stop: () => Promise<void>
}

/** Interval in ms between checks for changes. */
const OFTEN = 500
/** Maximum number of changes per check. */
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
      const pause = await runDueRules(running).catch((error: unknown) => {
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

/** @returns ms until the next turn */
async function runDueRules(running: Running): Promise<number> {
  const { store, due, known } = running
  const rules = activeRules(store.read)
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
    const reason = findEndReason(store.read, rule)
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
  // changes that arrived meanwhile have already made it due now
  if (again !== undefined && !due.has(id)) due.set(id, performance.now() + again)
  return 0
}

function noteChanges(running: Running): void {
  const { store, due } = running
  const latest = largestChange(store.read)
  const from = running.seen ?? latest
  const to = Math.min(latest, from + PIECE)
  if (to > from) for (const id of findChangedRules(store.read, { from, to, made: MADE })) due.set(id, 0)
  running.seen = to
}

interface RunnerOptions {
  /** Address of the store for processes on this machine. */
  readonly url: string
  readonly warn: (text: string) => void
  readonly data: StoredData
}

/** Pause in ms after a failure here, or while a rule waits. */
const PAUSE = 60_000

interface Running {
  readonly store: Store
  readonly options: RunnerOptions
  /** Rule id -> time of the next run, in ms of this process's clock. */
  readonly due: Map<string, number>
  readonly known: Set<string>
  /** Table -> number of crashes of its process. */
  readonly crashes: Map<string, number>
  readonly givenUp: Map<string, AbandonedFile>
  /** Position in the change log, up to which changes were examined; undefined while there are no rules. */
  seen: number | undefined
  now: RuleProcess | undefined
  hasEnded: boolean
}

/** Messages received so far from the process of a rule. */
interface Heard {
  progress: RuleProgress
  last: Extract<FromRule, { readonly done: true } | { readonly refused: string }> | undefined
  /** Table being converted. */
  table: { readonly file: string; readonly revision: string } | undefined
  isLate: boolean
}

/** @returns ms until the next run, even without changes; undefined for none */
async function carryOut(running: Running, rule: RuleRow): Promise<number | undefined> {
  const { store, options, givenUp } = running
  const limits = readLimits(store.read)
  const waits = whyWaiting(store, rule, limits['rule-folders'])
  if (waits !== undefined) {
    await noteProgress(store, rule, { ...rule.progress, trouble: waits })
    return PAUSE
  }
  const token = await lend(store, rule, HOUR + limits['rule-seconds'] * 1000)
  if (token === undefined) return PAUSE
  const { terms, progress, folder_id, target_id } = rule
  const heard: Heard = { progress, last: undefined, table: undefined, isLate: false }
  const places = { url: options.url, folder: folder_id ?? '', target: target_id ?? '' }
  const bounds = { mostBytes: limits['rule-bytes'], givenUp: givenUp.get(rule.id) }
  const job = { kind: 'run' as const, rule: rule.id, token, terms, progress, ...places, ...bounds }
  const why = await runBounded(running, job, limits['rule-seconds'] * 1000, heard)
  if (running.hasEnded) return undefined
  await command(store, 'revokeToken', OPERATOR, { digest: digestToken(token) })
  if (isOver(store, rule.id)) return undefined
  const { last, table } = heard
  const reason = heard.isLate ? tooLong(limits['rule-seconds']) : why
  if (why === undefined) givenUp.delete(rule.id)
  else if (table !== undefined) giveUp(running, rule, { ...table, why: reason ?? '' }, heard.isLate)
  else options.warn(`rule ${rule.id}: ${reason}`)
  const trouble = last === undefined ? reason : 'done' in last ? last.trouble : last.refused
  const isOfTable = last === undefined && table !== undefined
  await noteProgress(store, rule, { ...heard.progress, trouble: isOfTable ? undefined : trouble })
  if (last !== undefined && 'done' in last) return last.again
  return isOfTable ? 0 : PAUSE
}

/** Reason why a rule waits, since folders can move after it was made; undefined when it can run. */
function whyWaiting({ read }: Store, rule: RuleRow, mostFolders: number): string | undefined {
  if (!isWithin(read, rule, mostFolders)) return `there are more than ${mostFolders} folders below`
  const elders = activeRules(read).filter(({ pk }) => pk < rule.pk)
  const elder = clashingRule(read, rule, elders)
  return elder && `an older rule, ${elder.id}, writes files with the same names from the same tables`
}

/**
 * Limits the time between two messages of the process to `patience` ms. @returns the reason of the end, unless the
 * process exited normally
 */
async function runBounded(
  running: Running,
  job: Extract<RuleJob, { readonly kind: 'run' }>,
  patience: number,
  heard: Heard,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      heard.isLate = true
      running.now?.kill()
    }, patience)
  }
  const watch = setInterval(() => {
    if (isOver(running.store, job.rule)) running.now?.kill()
  }, 1000)
  running.now = startRuleProcess(job, running.options.data, (message) => {
    arm()
    hear(running, heard, message)
  })
  arm()
  const why = await running.now.ended
  clearTimeout(timer)
  clearInterval(watch)
  running.now = undefined
  return why
}

function hear({ crashes }: Running, heard: Heard, message: FromRule): void {
  if ('state' in message) heard.progress = { ...heard.progress, ...message.state }
  else if ('begun' in message) heard.table = message.begun
  else if ('outcome' in message) {
    if (heard.table !== undefined) crashes.delete(tableKey(heard.table))
    heard.table = undefined
    heard.progress = counted(heard.progress, message.outcome)
  } else if ('done' in message || 'refused' in message) heard.last = message
}

/** True when the rule was ended meanwhile, or its maker lost the permission. */
function isOver({ read }: Store, id: string): boolean {
  const rule = findRule(read, id)
  return rule === undefined || rule.ended !== null || findEndReason(read, rule) !== undefined
}

function tooLong(seconds: number): string {
  return `it took longer than this store allows a rule: ${seconds} s`
}

/** Gives up a table after a timeout or a second crash: a single crash may be chance. */
function giveUp({ crashes, givenUp }: Running, rule: RuleRow, table: AbandonedFile, isLate: boolean): void {
  const count = (crashes.get(tableKey(table)) ?? 0) + 1
  crashes.set(tableKey(table), count)
  if (isLate || count > 1) givenUp.set(rule.id, table)
}

function tableKey({ file, revision }: Pick<AbandonedFile, 'file' | 'revision'>): string {
  return `${file} ${revision}`
}

function counted(progress: RuleProgress, outcome: 'converted' | 'failed' | 'nothing'): RuleProgress {
  if (outcome === 'nothing') return progress
  return { ...progress, [outcome]: (progress[outcome] ?? 0) + 1, last: Date.now() }
}

/** Creates a token for the maker; undefined when the account is being disabled. */
async function lend(store: Store, { id, maker }: RuleRow, life: number): Promise<string | undefined> {
  const token = newToken()
  const client = findClient(store.read, OWN_CLIENT)?.pk ?? 0
  try {
    await command(store, 'addToken', OPERATOR, {
      digest: digestToken(token),
      user: maker,
      client,
      scopes: ['drive'],
      kind: 'access',
      expires: Date.now() + life,
      label: `rule ${id}`,
    })
    return token
  } catch (error) {
    if (isStorageFailure(error) && error.status === 403) return undefined
    throw error
  }
}

const HOUR = 3_600_000

async function noteProgress(store: Store, rule: RuleRow, progress: RuleProgress): Promise<void> {
  if (JSON.stringify(progress) === JSON.stringify(rule.progress)) return
  await command(store, 'noteRule', OPERATOR, { id: rule.id, progress })
}
