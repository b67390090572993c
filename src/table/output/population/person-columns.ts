/** What columns of a table say of a person besides the typings: `population=POP,sex=SEX`. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { type Header, selectColumns } from '../../plan/header.ts'

export const PERSON_ROLES = [
  'population', 'race', 'race2', 'family', 'father', 'mother', 'sex', 'phenotype',
] as const // prettier-ignore

export type PersonRole = (typeof PERSON_ROLES)[number]

/** @throws {HlaError} usage — no such role or column, or one that the format `title` does not have */
export function findPersonColumns(
  text: string | undefined,
  header: Header,
  { title, roles }: { readonly title: string; readonly roles: readonly PersonRole[] },
): ReadonlyMap<PersonRole, number> {
  const found = new Map<PersonRole, number>()
  for (const item of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', column = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(item) ?? []
    const role = roles.find((one) => one === name)
    if (role === undefined || found.has(role)) {
      const has = roles.length === 0 ? 'has none' : `has ${roles.join(', ')}`
      throw new HlaError(
        'usage',
        advice`${option('person-columns')} ${JSON.stringify(item)}: ${title} ${has}, each once`,
        {
          hint: 'name=column, with commas between: population=POP',
        },
      )
    }
    const [at, another] = selectColumns(column, header)
    if (at === undefined || another !== undefined)
      throw new HlaError(
        'usage',
        advice`${option('person-columns')} ${JSON.stringify(item)} names more than one column`,
      )
    found.set(role, at)
  }
  return found
}
