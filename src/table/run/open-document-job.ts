/** A document in, the same document with an answer to each typing out: opened and planned, then converted.  [process, clock] */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { findToken, makeTokens } from '../cells/tokens.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import { type OpenDocument, openDocument } from '../documents/open-document.ts'
import { readTableInput, type TableInput } from '../input/input.ts'
import { planText } from '../plan/text/plan-text.ts'
import { convertDocument } from './convert-document.ts'
import { finishConversion } from './finish-run.ts'
import type { TableJob } from './table-job.ts'

/** `limited`: no more is read than that; `release`: for people. @throws {HlaError} usage, io */
export async function openDocumentJob(
  job: TableJob,
  limited: (input: TableInput) => TableInput,
  release: string,
) {
  const { source, parts, options, provenance, answering, operation } = job
  if (parts !== undefined)
    throw new HlaError(
      'usage',
      advice`${option('output-format', 'same')} writes one document, and several were given`,
    )
  const { reading, writing } = options
  const isHashed = provenance !== undefined
  const input = limited(await readTableInput(source.name, source.bytes(), { isHashed }))
  const tokens = makeTokens(reading.tokens)
  const document = await openDocument(input, {
    reading,
    writing,
    facts: answering.facts,
    isTyping: (text) => findToken(text, undefined, tokens) === undefined,
    release: releaseOf(job),
    isLifted: job.inputs[0]?.['lift'] === true,
    past: job.inputs.some((one) => one['from'] !== undefined) ? undefined : answering.past,
    date: dayOf(startedAt()),
  })
  refuseBlank(document, writing.onError)
  const methods = operation.name === 'redux' ? writing.results : []
  const { dialect, plan, written } = document
  return {
    planText: () => planText(plan, { dialect, compression: input.compression, operation: operation.name, release, methods, written: undefined, document: written, face: job.face }), // prettier-ignore
    hasUnread: plan.unread.length > 0,
    refusal: undefined,
    convert: () => finishConversion(job, document, (before) => convertDocument(job, document, before)),
  }
}

function refuseBlank({ format }: OpenDocument, onError: string): void {
  if (onError !== 'blank' || format.mayBeBlank) return
  throw new HlaError(
    'usage',
    advice`${option('on-error', 'blank')} is not for ${format.name}: a typing without a name is none`,
    {
      hint: advice`${option('on-error', 'keep')}, the default, leaves it as it is; the report names it`,
    },
  )
}

/** Of the answers. */
function releaseOf({ inputs, answering }: TableJob): string {
  const to = inputs[0]?.['to']
  return typeof to === 'string' ? parseReleaseNumber(to).label : answering.facts.label
}

/** Whoever makes the same file again says when it was made (reproducible-builds.org/specs/source-date-epoch). */
function startedAt(): Date {
  const said = process.env['SOURCE_DATE_EPOCH'] ?? ''
  return /^\d{1,11}$/.test(said) ? new Date(Number(said) * 1000) : new Date()
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
