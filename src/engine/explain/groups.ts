/** Explanation of G and P: the row of the published group that contains the name. */
import { withoutGroupLetter } from '../../nomenclature/allele.ts'
import type { GroupCitation } from '../../reference/citations.ts'
import { membersInstead, withMissingLetter } from '../names.ts'
import {
  allelesBelow,
  citeStep,
  type Context,
  type Derivation,
  listNames,
  formatCitation,
  type Step,
} from './step.ts'

export type GroupKind = 'g' | 'p'

/** Name without its group letter; with the missing expression letter where names are not validated. */
export function bareName(name: string, { engine }: Context): string {
  return withoutGroupLetter(engine.options.strict ? name : withMissingLetter(name, engine))
}

/** Groups of the name; a two-field name may have several G groups. */
export function findGroups(kind: GroupKind, bare: string, { engine }: Context): readonly string[] {
  const { release } = engine
  const group = release.valueOf(kind, bare)
  if (group === undefined) return []
  return (kind === 'g' ? release.listOf('gDuplicates', bare) : undefined) ?? [group]
}

/** Step that names the group, by the row of the name or of an allele below it. */
export function groupStep(kind: GroupKind, bare: string, context: Context): Step {
  const title = TITLES[kind]
  const groups = findGroups(kind, bare, context)
  const row = context.citations.group(kind, bare)
  if (groups.length === 0) return outsideStep(kind, bare, context)
  if (row !== undefined)
    return citeStep(title, `${listNames(groups)}${publishedAs(row, groups)}`, row, context)
  const [group = ''] = groups
  const witness = findWitness(kind, bare, group, context)
  const through = witness === undefined ? undefined : context.citations.group(kind, witness)
  const how = witness === undefined ? '' : ` through ${witness}`
  if (through === undefined) return citeStep(title, `${listNames(groups)}${how}`, undefined, context)
  const several = groups.length === 1 ? '' : `; ${group}`
  return citeStep(
    title,
    `${listNames(groups)}${several}${publishedAs(through, groups)}${how}`,
    through,
    context,
  )
}

/** Row of a G or P group by the name in our answers. */
export function groupRow(group: string, { engine, citations }: Context): GroupCitation | undefined {
  const [first] = engine.release.listOf('groupMembers', group) ?? []
  return first === undefined ? undefined : citations.group(group.endsWith('G') ? 'g' : 'p', first)
}

/** Published name of a G group, where it differs: groups are named after their first member, as in py-ard. */
export function publishedAs(row: GroupCitation | undefined, groups: readonly string[]): string {
  const group = row?.group
  return group === undefined || groups.includes(group) ? '' : ` (published as ${group})`
}

export function explainG(name: string, context: Context): Derivation {
  return explainGroup('g', name, context)
}

export function explainP(name: string, context: Context): Derivation {
  return explainGroup('p', name, context)
}

const TITLES: Readonly<Record<GroupKind, string>> = { g: 'G group', p: 'P group' }

function explainGroup(kind: GroupKind, name: string, context: Context): Derivation {
  const { release } = context.engine
  const letter = kind.toUpperCase()
  if (release.is(kind === 'g' ? 'gGroup' : 'pGroup', name)) {
    const members = release.listOf('groupMembers', name) ?? []
    const own = citeStep(
      TITLES[kind],
      `${name} of ${listNames(members, 2)}`,
      groupRow(name, context),
      context,
    )
    return derived(own, `a ${letter} group is returned unchanged`)
  }
  const bare = bareName(name, context)
  const step = groupStep(kind, bare, context)
  const groups = findGroups(kind, bare, context)
  if (groups.length > 1)
    return derived(step, `a short name that is in several ${letter} groups gives all of them`)
  if (groups.length === 1) return derived(step, `${letter} is the ${letter} group of the name`)
  return explainOutside(kind, name, step, context)
}

function explainOutside(kind: GroupKind, name: string, step: Step, context: Context): Derivation {
  const letter = kind.toUpperCase()
  const bare = bareName(name, context)
  const members = membersInstead(name, bare, context.engine)
  if (members === undefined) return derived(step, `without a ${letter} group, the name is returned unchanged`)
  const own = citeStep('known', `${name} of ${listNames(members, 2)}`, groupRow(name, context), context)
  return derived(own, `${bare} is not an allele: ${letter} of the members`)
}

function derived(step: Step, rule: string): Derivation {
  return { looked: [step], rule, decisive: step }
}

/** Step for a name outside every group, whose row lists it alone; for a short name, every allele below it. */
function outsideStep(kind: GroupKind, bare: string, context: Context): Step {
  const title = TITLES[kind]
  const own = context.citations.group(kind, bare)
  const [first = bare] = own === undefined ? allelesBelow(bare, context) : []
  const row = own ?? context.citations.group(kind, first)
  const place = formatCitation(row, context)
  if (place === undefined) return { title, text: `none for ${bare}` }
  if (row === undefined) return { title, text: `none, ${place}` }
  return { title, text: `none: ${first === bare ? '' : `${first} is `}alone on ${place}`, citation: row }
}

/** First allele below the name that is in the group. */
function findWitness(kind: GroupKind, bare: string, group: string, context: Context): string | undefined {
  const { release } = context.engine
  return allelesBelow(bare, context).find((allele) => release.valueOf(kind, allele) === group)
}
