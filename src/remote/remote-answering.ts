/** Answers the cells of a table from a service.  [network] */
import type { OperationRequest } from '../operations/operation-request.ts'
import { COLUMN_LOCI } from '../table/words/locus-header.ts'
import { type NameFacts, type SettlingFacts, columnTitle, isDigitName } from '../table/cells/name-facts.ts'
import type { DataFacts } from '../table/output/provenance.ts'
import type { RemoteOptions } from './options.ts'
import type { Remote } from './remote.ts'
import { type ServedVersion, methodsServed } from './served-version.ts'
import { endsRun, isHlaError } from '../errors.ts'
import { type Executor, readyExecutor } from '../operations/executor.ts'
import { openStarter } from '../reference/starter/open-starter.ts'
import { parseReleaseNumber } from '../reference/release-number.ts'
import type { Answering } from '../table/run/table-job.ts'
import { theReading } from '../nomenclature/version2.ts'

export function remoteAnswering(
  { executor, served }: Remote,
  { url }: Pick<RemoteOptions, 'url'>,
): Answering {
  const { label, isStarter, loci = COLUMN_LOCI, dataId = `${label} of ${url}` } = served
  const { oldNames } = openStarter().release.facts
  const facts = { loci, oldNames }
  return {
    executor,
    methods: methodsServed(served),
    facts: settlingFacts({
      ...facts,
      label,
      title: columnTitle(label, !isStarter),
      isComplete: !isStarter,
      areValid: (names) =>
        areAnswered(
          executor,
          names.map((gl_string) => ({ operation: 'validate', input: { gl_string } })),
        ),
    }),
    factsOf(release) {
      const { label: other } = parseReleaseNumber(release)
      // diff of a release with itself: text that is not a typing is an error
      const question = (gl_string: string): OperationRequest => ({
        operation: 'diff',
        input: { from_release: release, to_release: release, gl_string, reduction_method: 'U2' },
      })
      const areValid = (names: readonly string[]) => areAnswered(executor, names.map(question))
      return settlingFacts({
        ...facts,
        label: other,
        title: columnTitle(other, true),
        isComplete: true,
        areValid,
      })
    },
    dataId,
    dataFacts: () => readDataFacts(executor, served),
  }
}

/** True for each question with an answer that is not negative. */
async function areAnswered(executor: Executor, questions: readonly OperationRequest[]): Promise<boolean[]> {
  const ready = await readyExecutor(executor, () => questions)
  return questions.map(({ operation, input }) => {
    try {
      // `valid` is in answers of validate; those of diff lack it
      const { valid = true } = ready.execute(operation, input) as { readonly valid?: boolean }
      return valid
    } catch (error) {
      // a name outside the starter set counts as unanswered
      if (isHlaError(error) && !endsRun(error) && error.code !== 'starter') return false
      throw error
    }
  })
}

/** Part of the answer to `version`. */
interface Version {
  readonly dataset?: string
  readonly mac_date?: string
  readonly mac_codes?: number
  readonly files?: readonly { readonly name: string; readonly sha256: string }[]
  readonly changed?: readonly string[]
  readonly warnings?: readonly string[]
  readonly antigens?: string
}

async function readDataFacts(executor: Executor, { label, dataId = '' }: ServedVersion): Promise<DataFacts> {
  const question = { operation: 'version', input: {} }
  const ready = await readyExecutor(executor, () => [question])
  // a basic service omits most properties
  const version = ready.execute('version', {}) as Version
  const {
    dataset = 'full',
    mac_date,
    mac_codes = 0,
    files = [],
    changed = [],
    warnings = [],
    antigens,
  } = version
  const [id, sha256] = dataset === 'starter' ? [] : dataId.split(' sha256:')
  return {
    release: label,
    dataset,
    identity: {
      id: id === '' ? undefined : id,
      sha256,
      files,
      changed,
      warnings,
      antigensBefore2026: antigens !== undefined,
    },
    mac: mac_date === undefined || mac_date === '' ? undefined : { date: mac_date, codes: mac_codes },
  }
}

interface RemoteNameFacts extends Pick<NameFacts, 'label' | 'loci' | 'title'> {
  /** Renamed alleles that no rule translates. */
  readonly oldNames: Readonly<Record<string, string>>
  /** False for the starter set, which lacks antigens: a name missing from it may still exist. */
  readonly isComplete: boolean
  /** Returns one verdict per name. */
  readonly areValid: (names: readonly string[]) => Promise<readonly boolean[]>
}

export function settlingFacts({ oldNames, isComplete, areValid, ...facts }: RemoteNameFacts): SettlingFacts {
  const verdicts = new Map<string, boolean>()
  const missing = new Set<string>()
  const isValid = (name: string): boolean => {
    const verdict = verdicts.get(name)
    if (verdict === undefined && isComplete) missing.add(name)
    return verdict ?? true
  }
  return {
    ...facts,
    isListed: isValid,
    isAntigen: isValid,
    isFirstField: (family) => isValid(`${family}:XX`),
    respell: (name) => oldNames[name] ?? (isDigitName(name) && !isValid(name) ? name : theReading(name)),
    async settle() {
      if (missing.size === 0) return false
      const names = [...missing]
      missing.clear()
      const answers = await areValid(names)
      for (const [at, name] of names.entries()) verdicts.set(name, answers[at] === true)
      return true
    },
  }
}
