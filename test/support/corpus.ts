/** Recorded answers of the peer, and the mapping of its inputs and answers to ours. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type DesignationKind, DEFAULT_OPTIONS, type EngineOptions } from '../../src/engine/options.ts'
import { sharedPath } from './shared.ts'

export interface CorpusRow {
  readonly op: string
  readonly method: string
  readonly input: string
  readonly status: 'ok' | 'error'
  /** The answer, `sha256:…` for a long one, or the class of the error. */
  readonly output: string
  /** The peer's switches as JSON; empty for the defaults. */
  readonly config: string
}

export function readCorpus(file: string): CorpusRow[] {
  const [head = '', ...lines] = gunzipSync(readFileSync(sharedPath('conformance', file)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  const columns = head.split('\t')
  const [op, method, input, status, output, config] = [
    columns.indexOf('op'),
    columns.indexOf('method'),
    columns.indexOf('input'),
    columns.indexOf('status'),
    columns.includes('output') ? columns.indexOf('output') : columns.indexOf('canonical'),
    columns.indexOf('config'),
  ] as const
  return lines.map((line) => {
    const cells = line.split('\t')
    const cell = (at: number) => unescape(cells[at] ?? '')
    return {
      op: cell(op),
      method: cell(method),
      input: cell(input),
      status: cell(status) === 'error' ? 'error' : 'ok',
      output: cell(output),
      config: cell(config),
    }
  })
}

/** op, method and input of rows with an intended difference -> reason. */
export function readDeviations(release: string): Map<string, string> {
  const text = gunzipSync(
    readFileSync(sharedPath('conformance/dev', `deviations-${release}.tsv.gz`)),
  ).toString('utf8')
  const rows = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t').map(unescape))
  return new Map(rows.map(([op, method, input, reason]) => [`${op}\t${method}\t${input}`, reason ?? '']))
}

/** An answer in the form of the corpus. */
export function recorded(text: string): string {
  return text.length > 2000 ? `sha256:${createHash('sha256').update(text).digest('hex')}` : text
}

const SWITCHES: Readonly<Record<string, DesignationKind>> = {
  reduce_serology: 'serology', reduce_v2: 'v2', reduce_XX: 'xx', reduce_MAC: 'mac', reduce_shortnull: 'null',
} // prettier-ignore

/** Our options for the peer's switches. */
export function optionsOf(config: string): EngineOptions {
  const given = (config === '' ? {} : JSON.parse(config)) as Record<string, unknown>
  return {
    ...DEFAULT_OPTIONS,
    limit: 0,
    strict: given['strict'] !== false,
    ping: given['ping'] !== false,
    ars: given['ARS_as_lg'] === true,
    off: Object.entries(SWITCHES)
      .filter(([key]) => given[key] === false)
      .map(([, kind]) => kind),
    ignoredSuffixes: (given['ignore_allele_with_suffixes'] as string[] | undefined) ?? [],
  }
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\([\\tnr])/g, (_, letter: string) => ({ t: '\t', n: '\n', r: '\r' })[letter] ?? '\\')
}
