/** Explanation of each method. */
import type { Method } from '../reduce/methods.ts'
import { explainLg, explainLgx, explainU2 } from './ard.ts'
import { explainG, explainP, groupRow, groupStep } from './groups.ts'
import { explainHats, explainS } from './serology.ts'
import { type Context, type Derivation, type Step, citeStep } from './step.ts'
import { counted } from '../../format-count.ts'
import { readExpression } from '../../nomenclature/allele.ts'
import { withMissingLetter } from '../names.ts'
import { reduceToExon, reduceToW } from '../reduce/fields.ts'

function explainW(name: string, context: Context): Derivation {
  const { engine } = context
  const answer = reduceToW(name, engine)
  const looked = below(fullName(name, context), answer, context)
  const [decisive = NOTHING] = looked
  if (looked.length === 0) return { looked, rule: 'W leaves a full name unchanged', decisive }
  const isGroup = engine.release.listOf('groupMembers', name) !== undefined
  const rule = !isGroup
    ? 'W is every allele below a short name'
    : engine.options.members
      ? 'W of a group is its members (option members)'
      : 'W of a group is every allele below the short names of its members (the option members gives the group itself)'
  return { looked, rule, decisive }
}

function explainExon(name: string, context: Context): Derivation {
  const full = fullName(name, context)
  const answer = reduceToExon(name, context.engine)
  if (context.engine.release.valueOf('exon', full) !== undefined) {
    const step = groupStep('g', full, context)
    const [only = ''] = answer
    const letter =
      readExpression(only) === '' ? '' : ', and the expression letter, as the result is a short name'
    return {
      looked: [step],
      rule: `exon is three fields of an allele in a G group${letter}`,

      decisive: step,
    }
  }
  const alleles = reduceToW(full, context.engine)
  if (answer.length === 1 && answer[0] === full) {
    const step = groupStep('g', full, context)
    return {
      looked: [step],
      rule: 'exon leaves an allele that is in no G group unchanged',

      decisive: step,
    }
  }
  const looked = below(full, alleles, context)
  const [decisive = NOTHING] = looked
  return {
    looked,
    rule: 'exon of a short name or group is three fields of every allele below it',

    decisive,
  }
}

function explainFirstField(): Derivation {
  return { looked: [], rule: '1F is the first field, the part before the first colon', decisive: NOTHING }
}

const NOTHING: Step = { title: 'rule', text: '' }

function fullName(name: string, { engine }: Context): string {
  return engine.options.strict ? name : withMissingLetter(name, engine)
}

/** Alleles covered by a short name or group, the first with its source line. */
function below(full: string, alleles: readonly string[], context: Context): Step[] {
  const [first] = alleles
  if (first === undefined || (alleles.length === 1 && first === full)) return []
  const text = `${counted(alleles.length, 'allele')} below ${full}, the first ${first}`
  const step = citeStep('look up', text, context.citations.allele(first), context)
  if (context.engine.release.listOf('groupMembers', full) === undefined) return [step]
  return [citeStep('members', `of ${full}`, groupRow(full, context), context), step]
}

/** Method -> derivation from a name of the release to its answer. */
export const EXPLAINERS: Readonly<Record<Method, (name: string, context: Context) => Derivation>> = {
  G: explainG,
  P: explainP,
  lg: explainLg,
  lgx: explainLgx,
  W: explainW,
  exon: explainExon,
  U2: explainU2,
  S: explainS,
  '1F': explainFirstField,
  hats: explainHats,
}
