/** Rows of a sheet as lines of CSV: line n is row n, until a cell has line ends in it. */
import { assured } from '../../../errors.ts'
import { unquoteField } from '../split-row.ts'
import type { SheetRow } from './sheet-rows.ts'
import { damaged } from './zip-parts.ts'

export interface RowLines {
  /** To be read once. */
  readonly lines: () => AsyncGenerator<Buffer>
  /** The row of a line that was read. */
  readonly rowAt: (line: number) => number
  /** Number of the first column that is not empty. */
  readonly firstColumn: () => number
}

/** Rows that say where the table stands and how wide it is. */
const LOOKED_AT_ROWS = 1000
const LOOKED_AT_CELLS = 200_000
/** Characters of one piece. */
const PIECE = 64 * 1024

const QUOTING = { delimiter: ',', quote: '"' }

/** `name`: of the file, for messages. */
export function rowLines(blocks: AsyncGenerator<SheetRow[]>, name: string): RowLines {
  const shifts = lineShifts()
  let first = 0
  let width = 0
  let next = 1
  const lineFor = ({ number, cells }: SheetRow): string => {
    let text = ''
    let column = first + 1
    for (const cell of cells) {
      if (cell.column <= first)
        throw damaged(name, `row ${number} has a cell left of the column where the table begins`)
      text += ','.repeat(cell.column - column)
      column = cell.column
      text += assured(unquoteField(cell.text, QUOTING), 'a sheet has quotes')
    }
    text += ','.repeat(Math.max(0, first + width - column))
    const empty = number - next
    next = number + 1
    shifts.passed(number, text)
    // rows without text are no part of the sheet's file
    return `${'\n'.repeat(empty)}${text}\n`
  }
  return {
    async *lines() {
      const begin = await takeFirst(blocks)
      const columns = (at: number) => begin.flatMap(({ cells }) => cells.at(at)?.column ?? [])
      first = columns(0).reduce((least, column) => Math.min(least, column - 1), Infinity)
      width = columns(-1).reduce((most, column) => Math.max(most, column - first), 1)
      for await (const rows of behind(begin, blocks)) {
        let text = ''
        for (const row of rows) {
          text += lineFor(row)
          if (text.length < PIECE) continue
          yield Buffer.from(text)
          text = ''
        }
        if (text !== '') yield Buffer.from(text)
      }
    },
    rowAt: (line) => shifts.rowAt(line),
    firstColumn: () => first + 1,
  }
}

async function takeFirst(blocks: AsyncGenerator<SheetRow[]>): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  let cells = 0
  while (rows.length < LOOKED_AT_ROWS && cells < LOOKED_AT_CELLS) {
    const next = await blocks.next()
    if (next.done === true) break
    rows.push(...next.value)
    cells += next.value.reduce((sum, row) => sum + row.cells.length, 0)
  }
  return rows
}

async function* behind(begin: SheetRow[], blocks: AsyncGenerator<SheetRow[]>): AsyncGenerator<SheetRow[]> {
  yield begin
  yield* blocks
}

/** Where line ends in cells have moved lines away from their rows. */
function lineShifts() {
  const lines: number[] = []
  const moved: number[] = []
  return {
    passed(row: number, text: string) {
      if (!text.includes('\n')) return
      const before = moved.at(-1) ?? 0
      // the row itself begins where those before it have moved it
      lines.push(row + before + 1)
      moved.push(before + text.split('\n').length - 1)
    },
    rowAt(line: number): number {
      let [low, high] = [0, lines.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (assured(lines[middle], 'a search stays inside') <= line) low = middle + 1
        else high = middle
      }
      return line - (moved[low - 1] ?? 0)
    },
  }
}
