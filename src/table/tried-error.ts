/**
 * The one rule for advice on tables: an option with its value is printed only after it was tried, and if it changes the
 * outcome.
 */
import { adviceSteps, type CommandAdvice, type OptionAdvice, withoutSteps } from '../advice.ts'
import { HlaError, isHlaError } from '../errors.ts'

/** The same reading once more, with further options typed; throws when it is refused. */
export type Retry<Read> = (typed: readonly OptionAdvice[]) => Promise<Read>

export async function outcomeOf<Read>(
  retry: Retry<Read>,
  typed: readonly OptionAdvice[],
): Promise<Read | HlaError> {
  try {
    return await retry(typed)
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
}

/**
 * The refusal of an input with the advice that changes it: what is refused again in the same words is omitted, and so is
 * all advice of an input that cannot be read again. `retry`: undefined for such an input.
 */
export async function triedError(error: HlaError, retry: Retry<unknown> | undefined): Promise<HlaError> {
  const steps = adviceSteps(error.hint).filter(isTyped)
  if (steps.length === 0) return error
  const changes = async (typed: readonly OptionAdvice[]) => {
    if (retry === undefined) return false
    const outcome = await outcomeOf(retry, typed)
    return !isHlaError(outcome) || outcome.message !== error.message
  }
  // without further options the refusal is the same, so that another outcome is that of the options
  const isRepeated = !(await changes([]))
  if (isRepeated && (await changes(steps))) return error
  const idle = new Set<OptionAdvice | CommandAdvice>()
  for (const step of steps) if (!isRepeated || steps.length === 1 || !(await changes([step]))) idle.add(step)
  const { said, offending, position, suggestions, facts } = error
  const hint = withoutSteps(error.hint, idle)
  return new HlaError(error.code, said, { offending, position, suggestions, facts, hint, cause: error })
}

function isTyped(step: OptionAdvice | CommandAdvice): step is OptionAdvice {
  return 'option' in step && step.value !== undefined
}
