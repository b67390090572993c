/** What a route answers: the same in the event loop and in a thread. */
import { type Face, outputFor } from '../../operations/faces.ts'
import { releaseMethods } from '../../engine/reduce/methods.ts'
import { isHlaError, type Note } from '../../errors.ts'
import { answerChecked, type CheckedInput } from '../../operations/executor.ts'
import { type ListedRoute, listRoutes } from '../../operations/http-face.ts'
import type { Knowledge } from '../../operations/knowledge.ts'
import { type Operation, withNotes } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import type { InputSchema, ValueOf } from '../../operations/schema.ts'
import { assured } from '../../errors.ts'

export interface OperationRoute {
  readonly operation: Operation
  readonly route: ListedRoute
}

export const ROUTES: readonly OperationRoute[] = OPERATIONS.flatMap((operation) =>
  listRoutes(operation.http).map((route) => ({ operation, route })),
)

/** `POST /redux` */
export function routeName({ route: { method, path } }: OperationRoute): string {
  return `${method} ${path}`
}

export function routeNamed(name: string): OperationRoute {
  const route = ROUTES.find((one) => routeName(one) === name)
  return assured(route, 'the thread has the routes of its service')
}

/** Form that the client wants. */
export interface AnswerForm {
  readonly face: Face
  /** A text instead of JSON. */
  readonly isPlain: boolean
}

export interface RouteAnswer {
  readonly status: number
  /** Value of the header for notes; undefined for none, or where the body has them. */
  readonly notes: string | undefined
  /** A text if it is plain. */
  readonly body: unknown
}

/** @throws {HlaError} errors of the input */
export function answerRoute(
  { operation, route }: OperationRoute,
  checked: CheckedInput,
  { face, isPlain }: AnswerForm,
  knowledge: Knowledge,
): RouteAnswer {
  const output = outputFor(answerOrEmpty(operation, checked, knowledge), face)
  const { statusOf, plain, body } = operation.http
  return {
    status: statusOf?.(output as never) ?? 200,
    notes: isPlain || body !== undefined ? notesText(output) : undefined,
    body: isPlain ? plain?.(output as never) : bodyOf({ operation, route }, output, knowledge),
  }
}

function bodyOf(
  { operation: { http }, route }: OperationRoute,
  output: Readonly<Record<string, unknown>>,
  knowledge: Knowledge,
): unknown {
  const body = http.toBody?.(output as never) ?? output
  if (route.toBody !== undefined) return route.toBody(output)
  return http.describesService === true ? { ...body, ...serviceFacts(knowledge) } : body
}

/** Notes for a header, when the body is not an object. */
function notesText(output: Readonly<Record<string, unknown>>): string | undefined {
  if (output['notes'] === undefined) return undefined
  return JSON.stringify(output['notes']).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) // prettier-ignore
}

/** Where the contract answers an error with an empty text, the notes give the reason. */
function answerOrEmpty(
  operation: Operation,
  checked: CheckedInput,
  knowledge: Knowledge,
): Readonly<Record<string, unknown>> {
  try {
    return answerChecked(operation, checked, knowledge)
  } catch (error) {
    const { empty } = operation.http
    if (!isHlaError(error) || empty === undefined || !empty.codes.includes(error.code)) throw error
    const { code, message, offending, position } = error
    const reason: Note = { level: 'warning', code, message, ...(offending === undefined ? {} : { offending }), ...(position === undefined ? {} : { position }) } // prettier-ignore
    // checked against the operation's own schema
    const output = empty.output(checked.input as never, knowledge) as Readonly<Record<string, unknown>>
    return { ...output, ...withNotes([...checked.notes, reason]) }
  }
}

/** Facts for clients: available operations, and support for batches. */
function serviceFacts({ release, installed }: Knowledge): ValueOf<typeof SERVICE_FACTS_SCHEMA> {
  return {
    operations: OPERATIONS.map(({ name }) => name),
    batch: true,
    allele_count: release.facts.alleleCount,
    loci: release.facts.loci,
    methods: [...releaseMethods(release.facts.hasHats)],
    releases: [...installed()],
  }
}

const SERVICE_FACTS_SCHEMA = {
  type: 'object',
  properties: {
    operations: { type: 'array', items: { type: 'string' }, description: 'available operations' },
    batch: { type: 'boolean', description: 'true if the service answers batches' },
    allele_count: { type: 'integer' },
    loci: { type: 'array', items: { type: 'string' } },
    methods: { type: 'array', items: { type: 'string' }, description: 'methods available in the release' },
    releases: {
      type: 'array',
      items: { type: 'string' },
      description: 'installed releases, the newest first',
    },
  },
  required: ['operations', 'batch', 'allele_count', 'loci', 'methods', 'releases'],
} as const

/** Properties that the service adds to the answer of `version`. */
export const SERVICE_FACTS: InputSchema['properties'] = SERVICE_FACTS_SCHEMA.properties
