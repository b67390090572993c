/**
 * Conversion of a document: the same document with an answer for each typing; opened and planned, then converted.
 * [process, clock]
 */
import { encodeText, markBytes } from '../input/encoding.ts'
import { advice, option } from '../../advice.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { findToken, makeTokens } from '../cells/tokens.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import {
  type OpenDocument,
  openDocument,
  sitesOfBlock,
  type DocumentPlan,
} from '../documents/open-document.ts'
import { type TableInput, readTableInput } from '../input/input.ts'
import { planLines, planText } from '../plan/text/plan-text.ts'
import { finishConversion } from './finish-run.ts'
import { type TableJob, answerRequest } from './table-job.ts'
import { type Answers, type CellQuestion, type CellAnswer, makeAnswers } from '../cells/answers.ts'
import type { DocumentBlock, Passage, PersonFault, TypingSite } from '../documents/document.ts'
import { type Edit, unwritableAnswer } from '../documents/document-text.ts'
import type { Failure } from '../output/failure-report.ts'
import { type Distinct, type Tally, countAnswer, countBadRow } from '../output/summary.ts'
import { isTooMany, reportFailure, tooMany } from './convert.ts'
import { convertInto, type OpenRun } from './convert-table.ts'
import { type WorkingTime, workingTime } from './working-time.ts'
import type { WriteRequest } from '../plan/table-request.ts'

/** `limited`: limits the bytes read; `release`: display text. @throws {HlaError} usage, io */
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
  const context = { dialect, compression: input.compression, operation: operation.name, release, methods, written: undefined, document: written, face: job.face } // prettier-ignore
  const encode = (text: string) => encodeText(text, dialect.encoding)
  const run = { input, plan, encode, withFiles: false, withPaths: true }
  return {
    planText: () => planText(plan, context),
    planLines: () => planLines(plan, context),
    hasUnread: plan.unread.length > 0,
    refusal: undefined,
    convert: () =>
      finishConversion(job, document, (before) =>
        convertInto(job, run, before, (opened) => pumpDocument(job, document, opened)),
      ),
  }
}

function refuseBlank({ format }: OpenDocument, onError: string): void {
  if (onError !== 'blank' || format.mayBeBlank) return
  throw new HlaError(
    'usage',
    advice`${option('on-error', 'blank')} cannot be used with ${format.name}, whose typings cannot be empty`,
    {
      hint: advice`${option('on-error', 'keep')}, the default, leaves a failed typing unchanged and lists it in the report`,
    },
  )
}

/** Release of the answers. */
function releaseOf({ inputs, answering }: TableJob): string {
  const to = inputs[0]?.['to']
  return typeof to === 'string' ? parseReleaseNumber(to).label : answering.facts.label
}

