/** Explanation of lgx, lg and U2: through the G group, otherwise through the P group. */
import {
  countFields,
  cutFields,
  readExpression,
  twoFields,
  withoutGroupLetter,
} from '../../nomenclature/allele.ts'
import { membersInstead, withMissingLetter } from '../names.ts'
import { reduceToLg, reduceToLgx, reduceToU2 } from '../reduce/ard.ts'
import { bareName, findGroups, groupStep } from './groups.ts'
import { type Context, type Derivation, listNames, type Step } from './step.ts'

export function explainLgx(name: string, context: Context): Derivation {
  return explainArd(name, 'lgx', context)
}

export function explainLg(name: string, context: Context): Derivation {
  const { engine } = context
  const answer = reduceToLg(name, engine)
  const suffix = engine.options.ars ? 'ARS' : 'g'
  const bare = answer.endsWith(suffix) ? answer.slice(0, -suffix.length) : answer
  const lgx = reduceToLgx(name, engine)
  const form = `${TWO_FIELDS} and ${suffix}`
  if (bare === lgx) return { ...explainArd(name, 'lg', context), form }
  // A4 of docs/divergences.md
  const plain = explainArd(name, 'lg', { ...context, engine: withoutPing(context) })
  const rule = `${plain.rule}; lg stops here, but lgx gives ${lgx} (as in py-ard; with the option consistent-lg, lg gives ${lgx}${suffix})`
  return { ...plain, rule, form }
}

export function explainU2(name: string, context: Context): Derivation {
  const { engine } = context
  const { release, options } = engine
  const full = options.strict ? name : withMissingLetter(name, engine)
  if (options.ping && release.valueOf('pNotG', name) !== undefined) {
    const derivation = explainArd(name, 'U2', context)
    const own = reduceToU2(full, withoutPing(context))
    const answer = reduceToU2(full, engine)
    if (own === answer) return derivation
    const rule = `${derivation.rule}, in place of its own ${own} (as in py-ard; with ping off it keeps its own)`
    return { ...derivation, rule }
  }
  const decisive = { title: 'rule', text: '' }
  if (countFields(full) === 2)
    return {
      looked: [],
      rule: 'U2 leaves a two-field name unchanged',

      decisive,
    }
  const short = cutFields(full, 2) + readExpression(full)
  if (!release.is('allele', short)) {
    const derivation = explainArd(full, 'lgx', context)
    return {
      ...derivation,
      rule: `${short} is not a name in the release, so U2 gives the lgx result: ${derivation.rule}`,
    }
  }
  const letter = readExpression(full) === '' ? '' : ' and the expression letter'
  return { looked: [], rule: `U2 gives two fields${letter} if an allele has that name`, decisive }
}

const TWO_FIELDS = 'first two fields'

/** Derivation of the two fields, from the reduction with and without the rescue ("ping"). */
function explainArd(name: string, method: string, context: Context): Derivation {
  const { engine } = context
  const bare = bareName(name, context)
  const step = groupStep('g', bare, context)
  const groups = findGroups('g', bare, context)
  const answer = reduceToLgx(name, engine)
  const once = reduceToLgx(name, withoutPing(context))
  const rescued =
    engine.options.ping && engine.release.valueOf('pNotG', withoutGroupLetter(name)) !== undefined
  if (rescued) return throughPGroup({ bare, answer, method, step }, context)
  const short = cutFields(bare, 2)
  const [member] = groups.length === 0 ? (membersInstead(name, short, engine) ?? []) : []
  if (member !== undefined) {
    const through = explainArd(member, method, context)
    return {
      ...through,
      rule: `${short} is not an allele, so its members are reduced by ${method}: ${through.rule}`,
    }
  }
  if (groups.length === 0) return withoutGroup({ bare, answer, method, step }, context)
  const isSeveral = new Set(groups.map(twoFields)).size > 1
  const lowest = isSeveral ? ': the lowest two fields of them (as py-ard; G answers all of them)' : ''
  const rule = `${method} uses the G group -> ${listNames(groups)}${lowest}`
  if (answer === once) return { looked: [step], rule, form: TWO_FIELDS, decisive: step }
  const again = groupStep('g', once, context)
  return {
    looked: [step, again],
    rule: `${rule}, then the same with ${once}`,
    form: TWO_FIELDS,
    decisive: again,
  }
}

interface Outside {
  readonly bare: string
  readonly answer: string
  readonly method: string
  /** States that there is no G group. */
  readonly step: Step
}

function withoutGroup(outside: Outside, context: Context): Derivation {
  const { bare, answer, method, step } = outside
  if (!context.engine.options.ping)
    return {
      looked: [step],
      rule: `${method} uses the G group; without one, the name itself`,
      form: TWO_FIELDS,
      decisive: step,
    }
  const [group] = findGroups('p', bare, context)
  if (group !== undefined && twoFields(group) === answer) return throughPGroup(outside, context)
  const rule = `${method} uses the G group; without one, the P group (ping)`
  const two = cutFields(bare, 2)
  const looked = [step, groupStep('p', bare, context)]
  const others = two === bare ? [] : findGroups('g', two, context)
  if (others.length > 0) {
    const again = groupStep('g', two, context)
    const unless = `${rule}, unless other alleles of ${two} have a G group -> ${listNames(others)}`
    return { looked: [...looked, again], rule: unless, form: TWO_FIELDS, decisive: again }
  }
  const why = group === undefined ? 'but there is neither' : 'and the P group is used only for full names'
  return { looked, rule: `${rule}, ${why}: the name itself`, form: TWO_FIELDS, decisive: step }
}

function throughPGroup({ bare, answer, method, step }: Outside, context: Context): Derivation {
  const rescue = groupStep('p', bare, context)
  const [group = answer] = findGroups('p', bare, context)
  return {
    looked: [step, rescue],
    rule: `${method} uses the G group; without one, the P group (ping) -> ${group}`,
    form: TWO_FIELDS,
    decisive: rescue,
  }
}

function withoutPing({ engine }: Context): Context['engine'] {
  return { ...engine, options: { ...engine.options, ping: false } }
}
