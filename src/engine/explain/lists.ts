/** Expansion of codes, antigens and short nulls into lists of names. */
import { withoutGroupLetter } from '../../nomenclature/allele.ts'
import { findDefinition, listMacNames, parseMac } from '../expand/mac.ts'
import { isOwnMember, listLosses, lossFate, lossText } from '../expand/expand-mac.ts'
import { antigenStep, findColumn, citeSplit } from './antigens.ts'
import { citeStep, type Context, listNames, firstNames, type Step } from './step.ts'
import { hasFormerMembers } from '../engine.ts'
import { counted, formatCount } from '../../format-count.ts'

/** Members of a long list that are explained singly. */
export const MAX_MEMBERS = 3

export function macSteps(text: string, context: Context): Step[] {
  const mac = parseMac(text)
  if (mac === undefined) return []
  const { release } = context.engine
  const definition = findDefinition(mac, context.engine)
  const where = definition.generic ? 'valid with any first field' : `filed under ${mac.family}`
  const list = listNames(definition.members, 8).replaceAll(/(\S) (?=\d)/g, '$1/')
  const names = listMacNames(mac, definition)
  const kept = names.filter((name) => isOwnMember(name, context.engine))
  const dropped = names.filter((name) => !kept.includes(name))
  // the next steps name each loss of an earlier release's code
  const isSaid = dropped.length === 0 || hasFormerMembers(context.engine)
  const gone = isSaid ? '' : `; not in ${release.facts.label}: ${listNames(dropped)}`
  return [
    citeStep('read as', `MAC ${mac.code} = ${list}, ${where}`, context.citations.mac(mac.code), context),
    {
      title: 'expand',
      text: `${kept.length} of ${names.length} names exist${kept.length === 0 ? '' : `: ${firstNames(kept)}`}${gone}`,
    },
    ...listLosses(mac, definition, context.engine).map((loss) => ({
      title: loss.kind,
      text: `${lossText(loss)}, and is ${lossFate(loss)}`,
    })),
    ...kept.flatMap((name) => letteredSteps(name, context)),
  ]
}

export function xxSteps(text: string, names: readonly string[], context: Context): Step[] {
  const family = text.slice(0, -3)
  const broad = context.engine.release.facts.molecularBroads[family]
  const first = context.engine.release.listOf('who', names[0] ?? '')?.[0] ?? names[0] ?? ''
  const covers = broad === undefined ? `every ${family}` : `the broad family of ${broad.join(' ')}`
  const expand = `${counted(names.length, 'two-field name')}: ${firstNames(names)}, the first allele ${first}`
  return [
    { title: 'read as', text: `XX code: ${covers}` },
    citeStep('expand', expand, context.citations.allele(first), context),
  ]
}

/** Counts the columns of all alleles, and shows the first few alleles. */
export function antigenSteps(antigen: string, names: readonly string[], context: Context): Step[] {
  const { broads, associated } = context.engine.release.facts
  const splits = broads[antigen] ?? []
  const [split] = splits
  const broader = associated[antigen]
  const kind = broader === undefined ? 'antigen' : `antigen, associated with ${broader}`
  const read =
    split === undefined
      ? { title: 'read as', text: kind }
      : citeStep(
          'read as',
          `broad antigen of ${splits.join(' ')}`,
          context.citations.split(antigen, split),
          context,
        )
  return [
    read,
    { title: 'expand', text: `${counted(names.length, 'allele')}${columnCounts(antigen, names, context)}` },
    ...names.slice(0, MAX_MEMBERS).map((name) => antigenStep(antigen, name, context)),
  ]
}

export function shortNullSteps(name: string, names: readonly string[], context: Context): Step[] {
  const [first = ''] = names
  const text = `short for the names under ${stem(name)} that end in ${name.slice(-1)}: ${listNames(names)}`
  return [citeStep('read as', text, context.citations.allele(first), context)]
}

function stem(name: string): string {
  return withoutGroupLetter(name.slice(0, -1))
}

/** Step for members such as `B*44:23N` of a code. */
function letteredSteps(name: string, context: Context): Step[] {
  const { release, options } = context.engine
  const full = options.off.includes('null') ? undefined : release.listOf('shortNull', name)
  return full === undefined ? [] : shortNullSteps(name, full, context)
}

function columnCounts(antigen: string, names: readonly string[], context: Context): string {
  const counts = new Map<string, number>()
  for (const name of names) {
    const row = context.citations.serology(name)
    const by = findColumn(row, antigen) ?? findColumn(row, citeSplit(row, antigen, context) ?? antigen)
    if (by !== undefined) counts.set(by, (counts.get(by) ?? 0) + 1)
  }
  if (counts.size === 0) return ''
  return `: ${[...counts].map(([column, count]) => `${formatCount(count)} ${column}`).join(', ')}`
}
