/** What a fast conversion is made of: reading typings, scanning rows, writing them. */
import { assured } from '../../errors.ts'
import type { Counting, FastRequest } from './fast-request.ts'
import { type CellAnswer, makeAnswers } from '../cells/answers.ts'
import { outDelimiter } from '../input/dialect.ts'
import { columnKinds, glLimit, rowPieces } from './column-kinds.ts'
import { newComposer } from './compose-gl.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { DistinctCells } from './distinct.ts'
import { type InputBytes, inputBytes } from './memory/byte-buffers.ts'
import { longPieces } from './long-pieces.ts'
import type { RowEncoder } from './put-row.ts'
import { subjectPieces } from './put-subjects.ts'
import { bytePairs } from './plain-bytes.ts'
import { rowsAhead, type Scanner } from './scan-row.ts'
import { sharedTypings } from './memory/shared-typings.ts'
import { entryReader, type TypingReader } from './typing-reader.ts'
import { isLarger, typingTable } from './memory/typing-table.ts'

export interface FastParts {
  readonly input: InputBytes
  readonly reader: TypingReader
  readonly scanner: Scanner
  readonly encoder: RowEncoder
  /** Bytes of typings that are near. */
  readonly near: number
}

export function fastParts(request: FastRequest, counting: Counting, distinct: DistinctCells): FastParts {
  const { plan, dialect, writing, output, answers, shared, threads } = request
  const input = inputBytes()
  const columns = columnKinds(plan)
  const table = typingTable(writing.results.length, threads)
  const noted = new Map<number, CellAnswer>()
  const { withoutAdvice } = answers.executor
  const reader: TypingReader = {
    columns,
    table,
    request: withoutAdvice === undefined ? answers : { ...answers, executor: withoutAdvice },
    isAskedAgain: withoutAdvice !== undefined,
    answers: makeAnswers(answers, threads),
    noted,
    shared: shared && sharedTypings(shared),
    encoding: dialect.encoding,
    locusPrefix: writing.locusPrefix,
    needsQuotes: new RegExp(`["\\r\\n\\x${dialect.delimiter.charCodeAt(0).toString(16).padStart(2, '0')}]`),
    isJoined: isJoined(output),
    input: input.bytes,
  }
  const delimiter = dialect.delimiter.charCodeAt(0)
  const quote = dialect.quote?.charCodeAt(0) ?? -1
  const scanner: Scanner = {
    columns,
    ...bytePairs(delimiter, quote),
    delimiter,
    quote,
    table,
    add: entryReader(reader),
    ahead: rowsAhead(plan.header.width),
    isFar: false,
    hash: 0,
    bytes: input.bytes,
    view: input.view,
    end: 0,
  }
  const scan = assured(scanner.ahead.rows[0], 'one row is read at least')
  return {
    input,
    reader,
    scanner,
    near: request.near ?? NEAR,
    encoder: rowEncoder(request, counting, { scan, input, columns, table, noted, distinct }),
  }
}

/** Less than the second cache of a processor has. */
const NEAR = 768 * 1024
function isJoined({ gl, drbx }: OutputColumns): boolean {
  return gl.length + drbx.length > 0
}

function rowEncoder(
  { plan, dialect, writing, output, answers }: FastRequest,
  { tally }: Counting,
  shared: Pick<RowEncoder, 'scan' | 'input' | 'columns' | 'table' | 'noted' | 'distinct'>,
): RowEncoder {
  const pieces = rowPieces(plan, dialect, writing, output)
  const subjects = isJoined(output) ? subjectPieces(plan, writing, output) : []
  return {
    ...shared,
    composer: newComposer(),
    // in the order in which the ordinary conversion counts them
    typed: plan.groups.flatMap((group) => group.columns),
    isAble: pieces !== undefined && subjects !== undefined,
    pieces: pieces ?? [],
    long:
      pieces && writing.shape === 'long' ? longPieces(plan, dialect, writing, { output, pieces }) : undefined,
    subjects: subjects ?? [],
    tally,
    delimiter: outDelimiter(dialect).charCodeAt(0),
    limit: glLimit(answers),
    eol: writing.eol,
    isReported: output.report.length > 0,
    round: 1,
  }
}

/** What was read into memory is to be found at each of these. */
export function showInput({ input, scanner, reader, near }: FastParts): void {
  const { bytes, view, end } = input
  Object.assign(scanner, { bytes, view, end, isFar: isLarger(reader.table, near) })
  scanner.ahead.size = 0
  reader.input = bytes
  reader.table.input = view
}
