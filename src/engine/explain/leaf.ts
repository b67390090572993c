/** One leaf of a GL String: read, looked up, reduced, step by step. */
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { answeredLevel } from '../antigen-levels.ts'
import { designate, type Designation, oldReading } from '../designate.ts'
import { groupOfAnswer, withMissingLetter } from '../names.ts'
import { METHODS, type Method } from '../reduce/methods.ts'
import { knownStep } from './known.ts'
import { antigenSteps, macSteps, MOST_MEMBERS, shortNullSteps, xxSteps } from './lists.ts'
import { EXPLAINERS } from './methods.ts'
import { parseStep } from './parse.ts'
import { type Context, counted, listed, type Step } from './step.ts'

/** `result` is what `redux` makes of the leaf; empty when nothing is left of it. */
export function leafSteps(leaf: string, result: string, method: Method, context: Context): Step[] {
  return [parseStep(leaf), ...nameSteps(withoutPrefix(leaf), result, method, context)]
}

function nameSteps(name: string, result: string, method: Method, context: Context): Step[] {
  const designation = designate(name, context.engine)
  const respelled = respelling(name, designation, context)
  if (respelled !== undefined) return [respelled.step, ...nameSteps(respelled.name, result, method, context)]
  const answered = groupOfAnswer(name, context.engine)
  if (answered !== undefined && designation.as !== 'typed') {
    const text = `${answered}: ${name} is its two fields, and no allele is called so`
    return [{ title: 'read as', text }, ...nameSteps(answered, result, method, context)]
  }
  const { groupAliases } = context.engine.release.facts
  const alias = groupAliases[name]
  if (alias !== undefined && designation.as !== 'typed') {
    const text = `${alias}, as G groups are named by their first member`
    return [{ title: 'read as', text }, ...nameSteps(alias, result, method, context)]
  }
  switch (designation.as) {
    case 'typed':
      return [typedStep(name, designation, context), resultStep(shownAnswer(result))]
    case 'name':
      return reducedSteps(name, { result, method }, context)
    case 'list':
      return listSteps(name, { designation, result, method }, context)
  }
}

function reducedSteps(name: string, { result, method }: LeafAnswer, context: Context): Step[] {
  const { engine } = context
  const full = engine.options.strict ? name : withMissingLetter(name, engine)
  const letter =
    full === name ? [] : [{ title: 'read as', text: `${full}, with the letter that was missing` }]
  const { looked, rule, form } = EXPLAINERS[method](name, context)
  const answer = shownAnswer(result)
  return [
    ...letter,
    knownStep(full, context),
    ...looked,
    { title: 'rule', text: rule },
    resultStep(form === undefined ? answer : `${form}: ${answer}`),
  ]
}

interface LeafAnswer {
  /** What `redux` makes of it: never worked out again here. */
  readonly result: string
  readonly method: Method
}

interface Listing extends LeafAnswer {
  readonly designation: Extract<Designation, { as: 'list' }>
}

function listSteps(name: string, { designation, result, method }: Listing, context: Context): Step[] {
  const { names, note } = designation
  const noted = note === undefined ? [] : [{ title: 'note', text: note.message }]
  const { antigen } = designation
  const level = antigen === undefined || method !== 'S' ? undefined : answeredLevel(context.engine, antigen)
  const rule =
    level === undefined
      ? []
      : [{ title: 'rule', text: `S of an antigen is what its alleles have of ${antigen} and of those that belong to it` }] // prettier-ignore
  const members = names.slice(0, MOST_MEMBERS).map((member) => memberStep(member, method, context))
  const more = names.length - members.length
  const rest = more > 0 ? [{ title: 'members', text: `${counted(more)} more in the same way` }] : []
  return [
    ...readSteps(name, designation, context),
    ...noted,
    ...members,
    ...rest,
    ...rule,
    resultStep(`of ${counted(names.length)} together: ${shownAnswer(result)}`),
  ]
}

function readSteps(
  name: string,
  { kind, names, antigen = name }: Listing['designation'],
  context: Context,
): Step[] {
  switch (kind) {
    case 'mac':
      return macSteps(name, context)
    case 'xx':
      return xxSteps(name, names, context)
    case 'serology':
      return antigenSteps(antigen, names, context)
    default:
      return shortNullSteps(name, names, context)
  }
}

/** A whole derivation in one line: the look-up that decided, and what it gave. */
function memberStep(name: string, method: Method, context: Context): Step {
  const names = METHODS[method].reduce(name, context.engine)
  const { decisive, rule } = EXPLAINERS[method](name, context)
  const why = decisive.text === '' ? rule : `${decisive.title} ${decisive.text}`
  const ignored = isIgnored(name, context) ? `; ${IGNORED_MEMBER}` : ''
  return {
    ...decisive,
    title: 'member',
    text: `${name} -> ${names.length === 0 ? 'nothing' : listed(names)}: ${why}${ignored}`,
  }
}

const IGNORED_MEMBER =
  'what is to be left alone is so as a name that was typed, not as a member (py-ard leaves members too)'

function isIgnored(name: string, { engine }: Context): boolean {
  return engine.options.ignoredSuffixes.includes(name.slice(name.indexOf('*') + 1))
}

function typedStep(name: string, { note }: Extract<Designation, { as: 'typed' }>, context: Context): Step {
  const why = isIgnored(name, context)
    ? 'its right-hand side is one to leave alone'
    : 'names of this kind are kept as typed'
  return { title: 'rule', text: note?.message ?? why }
}

/** Names from before April 2010: by the list of exceptions, else by the rules of the change. */
function respelling(
  name: string,
  designation: Designation,
  { engine }: Context,
): { name: string; step: Step } | undefined {
  if (!name.includes('*') || name.includes(':')) return undefined
  if (designation.as === 'typed' && designation.name === name) return undefined
  const exception = engine.release.facts.oldNames[name]
  const spelling = oldReading(name, engine)?.read
  if (spelling === undefined) return undefined
  const why = exception === undefined ? 'with the colons of April 2010' : 'an exception of old-names.csv'
  return { name: spelling, step: { title: 'read as', text: `${spelling}, ${why}` } }
}

function resultStep(text: string): Step {
  return { title: 'result', text }
}

function shownAnswer(result: string): string {
  return result === '' ? 'nothing' : listed(result.split('/'), 6)
}
