/** What the schema check found -> our error, in the words of the other surfaces. */
import type { FastifySchemaValidationError } from 'fastify'
import { HlaError } from '../errors.ts'

/** The first thing that is wrong. */
export function inputError(errors: readonly FastifySchemaValidationError[]): HlaError {
  const [first] = errors
  if (first === undefined) return new HlaError('bad-request', 'the request is not as it should be')
  const { keyword, instancePath, params } = first
  const name = instancePath.slice(1).replaceAll('/', '.')
  const inside = name === '' ? '' : `${name}.`
  switch (keyword) {
    case 'required':
      return bad(`${inside}${textOf(params['missingProperty'])} is missing`)
    case 'additionalProperties':
      return bad(`unknown property ${JSON.stringify(inside + textOf(params['additionalProperty']))}`)
    case 'type':
      return bad(name === '' ? 'a request is one JSON object' : `${name} must be ${article(params['type'])}`)
    case 'enum':
      return enumError(name, params['allowedValues'])
    default:
      return bad(`${name} ${first.message ?? 'is not as it should be'}`)
  }
}

function enumError(name: string, allowed: unknown): HlaError {
  const values = Array.isArray(allowed) ? allowed.map(String).join(' ') : ''
  if (name === 'reduction_method') return new HlaError('unknown-method', `unknown method. Methods: ${values}`)
  return bad(`${name} must be one of ${values}`)
}

function article(type: unknown): string {
  const name = type === 'string' ? 'text' : type === 'integer' ? 'whole number' : textOf(type)
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`
}

function bad(message: string): HlaError {
  return new HlaError('bad-request', message)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
