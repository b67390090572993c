/** Facts about names from whoever answers: is an antigen, a first field valid? Each is asked once, many together. */
import { theReading } from '../../nomenclature/version2.ts'
import { isDigitName, type NameFacts, type SettlingFacts } from './name-facts.ts'

export interface RemoteNameFacts extends Pick<NameFacts, 'label' | 'loci' | 'title'> {
  /** Old names that no rule respells. */
  readonly oldNames: Readonly<Record<string, string>>
  /** The starter set does not hold every antigen: what it does not know it must not call unknown. */
  readonly isComplete: boolean
  /** One answer a name. */
  readonly areValid: (names: readonly string[]) => Promise<readonly boolean[]>
}

export function askedFacts({ oldNames, isComplete, areValid, ...facts }: RemoteNameFacts): SettlingFacts {
  const known = new Map<string, boolean>()
  const missing = new Set<string>()
  const isValid = (name: string): boolean => {
    const found = known.get(name)
    if (found === undefined && isComplete) missing.add(name)
    return found ?? true
  }
  return {
    ...facts,
    isAntigen: isValid,
    isFirstField: (family) => isValid(`${family}:XX`),
    respell: (name) => oldNames[name] ?? (isDigitName(name) && !isValid(name) ? name : theReading(name)),
    async settle() {
      if (missing.size === 0) return false
      const names = [...missing]
      missing.clear()
      const answers = await areValid(names)
      for (const [at, name] of names.entries()) known.set(name, answers[at] === true)
      return true
    },
  }
}
