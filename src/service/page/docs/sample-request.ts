/** Working sample request for each route: the try form sends it, and the examples show it. */
import type { Described } from './routes.ts'

export interface SampleRequest {
  readonly method: string
  /** Path with query, without a leading `/`. */
  readonly path: string
  /** Body as sent. */
  readonly body: string | undefined
  readonly type: string | undefined
  /** True when the answer is a single JSON value. */
  readonly isJson: boolean
}

/** Parameter name -> value with an answer. */
const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['gl_string', 'A*01:01+A*02:01'],
  ['allele', 'A*24:02'],
  ['allele_code', 'A*01:AB'],
  ['xx_code', 'A*01'],
  ['allele_prefix', 'A*01:01:01:0'],
  ['name', 'donors.csv'],
])

export function sampleRequest({ method, path, parameters, body, answers }: Described): SampleRequest {
  const value = (name: string, given: unknown) =>
    typeof given === 'string' ? given : (EXAMPLES.get(name) ?? '')
  const exampleOf = (name: string) => parameters.find((one) => one.name === name)?.example
  const filled = path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name, exampleOf(name))))
  const asked = parameters.filter(
    ({ name, in: where, required }) => where === 'query' && (required || name === 'name'),
  )
  const query = new URLSearchParams(asked.map(({ name, example }) => [name, value(name, example)])).toString()
  const example = body?.example
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    body: example === undefined || typeof example === 'string' ? example : JSON.stringify(example, null, 2),
    type: body?.type,
    isJson: answers === 'application/json',
  }
}
