/** What a fast conversion is made of: reading typings, scanning rows, writing them. */
import type { Counting, FastRequest } from './fast-request.ts'
import type { CellAnswer } from '../cells/answers.ts'
import { outDelimiter } from '../input/dialect.ts'
import { columnKinds, glLimit, rowPieces, SKIP } from './column-kinds.ts'
import { newComposer } from './compose-gl.ts'
import type { DistinctCells } from './distinct.ts'
import { type InputBytes, inputBytes } from './memory/byte-buffers.ts'
import type { RowEncoder } from './put-row.ts'
import { bytePairs, rowScan, type Scanner } from './scan-row.ts'
import { sharedTypings } from './memory/shared-typings.ts'
import { entryReader, type TypingReader } from './typing-reader.ts'
import { typingTable } from './memory/typing-table.ts'

export interface FastParts {
  readonly input: InputBytes
  readonly reader: TypingReader
  readonly scanner: Scanner
  readonly encoder: RowEncoder
}

export function fastParts(request: FastRequest, counting: Counting, distinct: DistinctCells): FastParts {
  const { plan, dialect, writing, answers, shared, threads } = request
  const input = inputBytes()
  const columns = columnKinds(plan)
  const table = typingTable(writing.results.length, threads)
  const noted = new Map<number, CellAnswer>()
  const reader: TypingReader = {
    columns,
    table,
    request: answers,
    noted,
    shared: shared && sharedTypings(shared),
    encoding: dialect.encoding,
    locusPrefix: writing.locusPrefix,
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
    bytes: input.bytes,
    view: input.view,
    end: 0,
  }
  return {
    input,
    reader,
    scanner,
    encoder: rowEncoder(request, counting, { input, columns, table, noted, distinct }),
  }
}

function rowEncoder(
  { plan, dialect, writing, output, answers }: FastRequest,
  { tally }: Counting,
  shared: Pick<RowEncoder, 'input' | 'columns' | 'table' | 'noted' | 'distinct'>,
): RowEncoder {
  const pieces = rowPieces(plan, dialect, writing, output)
  const { kinds } = shared.columns
  return {
    ...shared,
    scan: rowScan(plan.header.width),
    composer: newComposer(),
    typed: [...kinds.keys()].filter((column) => kinds[column] !== SKIP),
    isAble: pieces !== undefined,
    pieces: pieces ?? [],
    tally,
    delimiter: outDelimiter(dialect).charCodeAt(0),
    limit: glLimit(answers),
    eol: writing.eol,
    isReported: output.report.length > 0,
    round: 1,
  }
}

/** What was read into memory is to be found at each of these. */
export function showInput({ input, scanner, reader }: FastParts): void {
  const { bytes, view, end } = input
  Object.assign(scanner, { bytes, view, end })
  reader.input = bytes
  reader.table.input = view
}
