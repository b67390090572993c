/** Lists methods and releases for new rules, and checks their terms.  [disk] */
import { isEmpty } from '../../cli/run/open-knowledge.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { METHOD_NAMES } from '../../engine/reduce/methods.ts'
import { findRelease, listInstalled } from '../../reference/store/installed.ts'
import { locateData } from '../../reference/store/location.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import { invalid, StorageFailure } from '../contract/failure.ts'
import type { RuleEngine, RuleTerms } from '../domain/rules/rule-rows.ts'
import { messageWithHint, noRelease } from './messages.ts'

export function ruleEngine(data: StoredData): RuleEngine {
  return {
    offers: () => ({
      methods: METHOD_NAMES,
      releases: listInstalled(locateData(data.dataDir)).map(({ name }) => name),
    }),
    check(given) {
      try {
        return checkTerms(given, data)
      } catch (error) {
        const said = messageWithHint(error)
        const text = `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
        throw isHlaError(error) && USAGE.has(error.code)
          ? invalid(text)
          : new StorageFailure(503, 'backendError', text)
      }
    },
  }
}

/** Codes of terms that can never be met. */
const USAGE: ReadonlySet<string> = new Set(['usage', 'unknown-method', 'unknown-release'])

/** Opens no release, which would stay in the server's memory. @throws {HlaError} usage, unknown-method, unknown-release, no-data */
function checkTerms({ method = 'lgx', release, match }: Partial<RuleTerms>, data: StoredData): RuleTerms {
  if (!METHOD_NAMES.some((known) => known === method))
    throw new HlaError('unknown-method', `there is no method ${method}: ${METHOD_NAMES.join(', ')}`)
  if (release !== undefined && !/^[0-9a-z][0-9a-z.-]{0,39}$/i.test(release))
    throw new HlaError('unknown-release', `${release} is not a release`)
  const used = release ?? data.release
  if (used === 'active' && isEmpty(data.dataDir)) throw noRelease()
  if (used !== 'starter') findRelease(locateData(data.dataDir), used)
  return { method, release, match }
}
