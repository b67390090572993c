/** Typings of a document answered as cells of a table are: counted, reported when they fail, and written where they stand. */
import { type HlaError, isHlaError } from '../../errors.ts'
import type { Answers, CellAnswer } from '../cells/answers.ts'
import type { Failure } from '../output/failure-report.ts'
import { countAnswer, countBadRow, type Tally } from '../output/summary.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import type { DocumentBlock, Passage, PersonFault, TypingSite } from './document.ts'
import type { DocumentPlan } from './document-plan.ts'
import type { Edit } from './held-text.ts'
import { unfit } from './spelling.ts'

export interface PassageConversion extends Pick<DocumentPlan, 'groupFor' | 'isRead'> {
  readonly answers: Pick<Answers, 'of'>
  readonly tally: Tally
  readonly onError: WriteRequest['onError']
  /** @throws {HlaError} there is no going on */
  readonly failed: (failure: Failure) => void
}

/** In the order of the document. @throws {HlaError} whatever `failed` throws */
export function convertPassages(block: DocumentBlock, conversion: PassageConversion): readonly Edit[] {
  conversion.tally.rows = block.persons
  return block.items.flatMap((item) => {
    if ('sites' in item) return convertPassage(item, conversion)
    tellFault(item, conversion)
    return []
  })
}

/** Nothing of the person is changed. */
function tellFault({ person, error, ...place }: PersonFault, { tally, failed }: PassageConversion): void {
  countBadRow(tally, error.code, 1)
  failed({ ...place, id: person, column: '', locus: '', value: '', error })
}

interface Answered {
  readonly site: TypingSite
  readonly answer: CellAnswer
  /** undefined: the typing stays as it is. */
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
    tell(isFit ? one : { ...one, answer: failedAnswer(fault) }, conversion)
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
    if (result === '') return failed(failedAnswer(unfit(site.cell, 'there is no answer to write')))
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
  const message = `antigens, such as ${cell}, stay as they are: the answer is no antigen`
  return { ...answer, notes: [...answer.notes, { level: 'note', code: 'antigen-kept', message }] }
}

function tell({ site, answer }: Answered, { tally, failed }: PassageConversion): void {
  countAnswer(tally, answer)
  const { error } = answer
  if (error === undefined) return
  const { row, line, path, person: id, column, locus = site.loci.join(' '), cell: value } = site
  failed({ row, line, path, id, column, locus, value, error })
}
