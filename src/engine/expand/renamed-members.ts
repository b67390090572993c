/** Members of codes that are called otherwise in the release: an expansion leaves them out. */
import type { Note } from '../../errors.ts'
import type { MacExpansion } from '../../reference/mac-table.ts'
import type { Engine } from '../engine.ts'
import { findSuccessor } from '../lift/retired.ts'
import { withMissingLetter } from '../names.ts'
import { findDefinition, listMacNames, type Mac } from './mac.ts'

export interface RenamedMember {
  /** As the code has it: `B*14:78N`. */
  readonly member: string
  /** As the release has it. */
  readonly name: string
}

/** Those of a code, in the order of its list; members that never were names are not among them. */
export function listRenamed(mac: Mac, definition: MacExpansion, engine: Engine): RenamedMember[] {
  const { release } = engine
  if (release.facts.dataset === 'starter') return []
  return listMacNames(mac, definition).flatMap((member) => {
    const name = release.is('allele', member) ? undefined : findPresentName(member, engine)
    return name === undefined ? [] : [{ member, name }]
  })
}

/** By the lists of other releases, else with the letter that the code leaves out. */
function findPresentName(member: string, engine: Engine): string | undefined {
  const known = presentNames.get(engine) ?? new Map<string, string | undefined>()
  presentNames.set(engine, known)
  if (known.has(member)) return known.get(member)
  if (known.size >= MOST_KNOWN) known.clear()
  const lettered = withMissingLetter(member, engine)
  const name = findSuccessor(member, engine) ?? (lettered === member ? undefined : lettered)
  known.set(member, name)
  return name
}

/** Members come again in thousands of codes. */
const presentNames = new WeakMap<Engine, Map<string, string | undefined>>()
const MOST_KNOWN = 50_000

/** What an expansion leaves out, whether or not an answer changes by it. @throws {HlaError} as `findDefinition` */
export function noteRenamed(mac: Mac, engine: Engine): Note[] {
  return listRenamed(mac, findDefinition(mac, engine), engine).map((renamed) => ({
    level: 'note',
    code: RENAMED_MEMBER,
    message: renamedText(renamed),
    offending: mac.text,
  }))
}

export const RENAMED_MEMBER = 'renamed-member'

export function renamedText({ member, name }: RenamedMember): string {
  return `${member} is ${name} now`
}
