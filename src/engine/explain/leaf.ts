/** Explanation of one leaf of a GL String: parsed, looked up, reduced. */
import {
  PREFIX,
  hasPrefix,
  readExpression,
  readLocus,
  twoFields,
  withoutGroupLetter,
  withoutPrefix,
} from '../../nomenclature/allele.ts'
import { answeredLevel } from '../antigen-levels.ts'
import { type Designation, designate, oldReading } from '../designate.ts'
import { groupOfAnswer, isGroupName, withMissingLetter } from '../names.ts'
import { METHODS, type Method } from '../reduce/methods.ts'
import { MAX_MEMBERS, antigenSteps, macSteps, shortNullSteps, xxSteps } from './lists.ts'
import { EXPLAINERS } from './methods.ts'
import { type Context, type Step, allelesBelow, citeStep, formatCitation, listNames } from './step.ts'
import { releaseTitle } from '../engine.ts'
import { groupRow, publishedAs } from './groups.ts'
import { parseAntigen } from '../../nomenclature/antigen.ts'
import { parseMac } from '../expand/mac.ts'
import { counted, formatCount } from '../../format-count.ts'

/** `result` is the leaf's `redux` answer; '' when nothing is left of it. */
export function leafSteps(leaf: string, result: string, method: Method, context: Context): Step[] {
  return [parseStep(leaf), ...nameSteps(withoutPrefix(leaf), result, method, context)]
}

function nameSteps(name: string, result: string, method: Method, context: Context): Step[] {
  const designation = designate(name, context.engine)
  const respelled = respelling(name, designation, context)
  if (respelled !== undefined) return [respelled.step, ...nameSteps(respelled.name, result, method, context)]
  const answered = groupOfAnswer(name, context.engine)
  if (answered !== undefined && designation.as !== 'typed') {
    const text = `${answered}: ${name} is the first two fields of it, and no allele is named so`
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
    case 'name': {
      const {
        name: read,
        notes: [note],
      } = designation
      if (read === name || note === undefined) return reducedSteps(name, { result, method }, context)
      return [{ title: 'read as', text: note.message }, ...nameSteps(read, result, method, context)]
    }
    case 'list':
      return listSteps(name, { designation, result, method }, context)
  }
}

function reducedSteps(name: string, { result, method }: LeafAnswer, context: Context): Step[] {
  const { engine } = context
  const full = engine.options.strict ? name : withMissingLetter(name, engine)
  const letter =
    full === name ? [] : [{ title: 'read as', text: `${full}, with the missing expression letter added` }]
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
  /** `redux` answer, not computed again here. */
  readonly result: string
  readonly method: Method
}

interface Listing extends LeafAnswer {
  readonly designation: Extract<Designation, { as: 'list' }>
}

