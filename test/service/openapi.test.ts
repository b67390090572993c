/** The OpenAPI description: complete, typed, and true to the answers. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openData } from '../../src/open.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { EXAMPLES } from '../../src/service/openapi/openapi-examples.ts'
import { openApi } from '../../src/service/openapi/openapi.ts'
import { installedData } from '../support/installed-data.ts'
import {
  faultsOf,
  type OpenApiDocument,
  PYTHON,
  schemasIn,
  typeFrom,
  TYPESCRIPT,
} from '../support/openapi-types.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

// in its serialized form
const document = JSON.parse(JSON.stringify(openApi())) as OpenApiDocument
const temp = tempFolder()

type Parameter = Readonly<{ in: string; example?: unknown }>
type Added = Readonly<{ required: readonly string[] }>
type Responses = Readonly<
  Record<string, { content?: Record<string, { schema: Record<string, unknown>; example?: unknown }> }>
>

const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, route]) => [`${method} ${path}`, route] as const),
)

test('a summary says what a request is for: a verb of what the service does, and each its own', () => {
  const summaries = routes.map(([, { summary }]) => String(summary))
  expect(summaries.filter((text) => !/^[A-Z][a-z]+s\b/.test(text))).toEqual([])
  expect(new Set(summaries).size).toBe(summaries.length)
})

/** All plain values in it, each with its place. */
function* valuesIn(value: unknown, place = ''): Generator<readonly [place: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return yield [place, value]
  for (const [name, member] of Object.entries(value)) yield* valuesIn(member, `${place} ${name}`)
}

test('only four texts of examples are empty, and each reference is one to a part of it', () => {
  const values = [...valuesIn(document)]
  expect(values.length).toBeGreaterThan(1000)
  expect(values.filter(([, value]) => value === '').map(([place]) => place.trim())).toEqual([
    'paths /blend post requestBody content application/json example DRB5',
    'paths /lift post responses 200 content application/json example accession',
    'paths /lift post responses 200 content application/json example result',
    'paths /count post responses 200 content application/json example counts 3 name',
  ])
  const references = values.filter(([place]) => place.endsWith(' $ref')).map(([, value]) => String(value))
  expect(references.length).toBeGreaterThan(50)
  const parts = new Set(
    Object.entries(document.components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    ),
  )
  expect(references.filter((one) => !parts.has(one))).toEqual([])
})

/** `unknown` is also a status of lifted names. */
function withoutTexts(type: string): string {
  return type.replace(/"[^"]*"/g, '""')
}

describe('every schema has a type', () => {
  test.for(schemasIn(document))('%s', ([, schema]) => {
    expect(withoutTexts(typeFrom(schema, TYPESCRIPT))).not.toMatch(/\bunknown\b/)
    expect(withoutTexts(typeFrom(schema, PYTHON))).not.toMatch(/\bAny\b/)
  })

  test('the types that are made of them compile', () => {
    const types = Object.entries(document.components.schemas).map(
      ([name, schema]) => `export type ${name} = ${typeFrom(schema, TYPESCRIPT)}`,
    )
    const used = `
import type { Redux, ReduxRequest, BatchLine } from './types.ts'
export const request: ReduxRequest = { gl_string: 'A*01:01', reduction_method: 'lgx', options: { limit: 1 } }
export const line: BatchLine = { op: 'ard', allele: 'A*01:01' }
export const text = (answer: Redux): string => answer.ard + (answer.notes?.[0]?.message ?? '')
// @ts-expect-error -- no such method
export const wrong: ReduxRequest = { gl_string: 'A*01:01', reduction_method: 'constructor' }
`
    mkdirSync(temp('types'))
    writeFileSync(temp('types/types.ts'), `${types.join('\n')}\n`)
    writeFileSync(temp('types/used.ts'), used)
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: 'nodenext',
      allowImportingTsExtensions: true,
      types: [],
    }
    writeFileSync(temp('types/tsconfig.json'), JSON.stringify({ compilerOptions }))
    const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const { stdout, status } = spawnSync(compiler, ['-p', temp('types')], { encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  })

  test('the walk finds what has none', () => {
    for (const schema of [
      {},
      { type: 'object' },
      { type: 'array' },
      { properties: {} },
      { type: 'object', properties: {}, additionalProperties: true },
    ])
      // prettier-ignore
      expect(typeFrom(schema, TYPESCRIPT)).toContain('unknown')
  })
})

describe('every route', () => {
  test.for(routes)('%s says who it is and what it answers', ([place, route]) => {
    const { operationId, summary, tags, responses, requestBody } = route
    expect([operationId, summary, tags]).not.toContain(undefined)
    const statuses = Object.keys(responses as object)
    const isOpen = Array.isArray(route['security'])
    if (!isOpen) expect(statuses).toEqual(expect.arrayContaining(['200', '401', '429', '500']))
    if (requestBody !== undefined && !place.endsWith('/batch'))
      expect(statuses).toEqual(expect.arrayContaining(['400', '408', '413']))
    expect(JSON.stringify((responses as Record<string, unknown>)['200'])).toMatch(/"schema"/)
  })

  test('has a name of its own', () => {
    const ids = routes.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has an example of its answer, or of its address', () => {
    const answers = routes.flatMap(([place, { parameters, responses }]) => {
      const given = (responses as Responses)['200']?.content?.['application/json']
      if (given?.example === undefined) return []
      const asked = ((parameters ?? []) as readonly Parameter[]).find((one) => one.in === 'path')?.example
      return [{ place, ...given, asked }]
    })
    expect(answers.length).toBeGreaterThan(10)
    for (const { place, schema, example, asked } of answers) {
      const isFull = place !== 'get /version' // the service adds facts of its own
      expect([place, isFull ? faultsOf(example, schema, document) : []]).toEqual([place, []])
      if (asked !== undefined) expect([place, Object.values(example as object)]).toEqual([place, expect.arrayContaining([asked])]) // prettier-ignore
    }
  })

  test('has a schema in parts only where it adds to that of the operation', () => {
    const added = schemasIn(document).flatMap(([, schema]) => {
      const { allOf } = schema as { readonly allOf?: unknown }
      return Array.isArray(allOf) ? [allOf.at(-1) as Added] : []
    })
    expect(added.length).toBeGreaterThan(2)
    for (const { required } of added) expect(required).not.toEqual([])
  })

  test('every reference leads somewhere, and every named schema is referred to', () => {
    const named = new Set([...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name)) // prettier-ignore
    expect([...named].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted()) // prettier-ignore
  })
})

describe.skipIf(!hasShared)('the examples', () => {
  test('are of every operation', () => {
    expect([...EXAMPLES.keys()]).toEqual(OPERATIONS.map(({ name }) => name))
  })

  test.for([...EXAMPLES])('of %s are true', async ([name, { input, output }]) => {
    const executor = localExecutor(openData('3.58.0', await installedData()))
    expect(executor.execute(name, input)).toMatchObject(
      name === 'version' ? { ipd_version: 3580, release: '3.58.0' } : output,
    )
    const schema = { $ref: `#/components/schemas/${name.slice(0, 1).toUpperCase()}${name.slice(1)}` }
    expect(faultsOf(executor.execute(name, input), schema, document)).toEqual([])
  })
})
