/**
 * A quick battery over engine and operations, in a separate process: prints the first failed check. argv: the file of
 * cases.
 */
import { readFileSync } from 'node:fs'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { makeKnowledge, type Knowledge } from '../../src/operations/knowledge.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { isHlaError } from '../../src/errors.ts'
import { encodeHistory, readHistory } from '../../src/reference/history/history.ts'
import { NO_CITATIONS } from '../../src/reference/citations.ts'
import { explain } from '../../src/engine/explain/explain.ts'
import { parseMethod } from '../../src/engine/reduce/methods.ts'
import { answerOf } from '../conformance/comparison.ts'
import { optionsOf } from '../support/corpus.ts'
import { publishedDeletions, publishedList } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import type { Case } from './cases.ts'
import { ROWS } from './rows.ts'

const [casesFile = '', release = '3440', earlier = '3290'] = process.argv.slice(2)
const cases = JSON.parse(readFileSync(casesFile, 'utf8')) as Case[]

main()

function main(): void {
  const failed = failedCheck()
  process.stdout.write(failed ?? '')
  process.exitCode = failed === undefined ? 0 : 1
}

function failedCheck(): string | undefined {
  const checks: readonly (readonly [name: string, holds: () => string | undefined])[] = [
    ['computed', failedCase],
    ['rows', failedRow],
    ['explain', failedExplanation],
  ]
  for (const [name, holds] of checks) {
    try {
      const failed = holds()
      if (failed !== undefined) return failed
    } catch (error) {
      return `${name}: ${String(error)}`
    }
  }
  return undefined
}

function failedCase(): string | undefined {
  const engines = new Map<string, Engine>()
  for (const { check, ask, input, config, promised } of cases) {
    const engine = engines.get(config) ?? makeEngine(realRelease(release), realMacs(), optionsOf(config))
    engines.set(config, engine)
    const isMethod = check !== ask
    const row = { op: isMethod ? 'redux' : ask, method: isMethod ? ask : '', input, config } as const
    const given = answerOf(engine, { ...row, status: 'ok', output: '' })
    if (JSON.stringify(given) !== JSON.stringify(promised)) return `${check}: ${ask} of ${input}`
  }
  return undefined
}

/** Operations as in the command line, compared by their output. */
function failedRow(): string | undefined {
  const history = () => readHistory(encodeHistory([lists(earlier), lists(release)], publishedDeletions()))
  const parts = (compact: string) => ({ release: realRelease(compact), mac: realMacs(), history })
  const knowledge = makeKnowledge({ ...parts(release), open: (name) => parts(name.replaceAll('.', '')) })
  for (const { operation, input, printed } of ROWS) {
    const given = print(operation, input, knowledge)
    if (given !== printed) return `${operation}: ${JSON.stringify(input)} is ${JSON.stringify(given)}`
  }
  return undefined
}

function print(name: string, input: object, knowledge: Knowledge): string {
  const operation = operationNamed(name)
  try {
    const output = operation.run(input, knowledge)
    const status = operation.isNegative?.(output) === true ? ' → 1' : ''
    return `${operation.toText(output)}${status}`
  } catch (error) {
    if (isHlaError(error)) return error.code
    throw error
  }
}

function lists(compact: string) {
  const label = `3.${Number(compact.slice(1, 3))}.0`
  return { release: label, rows: publishedList(compact) }
}

/** The last step of explain must equal the answer of redux. */
function failedExplanation(): string | undefined {
  const engine = makeEngine(realRelease(release), realMacs())
  const asked = cases.filter(
    ({ check, config }, at) => config === '' && (check === 'GL Strings' || at % 97 === 0),
  )
  for (const { check, ask, input, promised } of asked) {
    if (check === ask || 'error' in promised) continue
    const { text, leaves } = explain(engine, NO_CITATIONS, input, parseMethod(ask))
    const ends = leaves.every(({ result, steps }) =>
      (steps.at(-1)?.text ?? '').includes(result.split('/')[0] || 'nothing'),
    )
    if (text !== promised.text || !ends) return `explain: ${ask} of ${input}`
  }
  return undefined
}
