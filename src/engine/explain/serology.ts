/** Explanation of S and hats: antigens of an allele, and of the alleles a short name covers. */
import { twoFields } from '../../nomenclature/allele.ts'
import {
  type AnsweredLevel,
  answeredLevel,
  areRelated,
  atLevel,
  narrowest,
  widerAntigens,
} from '../antigen-levels.ts'
import { coveredAlleles, isNull } from '../expand/covered.ts'
import { withMissingLetter } from '../names.ts'
import { reduceToLgx } from '../reduce/ard.ts'
import {
  antigensByLgx,
  areOwnAntigens,
  ownAntigens,
  reduceToHats,
  reduceToS,
  sharedAntigens,
} from '../reduce/serology.ts'
import { antigenStep, relationStep, withoutAntigenStep } from './antigens.ts'
import { allelesBelow, citeStep, type Context, type Derivation, listNames, type Step } from './step.ts'
import { formatCount } from '../../format-count.ts'

/** Maximum number of antigens explained singly. */
const MAX_ANTIGENS = 6

export function explainS(name: string, context: Context): Derivation {
  const { engine } = context
  const full = engine.options.strict ? name : withMissingLetter(name, engine)
  const covered = coveredAlleles(full, engine.release)
  const antigens = reduceToS(name, engine)
  const [first = full] = covered
  if (antigens.length === 0) return explainNone(first, covered, context)
  const level = answeredLevel(engine, name)
  if (level !== undefined) return explainAtLevel(covered, level, context)
  const isByLgx = antigensByLgx(full, engine) !== undefined
  const lgx = isByLgx ? reduceToLgx(full, engine) : ''
  const looked = antigens.slice(0, MAX_ANTIGENS).map((antigen) => {
    const witness = isByLgx
      ? witnessByLgx(antigen, lgx, covered, context)
      : witnessAmong(antigen, covered, context)
    return antigenStep(antigen, witness ?? first, context)
  })
  return {
    looked,
    rule: isByLgx
      ? `S of two fields is every antigen of an allele whose lgx name is ${lgx}${othersNoted(covered, antigens, context)}`
      : covered.length === 1
        ? 'S is every antigen of the allele, and their broad antigens'
        : `S is every antigen of the ${formatCount(covered.length)} alleles covered`,
    decisive: looked[0] ?? withoutAntigenStep(first, context),
  }
}

/** Each antigen by an allele that has it, and its antigen at the level. */
function explainAtLevel(covered: readonly string[], level: AnsweredLevel, context: Context): Derivation {
  const { engine } = context
  const { release } = engine
  const found = narrowest(sharedAntigens(covered, engine), release)
  const looked = found.slice(0, MAX_ANTIGENS).flatMap((antigen) => {
    const witness = witnessAmong(antigen, covered, context) ?? sharingAllele(antigen, covered, context)
    const wider = widerAntigens(antigen, release)
    const last = Math.max(...atLevel(antigen, level, release).map((one) => wider.indexOf(one)))
    const climbed = wider.slice(0, last + 1)
    return [
      antigenStep(antigen, witness ?? covered[0] ?? antigen, context),
      ...climbed.map((one, at) => relationStep(climbed[at - 1] ?? antigen, one, context)),
    ]
  })
  const proteins = [...new Set(covered.map(twoFields))]
  const hats = hatsSteps(covered, found, context)
  return {
    looked: [...looked, ...hats],
    rule: `S is ${LEVEL_WORDS[level]} of the antigens of ${listNames(proteins)}${areOwnAntigens(engine) ? '' : ', and of alleles with the same lgx name'}`,
    decisive: looked[0] ?? withoutAntigenStep(covered[0] ?? '', context),
  }
}

const LEVEL_WORDS: Readonly<Record<AnsweredLevel, string>> = {
  associated: 'the narrowest',
  split: 'the split antigens',
  broad: 'the broad antigens',
  'split-and-broad': 'the split antigens, with their broad ones,',
}

function sharingAllele(antigen: string, covered: readonly string[], context: Context): string | undefined {
  for (const protein of new Set(covered.map(twoFields))) {
    const found = witnessByLgx(antigen, reduceToLgx(protein, context.engine), covered, context)
    if (found !== undefined) return found
  }
  return undefined
}

/** Steps where HATS assigns an antigen neither found by S nor related to it; both are shown. */
function hatsSteps(covered: readonly string[], found: readonly string[], context: Context): Step[] {
  const { release } = context.engine
  if (!release.facts.hasHats) return []
  const steps = covered.flatMap((allele) => {
    const antigen = release.valueOf('hats', allele)
    if (antigen === undefined) return []
    const isSame = found.includes(antigen)
    const isRelated = found.some((one) => areRelated(one, antigen, release))
    const differs = isSame || isRelated ? '' : `, which is not related to ${found.join(' ')}`
    return [
      citeStep('HATS', `${antigen} of ${allele}${differs}`, context.citations.serology(allele), context),
    ]
  })
  const other = steps.filter(({ text }) => text.includes('not related'))
  return [...other, ...steps].slice(0, 1)
}

/** Remark that alleles of other names contributed antigens. */
function othersNoted(covered: readonly string[], antigens: readonly string[], { engine }: Context): string {
  if (engine.release.facts.dataset === 'starter') return ''
  const own = ownAntigens(covered, engine)
  if (antigens.every((antigen) => own.includes(antigen))) return ''
  const only = own.length === 0 ? 'has none' : `has ${own.join(' ')}`
  return `; with the option own-antigens, which counts only its own alleles, it ${only} (py-ard has no such option)`
}

export function explainHats(name: string, context: Context): Derivation {
  const { release } = context.engine
  const [antigen] = reduceToHats(name, context.engine)
  const alleles = release.is('who', name) ? [name] : allelesBelow(name, context)
  // short names take the value of the last row below them
  const witness = [...alleles].reverse().find((allele) => release.valueOf('hats', allele) === antigen)
  const row = context.citations.serology(witness ?? name)
  const text = antigen === undefined ? 'none' : `${antigen} of ${witness ?? name}`
  const step = citeStep('HATS', text, row, context)
  const rule = 'hats is the HATS column, looked up exactly as written'
  return { looked: [step], rule, decisive: step }
}

function explainNone(first: string, covered: readonly string[], context: Context): Derivation {
  const rule = covered.every(isNull)
    ? 'S: a null allele is not expressed and has no antigen'
    : 'S: no antigen is known'
  const step = withoutAntigenStep(first, context)
  return { looked: [step], rule, decisive: step }
}

function witnessAmong(antigen: string, alleles: readonly string[], { engine }: Context): string | undefined {
  return alleles.find((allele) => engine.release.listOf('alleleAntigens', allele)?.includes(antigen))
}

/** An allele below the name that has the antigen, else any other of the same lgx name. */
function witnessByLgx(
  antigen: string,
  lgx: string,
  covered: readonly string[],
  context: Context,
): string | undefined {
  const own = witnessAmong(antigen, covered, context)
  if (own !== undefined && reduceToLgx(own, context.engine) === lgx) return own
  const carriers: readonly string[] = context.engine.release.listOf('antigenAlleles', antigen) ?? []
  return carriers.find((allele) => reduceToLgx(allele, context.engine) === lgx)
}