function listSteps(name: string, { designation, result, method }: Listing, context: Context): Step[] {
  const { names } = designation
  const noted = designation.notes
    .filter(({ losses }) => losses === undefined)
    .map(({ message }) => ({ title: 'note', text: message }))
  const { antigen } = designation
  const level = antigen === undefined || method !== 'S' ? undefined : answeredLevel(context.engine, antigen)
  const rule =
    level === undefined
      ? []
      : [{ title: 'rule', text: `S of an antigen: the antigens of its alleles, limited to ${antigen} and the antigens that belong to it` }] // prettier-ignore
  const members = names.slice(0, MAX_MEMBERS).map((member) => memberStep(member, method, context))
  const more = names.length - members.length
  const rest =
    more > 0
      ? [
          {
            title: 'members',
            text: `${formatCount(more)} more ${more === 1 ? 'is' : 'are'} reduced in the same way`,
          },
        ]
      : []
  return [
    ...readSteps(name, designation, context),
    ...noted,
    ...members,
    ...rest,
    ...rule,
    resultStep(`of ${formatCount(names.length)} together: ${shownAnswer(result)}`),
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

/** Derivation in one line: the decisive look-up and its result. */
function memberStep(name: string, method: Method, context: Context): Step {
  const names = METHODS[method].reduce(name, context.engine)
  const { decisive, rule } = EXPLAINERS[method](name, context)
  const why = decisive.text === '' ? rule : `${decisive.title} ${decisive.text}`
  const ignored = isIgnored(name, context) ? `; ${IGNORED_MEMBER}` : ''
  return {
    ...decisive,
    title: 'member',
    text: `${name} -> ${names.length === 0 ? 'nothing' : listNames(names)}: ${why}${ignored}`,
  }
}

const IGNORED_MEMBER =
  'ignored suffixes apply to typed names, not to members of codes (py-ard ignores them in members too)'

function isIgnored(name: string, { engine }: Context): boolean {
  return engine.options.ignoredSuffixes.includes(name.slice(name.indexOf('*') + 1))
}

function typedStep(
  name: string,
  { notes: [note] }: Extract<Designation, { as: 'typed' }>,
  context: Context,
): Step {
  const why = isIgnored(name, context)
    ? 'the part after "*" is an ignored suffix'
    : 'names of this kind are kept as typed'
  return { title: 'rule', text: note?.message ?? why }
}

/** Step for a name from before April 2010: by the list of exceptions, else by the rules of 2010. */
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
  const why =
    exception === undefined
      ? 'with colons, as names are written since April 2010'
      : 'an exception listed in old-names.csv'
  return { name: spelling, step: { title: 'read as', text: `${spelling}, ${why}` } }
}

function resultStep(text: string): Step {
  return { title: 'result', text }
}

function shownAnswer(result: string): string {
  return result === '' ? 'nothing' : listNames(result.split('/'), 6)
}

function knownStep(name: string, context: Context): Step {
  const { release } = context.engine
  if (release.is('who', name)) return alleleStep(name, context)
  if (/[GP]$/.test(name) && isGroupName(name, release)) return groupStep(name, context)
  if (release.is('allele', name)) return shortStep(name, name, context)
  const stem = twoFields(name)
  const bare = withoutGroupLetter(name)
  if (bare !== name && release.is('allele', bare)) return shortStep(name, bare, context)
  if (stem !== name && release.is('allele', stem)) return furtherFieldsStep(name, stem, context)
  return { title: 'known', text: `not in ${releaseTitle(context.engine)}; names are not checked` }
}

function alleleStep(name: string, context: Context): Step {
  const row = context.citations.allele(name)
  if (row !== undefined)
    return { title: 'known', text: `${row.file}:${row.line}, assigned ${row.assigned}`, citation: row }
  const listed = context.citations.inAlleleList(name)
  const text = formatCitation(listed, context) ?? 'in the allele list'
  return listed === undefined ? { title: 'known', text } : { title: 'known', text, citation: listed }
}

function groupStep(name: string, context: Context): Step {
  const members = context.engine.release.listOf('groupMembers', name) ?? []
  const row = groupRow(name, context)
  const text = `${name.slice(-1)} group of ${counted(members.length, 'allele')}${publishedAs(row, [name])}`
  return citeStep('known', text, row, context)
}

function shortStep(name: string, known: string, context: Context): Step {
  const alleles = allelesBelow(known, context)
  const [first] = alleles
  if (first === undefined) return citeStep('known', 'a short name of the release', undefined, context)
  const dropped = known === name ? '' : `${known} is `
  const text = `${dropped}short for ${counted(alleles.length, 'allele')}, the first ${first}`
  return citeStep('known', text, context.citations.allele(first), context)
}

/** Divergence B1 (docs/divergences.md): any third field is accepted once the first two exist. */
function furtherFieldsStep(name: string, stem: string, context: Context): Step {
  const [first = stem] = allelesBelow(stem, context)
  const text = `${name} is not listed; ${stem} is (${first}), and further fields are not checked`
  return citeStep('known', text, context.citations.allele(first), context)
}

function parseStep(leaf: string): Step {
  const prefix = hasPrefix(leaf) ? `; ${PREFIX} is put back on the answer` : ''
  return { title: 'parse', text: describeForm(withoutPrefix(leaf)) + prefix }
}

function describeForm(name: string): string {
  const antigen = parseAntigen(name)
  if (antigen !== undefined) return `antigen: ${antigen.letters}, number ${antigen.number}`
  const locus = readLocus(name)
  const right = name.slice(locus.length + 1)
  const fields = right.split(':')
  if (fields.length === 1) return `name without colons: locus ${locus}, ${right}`
  const [first = '', last = ''] = fields
  if (fields.length === 2 && last === 'XX') return `XX code: locus ${locus}, first field ${first}`
  if (parseMac(name) !== undefined) return `code: locus ${locus}, first field ${first}, letters ${last}`
  const letter = /[GPg]$/.exec(name)?.[0] ?? readExpression(name)
  const numbers = letter === '' ? right : right.slice(0, -1)
  return `${describeKind(letter)}: locus ${locus}, fields ${numbers.replaceAll(':', ' ')}${tail(letter)}`
}

function describeKind(letter: string): string {
  return /[GP]/.test(letter) ? `${letter} group` : letter === 'g' ? 'name with g' : 'allele'
}

function tail(letter: string): string {
  return letter === '' || /[GPg]/.test(letter) ? '' : `, expression letter ${letter}`
}
