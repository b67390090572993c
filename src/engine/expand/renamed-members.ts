/** Renamed members of codes: an expansion leaves them out, or reads them by their present names. */
import type { Note, RenamedMember } from '../../errors.ts'
import type { MacExpansion } from '../../reference/mac-table.ts'
import type { Engine } from '../engine.ts'
import { findDefinition, listMacNames, type Mac } from './mac.ts'
import { findPresentName } from './present-name.ts'

/** Renamed members of a code, in the order of its list; members that never were names are excluded. */
export function listRenamed(mac: Mac, definition: MacExpansion, engine: Engine): RenamedMember[] {
  const lifted = engine.liftsMembers === true ? { lifted: true } : {}
  return listMacNames(mac, definition).flatMap((member) => {
    const name = findPresentName(member, engine)
    return name === undefined ? [] : [{ member, name, code: mac.text, ...lifted }]
  })
}

/** Notes on members left out, even where the answer does not change. @throws {HlaError} as `findDefinition` */
export function noteRenamed(mac: Mac, engine: Engine): Note[] {
  return listRenamed(mac, findDefinition(mac, engine), engine).map((renamed) => ({
    level: 'note',
    code: RENAMED_MEMBER,
    message: renamedText(renamed),
    offending: mac.text,
    renamed,
  }))
}

export const RENAMED_MEMBER = 'renamed-member'

export function renamedText({ member, name }: Pick<RenamedMember, 'member' | 'name'>): string {
  return `${member} is ${name} now`
}

/** Treatment of the member, as the end of a sentence. */
export function renamedFate({ lifted }: Pick<RenamedMember, 'lifted'>): string {
  return lifted === true ? 'read so' : 'left out'
}