/** Start time; SOURCE_DATE_EPOCH sets it for reproducible files (reproducible-builds.org/specs/source-date-epoch). */
function startedAt(): Date {
  const said = process.env['SOURCE_DATE_EPOCH'] ?? ''
  return /^\d{1,11}$/.test(said) ? new Date(Number(said) * 1000) : new Date()
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

async function pumpDocument(
  job: TableJob,
  document: OpenDocument,
  { sink, add, tally, progress }: OpenRun,
): Promise<Distinct> {
  const { maxErrors, output, options } = job
  const { onError } = options.writing
  const counting = { tally, maxErrors, failed: add, stopAtFirst: onError === 'fail' }
  const failed = (failure: Failure) => reportFailure(failure, document.plan.header.table, counting)
  const time = job.limits && workingTime(job.limits)
  const answers = openAnswers(job, time)
  const conversion = { ...document, answers, tally, onError, failed }
  sink.writeBytes(markBytes(document.dialect))
  for await (const block of document.blocks()) {
    await answers.ahead?.prepare(cellsOf(block, document))
    const write = () => sink.write(document.held.take(block.upTo, convertPassages(block, conversion)))
    if (time === undefined) write()
    else time.inTurn(write)
    if (output === '-') sink.flush()
    await sink.ready()
    progress.passed()
  }
  if (maxErrors !== undefined && isTooMany(tally, maxErrors, true)) throw tooMany(tally)
  progress.finish()
  return answers.distinct()
}

/** Answers as for cells of a table. */
function openAnswers(job: TableJob, time: WorkingTime | undefined) {
  const asked = answerRequest(job)
  return makeAnswers({ ...asked, executor: time?.limited(asked.executor) ?? asked.executor })
}

function cellsOf(block: DocumentBlock, document: OpenDocument): readonly CellQuestion[] {
  return sitesOfBlock(block)
    .filter(document.isRead)
    .map((site) => ({ group: document.groupFor(site), value: site.cell }))
}

interface PassageConversion extends Pick<DocumentPlan, 'groupFor' | 'isRead'> {
  readonly answers: Pick<Answers, 'of'>
  readonly tally: Tally
  readonly onError: WriteRequest['onError']
  /** @throws {HlaError} the conversion ends */
  readonly failed: (failure: Failure) => void
}

/** Edits in document order. @throws {HlaError} errors of `failed` */
function convertPassages(block: DocumentBlock, conversion: PassageConversion): readonly Edit[] {
  conversion.tally.rows = block.persons
  return block.items.flatMap((item) => {
    if ('sites' in item) return convertPassage(item, conversion)
    tellFault(item, conversion)
    return []
  })
}

/** Reports a person's fault; nothing of the person changes. */
function tellFault({ person, error, ...place }: PersonFault, { tally, failed }: PassageConversion): void {
  countBadRow(tally, error.code, 1)
  failed({ ...place, id: person, column: '', locus: '', value: '', error })
}

interface Answered {
  readonly site: TypingSite
  readonly answer: CellAnswer
  /** undefined keeps the typing. */
  readonly text: string | undefined
}

function convertPassage(passage: Passage, conversion: PassageConversion): readonly Edit[] {
  const answered = passage.sites.map((site) =>
    conversion.isRead(site) ? answerSite(site, conversion) : undefined,
  )
  const [made, fault] = tryEdits(passage, answered)
  for (const one of answered) {
    if (one === undefined) continue
    const isFit = fault === undefined || one.answer.status !== 'ok'
    countSite(isFit ? one : { ...one, answer: failedAnswer(fault) }, conversion)
  }
  return made
}

function tryEdits(
  passage: Passage,
  answered: readonly (Answered | undefined)[],
): readonly [made: readonly Edit[], fault: HlaError | undefined] {
  try {
    return [passage.edits(answered.map((one) => one?.text)), undefined]
  } catch (error) {
    if (isHlaError(error)) return [[], error]
    throw error
  }
}

function answerSite(site: TypingSite, { answers, groupFor, onError }: PassageConversion): Answered {
  const answer = answers.of(site.cell, groupFor(site))
  const failed = (one: CellAnswer) => ({ site, answer: one, text: onError === 'blank' ? '' : undefined })
  if (answer.status === 'error') return failed(answer)
  if (answer.status !== 'ok') return { site, answer, text: undefined }
  try {
    const [result = ''] = answer.results
    if (result === '') return failed(failedAnswer(unwritableAnswer(site.cell, 'there is no answer to write')))
    const text = site.spell(result)
    return { site, answer: text === undefined ? withNote(answer, site) : answer, text }
  } catch (error) {
    if (isHlaError(error)) return failed(failedAnswer(error))
    throw error
  }
}

function failedAnswer(error: HlaError): CellAnswer {
  return { status: 'error', results: [], error, notes: [] }
}

function withNote(answer: CellAnswer, { cell }: TypingSite): CellAnswer {
  const message = `antigens, such as ${cell}, stay unchanged: the answer is not an antigen`
  return { ...answer, notes: [...answer.notes, { level: 'note', code: 'antigen-kept', message }] }
}

function countSite({ site, answer }: Answered, { tally, failed }: PassageConversion): void {
  countAnswer(tally, answer)
  const { error } = answer
  if (error === undefined) return
  const { row, line, path, person: id, column, locus = site.loci.join(' '), cell: value } = site
  failed({ row, line, path, id, column, locus, value, error })
}
