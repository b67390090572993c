/** Lists methods and releases for new rules, and checks rules in a thread, so that the server loads no release.  [disk, threads] */
import { isHlaError } from '../../errors.ts'
import { METHOD_NAMES } from '../../engine/reduce/methods.ts'
import { listInstalled } from '../../reference/store/installed.ts'
import { locateData } from '../../reference/store/location.ts'
import { readLossReason } from '../../service/threads/threads.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import { invalid, StorageFailure } from '../contract/failure.ts'
import type { RuleEngine } from '../domain/rules/rule-rows.ts'
import { messageWithHint } from './messages.ts'
import { openRuleThreads } from './rule-thread.ts'

/** Maximum number of simultaneous checks. */
const MAX_CHECKS = 4
const CHECK_MS = 30_000

export function ruleEngine(data: StoredData): RuleEngine {
  let count = 0
  return {
    offers: () => ({
      methods: METHOD_NAMES,
      releases: listInstalled(locateData(data.dataDir)).map(({ name }) => name),
    }),
    async check(given) {
      if (count >= MAX_CHECKS)
        throw new StorageFailure(503, 'backendError', 'Too many rules are being created; try again.')
      count += 1
      // a thread of its own opens the newest release
      const threads = openRuleThreads(data, { count: 1, patience: CHECK_MS })
      try {
        return await threads.check(given)
      } catch (error) {
        throw refusal(error)
      } finally {
        count -= 1
        await threads.close()
      }
    },
  }
}

/** Codes of terms that can never be met. */
const USAGE: ReadonlySet<string> = new Set(['usage', 'bad-request', 'unknown-method', 'unknown-release'])

function refusal(error: unknown): StorageFailure {
  const said = messageWithHint(error)
  const text = `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
  const isUsage = isHlaError(error) && USAGE.has(error.code) && readLossReason(error) === undefined
  return isUsage ? invalid(text) : new StorageFailure(503, 'backendError', text)
}
