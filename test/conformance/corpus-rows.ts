/** The rows of the corpus as questions, and the message for a wrong answer. */
import { readCorpus } from '../support/corpus.ts'
import type { Answer } from '../support/independent/reduce.ts'
import { IS_QUICK, isInSample } from '../support/rounds.ts'
import type { Question } from './comparison.ts'

/** `npm test`: the newest. */
export const RELEASES = IS_QUICK ? (['3580'] as const) : (['3580', '3440', '3290'] as const)
export const KINDS = ['alleles', 'codes', 'gl', 'invalid', 'config', 'ops', 'unstable'] as const
export const KINDS_OF_REDUX = ['alleles', 'codes', 'gl', 'invalid', 'config', 'unstable'] as const

export function questionsOf(
  release: string,
  kind: string,
  isWanted: (op: string) => boolean = () => true,
): Question[] {
  const unordered = kind === 'unstable'
  const file = unordered ? `unstable-${release}.tsv.gz` : `dev/${kind}-${release}.tsv.gz`
  const rows = readCorpus(file).filter(({ op }) => isWanted(op))
  return rows.map((row) => ({ row, release, unordered }))
}

/** The sampled rows. */
export function sampledQuestions(
  release: string,
  kind: string,
  isWanted: (op: string) => boolean,
): Question[] {
  return questionsOf(release, kind, isWanted).filter(({ row }) => isInSample(row.input))
}

export function shown({ row }: Question, given: Answer, faults: readonly string[]) {
  const short = (text: string) => text.slice(0, 300)
  return {
    op: row.op,
    method: row.method,
    input: short(row.input),
    config: row.config,
    theirs: short(`${row.status} ${row.output}`),
    ours: 'error' in given ? given.error : short(given.text),
    faults: faults.map(short),
  }
}
