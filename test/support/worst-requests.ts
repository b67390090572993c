/** The search for the request that costs a service most: random ones, and those near the worst so far. */
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { LENIENCIES } from '../../src/engine/accept.ts'

type Random = () => number

/** A request by its parts, so that one of them can be changed. */
export interface Genes {
  readonly kind: string
  readonly unit: string
  readonly joint: string
  readonly size: number
  readonly option: string
}

export interface WorstRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string | undefined
}

const UNITS = [
  'A*01:01', 'A*99:99', 'A*01:01:01:01', 'HLA-A*01:01', 'A*01:AB', 'B*57:XX', 'A2', 'DRB1*15:XX', 'A*', 'zzz', '', 'A', '1',
  'DPA1*99:01', 'MICA*999', 'A*02:ZZZZZ', '"', '"x"', 'A*01:01N', 'a*1:1', ' ', '01:01', '0101', 'ü', 'A_1', 'A_______', '*a',
] as const // prettier-ignore
const JOINTS = ['/', '+', '^', '|', '~', ',', '\n', '\t', ' ', '":"', '', '..', ';'] as const
const KINDS = [
  'redux', 'validate', 'lift', 'explain', 'blend', 'mac', 'cwd-redux', 'accept', 'options', 'batch', 'batch-line', 'ard', 'valid',
  'splits', 'similar', 'mac-code', 'table', 'table-rows', 'table-row', 'table-columns', 'table-unknown', 'table-quoted',
] as const // prettier-ignore
const SIZES = [10_000, 100_000, 1_000_000, 8_000_000, 32_000_000] as const

export function randomGenes(random: Random, largest: number): Genes {
  return {
    kind: pick(KINDS, random),
    unit: pick(UNITS, random),
    joint: pick(JOINTS, random),
    size: Math.min(pick(SIZES, random), largest),
    option: optionOf(random),
  }
}

/** One part changed. */
export function neighbourOf(genes: Genes, random: Random, largest: number): Genes {
  const other = randomGenes(random, largest)
  const part = pick(['unit', 'joint', 'size', 'option'] as const, random)
  return { ...genes, [part]: other[part] }
}

function optionOf(random: Random): string {
  return pick([...METHOD_NAMES, ...LENIENCIES, 'all', ''], random)
}

function pick<T>(from: readonly T[], random: Random): T {
  const found = from[Math.floor(random() * from.length)]
  if (found === undefined) throw new Error('there is nothing to pick from')
  return found
}

const LONGEST_PATH = 12_000
const LONGEST_BODY = 1_000_000

export function requestOf({ kind, unit, joint, size, option }: Genes): WorstRequest {
  const method = METHOD_NAMES.find((name) => name === option) ?? 'lgx'
  const accept = option === 'all' || (LENIENCIES as readonly string[]).includes(option) ? [option] : undefined
  const text = (most: number) => repeated(unit + joint, Math.min(size, most)) + unit
  const json = (path: string, body: object) => post(path, JSON.stringify(body))
  const inPath = (path: string) => get(path + encodeURIComponent(text(3000)).slice(0, LONGEST_PATH))
  const body = text(LONGEST_BODY - 2000)
  switch (kind) {
    case 'redux':
    case 'explain':
      return json(`/${kind}`, {
        gl_string: body,
        reduction_method: method,
        ...(accept === undefined ? {} : { accept }),
      })
    case 'validate':
      return json('/validate', { gl_string: body, ...(accept === undefined ? {} : { accept }) })
    case 'lift':
      return json('/batch', { op: 'lift', gl_string: body, to: '3.58.0' })
    case 'blend':
      return get(`/blend?drb1=${encodeURIComponent(text(1000))}&drb3=${encodeURIComponent(text(1000))}`)
    case 'mac':
      return json('/mac', { gl_string: body, allele_list: body })
    case 'cwd-redux':
      return json('/cwd-redux', { gl_string: body })
    case 'accept':
      return json('/redux', {
        gl_string: 'A*01:01',
        reduction_method: 'lgx',
        accept: Array.from({ length: size / 20 }, () => option),
      })
    case 'options':
      return json('/redux', {
        gl_string: body,
        reduction_method: method,
        options: {
          limit: 0,
          keep: ['xx'],
          ignoredSuffixes: Array.from({ length: 1000 }, (_, at) => `N${at}`),
        },
      })
    case 'batch':
      return post(
        '/batch',
        repeated(
          `${JSON.stringify({ op: 'redux', gl_string: unit + joint + unit, reduction_method: method })}\n`,
          size,
        ),
      )
    case 'batch-line':
      return post(
        '/batch',
        `${JSON.stringify({ op: option === 'all' ? 'validate' : 'redux', gl_string: body, reduction_method: method })}\n`,
      )
    case 'ard':
      return inPath('/ard/')
    case 'valid':
      return inPath('/valid?gl_string=')
    case 'splits':
      return inPath('/splits/')
    case 'similar':
      return inPath('/similar/')
    case 'mac-code':
      return inPath('/mac/')
    default:
      return tableOf({ kind, unit, joint, size, option }, method, accept)
  }
}

function tableOf(
  { kind, unit, joint, size, option }: Genes,
  method: string,
  accept: readonly string[] | undefined,
): WorstRequest {
  const words = new URLSearchParams({ name: 'a.csv', method })
  if (accept !== undefined) words.set('accept', accept.join(','))
  if (option === 'W') words.set('columns', `${'*a'.repeat(1000)}*b`)
  if (option === 'G') words.set('columns', 'A_*,1..last,'.repeat(200))
  if (option === 'P') words.set('on_error', 'report')
  if (option === 'U2') words.set('gl_out', 'gl')
  if (option === 'S') words.set('ragged', 'pad')
  if (option === 'hats') words.set('header', 'false')
  const path = `/table?${words.toString()}`
  const safe = unit.replaceAll('"', '')
  switch (kind) {
    case 'table-rows':
      return post(path, `id,A_1,A_2\n${repeated(`1,${safe},${safe}\n`, size)}`)
    case 'table-row':
      return post(path, `id,A_1,A_2\n${repeated(`${unit},`, size)}\n`)
    case 'table-columns':
      return post(path, `${repeated(`${safe || 'A'},`, size / 2)}\n${repeated('01:01,', size / 2)}\n`)
    case 'table-unknown': {
      let rows = 'id,A_1,A_2\n'
      const lines: string[] = []
      for (let at = 0; at * 22 < size; at += 1) lines.push(`${at},A*99:${at},B*98:${at}\n`)
      return post(path, (rows += lines.join('')))
    }
    case 'table-quoted':
      return post(path, `id,A_1,A_2\n${repeated(`"1,\n2","${safe}","${safe}"\n`, size)}`)
    default:
      return post(path, `id,A_1,A_2\n${repeated(unit + joint, size)}`)
  }
}

function repeated(text: string, size: number): string {
  return text === '' ? '' : text.repeat(Math.max(1, Math.floor(size / text.length)))
}

function post(path: string, body: string): WorstRequest {
  return { method: 'POST', path, body }
}

function get(path: string): WorstRequest {
  return { method: 'GET', path, body: undefined }
}
