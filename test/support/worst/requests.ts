/** Makes the request of given genes. */
import { LENIENCIES } from '../../../src/engine/accept.ts'
import { METHOD_NAMES } from '../../../src/engine/reduce/methods.ts'
import type { Genes, Shape } from './genes.ts'
import { repeated } from './repeated.ts'
import { tableRequest } from './table-requests.ts'

export interface WorstRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string | Buffer | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Maximum lengths of a path and of a body that the service reads. */
const LONGEST_PATH = 12_000
const LONGEST_BODY = 1_000_000

export function requestOf(genes: Genes): WorstRequest {
  const { kind, unit, size, path, shape } = genes
  switch (kind) {
    case 'question':
    case 'accept':
    case 'options':
      return post(path, JSON.stringify(questionOf(genes)))
    case 'json':
      return post(path, shapeOf(shape, Math.min(size, LONGEST_BODY)))
    case 'large':
      return post(path, shapeOf(shape, size))
    case 'in-path':
      return get(pathOf(genes))
    case 'in-query':
      return get(`/valid?${repeated(`${encodeURIComponent(unit)}&gl_string=1&`, LONGEST_PATH)}`)
    case 'headers':
      return {
        ...get('/version'),
        headers: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`x-${at}`, 'y'])),
      }
    case 'batch':
      return post('/batch', repeated(`${lineOf(genes, unit + genes.joint + unit)}\n`, size))
    case 'batch-line':
      return post('/batch', `${lineOf(genes, textOf(genes, LONGEST_BODY - 2000))}\n`)
    case 'batch-json':
      return post(
        '/batch',
        Buffer.concat([toBuffer(shapeOf(shape, Math.min(size, LONGEST_BODY))), Buffer.from('\n')]),
      )
    default:
      return tableRequest(genes)
  }
}

function textOf({ unit, joint, size }: Genes, most: number): string {
  return repeated(unit + joint, Math.min(size, most)) + unit
}

function questionOf(genes: Genes): object {
  const { kind, size, option, path } = genes
  const method = METHOD_NAMES.find((name) => name === option) ?? 'lgx'
  const isLeniency = option === 'all' || (LENIENCIES as readonly string[]).includes(option)
  const text = textOf(genes, LONGEST_BODY - 2000)
  if (path === '/blend') return { DRB1_SLUG: text, DRB3: textOf(genes, 1000), DRB4: '', DRB5: '' }
  const base = { gl_string: kind === 'accept' ? 'A*01:01' : text, reduction_method: method }
  const accept = kind === 'accept' ? Array.from({ length: size / 20 }, () => option) : [option]
  const releases = { to: '3.58.0', from_release: 'active', to_release: 'active' }
  if (kind !== 'options') return { ...base, ...releases, ...(isLeniency ? { accept } : {}) }
  const ignoredSuffixes = Array.from({ length: 100 }, (_, at) => `N${at}`)
  return { ...base, ...releases, options: { limit: 0, keep: ['xx'], ignoredSuffixes } }
}

function lineOf(genes: Genes, text: string): string {
  const op = genes.path.slice(1).replace('cwd-redux', 'cwd')
  return JSON.stringify({ op, ...questionOf({ ...genes, kind: 'question' }), gl_string: text })
}

const IN_PATH = ['/ard/', '/splits/', '/similar/', '/mac/', '/valid?gl_string=', '/'] as const

function pathOf(genes: Genes): string {
  const start = IN_PATH[(genes.option.length + genes.size) % IN_PATH.length] ?? '/'
  return start + encodeURIComponent(textOf(genes, 3000)).slice(0, LONGEST_PATH)
}

/** JSON that is expensive to parse, and invalid JSON. */
function shapeOf(shape: Shape, size: number): string | Buffer {
  const items = (text: string, open = '[', close = ']') =>
    `${open}${repeated(`${text},`, size)}${text}${close}`
  switch (shape) {
    case 'deep':
      return '['.repeat(size / 2) + ']'.repeat(size / 2)
    case 'deep-object':
      return repeated('{"a":', size)
    case 'members':
      return `{${Array.from({ length: size / 12 }, (_, at) => `"m${at}":1`).join()}}`
    case 'numbers':
      return `{"gl_string":${items('1e308')}}`
    case 'number':
      return `{"gl_string":${'9'.repeat(size)}}`
    case 'escapes':
      return `{"gl_string":"${repeated('\\u0041', size)}","reduction_method":"lgx"}`
    case 'texts':
      return `{"accept":${items('"case"')}}`
    case 'not-utf8':
      return Buffer.concat([Buffer.from('{"gl_string":"'), Buffer.alloc(size, 0xc3), Buffer.from('"}')])
  }
}

function toBuffer(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

function post(path: string, body: string | Buffer): WorstRequest {
  return { method: 'POST', path, body }
}

function get(path: string): WorstRequest {
  return { method: 'GET', path, body: undefined }
}
