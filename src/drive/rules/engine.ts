/**
 * Lists methods and releases for new rules, and checks rules in a separate process, so that the server loads no
 * release.  [disk, process]
 */
import { invalid, StorageFailure } from '../contract/failure.ts'
import type { RuleEngine, RuleTerms } from '../domain/rules/rule-rows.ts'
import { METHOD_NAMES } from '../../engine/reduce/methods.ts'
import { listInstalled } from '../../reference/store/installed.ts'
import { locateData } from '../../reference/store/location.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import type { FromRule } from './messages.ts'
import { startRuleProcess } from './rule-process.ts'

/** Maximum number of simultaneous checks. */
const MOST = 4
/** Time limit of a check, in ms. */
const PATIENCE = 30_000

export function ruleEngine(data: StoredData): RuleEngine {
  let count = 0
  return {
    offers: () => ({
      methods: METHOD_NAMES,
      releases: listInstalled(locateData(data.dataDir)).map(({ name }) => name),
    }),
    async check(given) {
      if (count >= MOST)
        throw new StorageFailure(503, 'backendError', 'Too many rules are being created; try again.')
      count += 1
      try {
        return await checkTerms(given, data)
      } finally {
        count -= 1
      }
    },
  }
}

async function checkTerms(given: Partial<RuleTerms>, data: StoredData): Promise<RuleTerms> {
  let last: FromRule | undefined
  const { ended, kill } = startRuleProcess({ kind: 'check', given }, data, (message) => (last = message))
  const timer = setTimeout(kill, PATIENCE)
  const why = await ended
  clearTimeout(timer)
  if (last !== undefined && 'checked' in last) return last.checked
  const said = last !== undefined && 'refused' in last ? last : { refused: why ?? '', isUsage: false }
  const text = `${said.refused.charAt(0).toUpperCase()}${said.refused.slice(1)}.`
  throw said.isUsage ? invalid(text) : new StorageFailure(503, 'backendError', text)
}
