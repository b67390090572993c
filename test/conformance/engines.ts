/** Our engine for the corpus: one for each release and set of switches. */
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { optionsOf } from '../support/corpus.ts'
import type { Answer } from '../support/independent/reduce.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { answerOf, type Question } from './comparison.ts'

const engines = new Map<string, Engine>()

export function answersOf({ row, release }: Question): Answer {
  const key = `${release} ${row.config}`
  const engine = engines.get(key) ?? makeEngine(realRelease(release), realMacs(), optionsOf(row.config))
  engines.set(key, engine)
  return answerOf(engine, row)
}
