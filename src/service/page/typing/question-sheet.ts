/** Questions that are asked together, each with a place where its answer will be. */
import type { PageOutcome } from '../answers.ts'
import { ask, type PageQuestion } from '../service.ts'

export interface QuestionSheet {
  /** Gives the answer when the sheet was asked. `T`: what the operation answers. */
  readonly add: <T>(question: PageQuestion) => () => PageOutcome<T>
  readonly ask: () => Promise<void>
}

export function newSheet(): QuestionSheet {
  const questions: PageQuestion[] = []
  let answers: readonly unknown[] = []
  return {
    add: <T>(question: PageQuestion) => {
      const at = questions.push(question) - 1
      return () => answers[at] as PageOutcome<T> // in the order of the questions
    },
    async ask() {
      answers = questions.length === 0 ? [] : await ask(questions)
    },
  }
}
