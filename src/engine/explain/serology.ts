/** S and hats: the antigens of an allele, and of the alleles a short name covers. */
import { withMissingLetter } from '../names.ts'
import { reduceToLgx } from '../reduce/ard.ts'
import { antigensByLgx, coveredAlleles, ownAntigens, reduceToHats, reduceToS } from '../reduce/serology.ts'
import { antigenStep, withoutAntigenStep } from './antigens.ts'
import { allelesBelow, cited, type Context, counted, type Derivation } from './step.ts'

/** An allele may have several antigens; more are not told one by one. */
const MOST_ANTIGENS = 6

export function explainS(name: string, context: Context): Derivation {
  const { engine } = context
  const full = engine.options.strict ? name : withMissingLetter(name, engine)
  const covered = coveredAlleles(full, engine)
  const antigens = reduceToS(name, engine)
  const [first = full] = covered
  if (antigens.length === 0) return explainNone(first, covered, context)
  const isByLgx = antigensByLgx(full, engine) !== undefined
  const lgx = isByLgx ? reduceToLgx(full, engine) : ''
  const looked = antigens.slice(0, MOST_ANTIGENS).map((antigen) => {
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
        ? 'S is every antigen of the allele, and the broad antigens of those'
        : `S is every antigen of the ${counted(covered.length)} alleles covered`,
    decisive: looked[0] ?? withoutAntigenStep(first, context),
  }
}

/** That alleles of other names gave it antigens. */
function othersNoted(covered: readonly string[], antigens: readonly string[], { engine }: Context): string {
  if (engine.release.facts.dataset === 'starter') return ''
  const own = ownAntigens(covered, engine)
  if (antigens.every((antigen) => own.includes(antigen))) return ''
  const only = own.length === 0 ? 'has none' : `has ${own.join(' ')}`
  return `; by its own alleles it ${only} (--own-antigens; as py-ard without)`
}

export function explainHats(name: string, context: Context): Derivation {
  const { release } = context.engine
  const [antigen] = reduceToHats(name, context.engine)
  const alleles = release.is('who', name) ? [name] : allelesBelow(name, context)
  // short names take the value of the last row below them
  const witness = [...alleles].reverse().find((allele) => release.valueOf('hats', allele) === antigen)
  const row = context.citations.serology(witness ?? name)
  const text = antigen === undefined ? 'none' : `${antigen} of ${witness ?? name}`
  const step = cited('HATS', text, row, context)
  const rule = 'hats is the HATS column, looked up exactly as written'
  return { looked: [step], rule, decisive: step }
}

function explainNone(first: string, covered: readonly string[], context: Context): Derivation {
  const isNull = covered.every((allele) => allele.endsWith('N'))
  const rule = isNull ? 'S: a null allele is not expressed and has no antigen' : 'S: no antigen is known'
  const step = withoutAntigenStep(first, context)
  return { looked: [step], rule, decisive: step }
}

function witnessAmong(antigen: string, alleles: readonly string[], { engine }: Context): string | undefined {
  return alleles.find((allele) => engine.release.listOf('alleleAntigens', allele)?.includes(antigen))
}

/** An allele below the name, else any other of the same lgx name. */
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
