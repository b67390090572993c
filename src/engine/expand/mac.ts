/** Multiple Allele Codes: form, and published list of a code at a locus and first field (specification 1.9, 2, 9.1). */
import { type Advice, advice, command, option } from '../../advice.ts'
import { assured, HlaError } from '../../errors.ts'
import { readLocus } from '../../nomenclature/allele.ts'
import type { MacExpansion, MacTable } from '../../reference/mac-table.ts'
import type { Release } from '../../reference/release.ts'
import { type Engine, requireMacTable } from '../engine.ts'

/** A code as typed: `A*01:AB` is locus `A`, family `A*01`, code `AB`. */
export interface Mac {
  readonly text: string
  readonly family: string
  readonly code: string
}

/** Parses the form of a code: one colon, followed only by letters. `XX` is not a code. */
export function parseMac(text: string): Mac | undefined {
  const colon = text.indexOf(':')
  const code = text.slice(colon + 1)
  if (colon < 0 || code === 'XX' || !/^[A-Za-z]+$/.test(code)) return undefined
  return { text, family: text.slice(0, colon), code }
}

/**
 * Published expansion, if the code belongs to that family.
 * @throws {HlaError} unknown-mac, mac-invalid-group — a code with its own first fields belongs to the most frequent of
 * them; unknown-locus, unknown-allele — no such family in the release
 */
export function findDefinition(mac: Mac, engine: Engine): MacExpansion {
  const { release } = engine
  const table = requireMacTable(engine)
  const expansion = table.expand(mac.code)
  if (expansion === undefined) {
    if (release.facts.dataset === 'starter') throw starterError(mac.text, engine)
    throw unknownMac(mac, table)
  }
  if (!belongsTo(mac, expansion)) {
    const family = assured(
      mainFirstField(expansion.members),
      'members of a code that is bound to a family have first fields',
    )
    const right = `${readLocus(mac.family)}*${family}:${mac.code}`
    throw new HlaError(
      'mac-invalid-group',
      `${mac.code} is assigned to first field ${family}: write ${right}`,
      {
        offending: mac.text,
        suggestions: [right],
      },
    )
  }
  return expansion
}

/**
 * Error for an unknown code. Codes are assigned in order: one after the last of the list is newer than the list, if it
 * exists.
 */
function unknownMac({ code, text }: Mac, { date, last }: MacTable): HlaError {
  const message = `${code.slice(0, 60)} is not in the MAC list of ${date}`
  if (code.length !== last.length || code <= last || !/^[A-Z]+$/.test(code))
    return new HlaError('unknown-mac', message, { offending: text })
  return new HlaError(
    'unknown-mac',
    `${message}: it comes after ${last}, the last code there, so it is newer than the list`,
    {
      offending: text,
      hint: advice`${command('data mac')} installs the published list; ${command('data mac', { options: [{ option: 'check' }] })} says whether it is newer`,
    },
  )
}

/**
 * True when the code is written after the right first field: any for a generic code, else the most frequent of its own.
 */
export function belongsTo({ family }: Mac, { generic, members }: MacExpansion): boolean {
  return generic || family.slice(family.lastIndexOf('*') + 1) === mainFirstField(members)
}

/** All names of the code, valid or not, in the order of the list. */
export function listMacNames(mac: Mac, definition: MacExpansion): string[] {
  const before = beforeMembers(mac, definition)
  return definition.members.map((member) => before + member)
}

/** Prefix of the members: `A*01:`, or `A*` for members with their own first field. */
export function beforeMembers({ family }: Mac, { generic }: MacExpansion): string {
  return generic ? `${family}:` : `${readLocus(family)}*`
}

/** Error for a name outside the starter set, which may exist: no answer is better than an incomplete one. */
export function starterError(text: string, { release }: Pick<Engine, 'release'>): HlaError {
  return new HlaError('starter', `${text.slice(0, 60)} is not fully covered by the built-in starter set`, {
    offending: text,
    hint: starterHint(release),
  })
}

/** How to get a full answer: an installed release gives it. */
export function starterHint({ installed, facts }: Release): Advice {
  return installed === undefined
    ? advice`${command('data install', { args: [facts.label] })} installs the full release`
    : advice`${option('release', installed)} asks the installed release`
}

/** Most frequent first field; of equally frequent ones, the first. */
export function mainFirstField(members: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const member of members) {
    const field = member.slice(0, member.indexOf(':'))
    counts.set(field, (counts.get(field) ?? 0) + 1)
  }
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}
