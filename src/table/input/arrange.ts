/**
 * Tables that a delimiter alone does not split: columns aligned with blanks, a header one name shorter than the rows
 * (row names of R's write.table), a trailing delimiter in only the header or the rows. Their bytes are made regular
 * before parsing.
 */
import { type Dialect, type DialectHints, feedOf, firstLines, sniffDialect } from './dialect.ts'
import { beginsDocument, cellsOf, namesLoci } from './preamble.ts'
import { recognizeShape, looksTyped } from '../words/typing-shape.ts'
import { isColumnLocus } from '../words/locus-header.ts'

/** Facts of a table that are decided once, before its rows are read. */
export interface Beginning {
  /** Its first bytes, made regular. */
  readonly sample: Buffer
  /** Delimiter, quotes and line ends of the table made regular. */
  readonly dialect: Dialect
  /** First lines of the sample. */
  readonly lines: readonly string[]
  /** All bytes, made regular. */
  readonly arrange: (chunks: AsyncGenerator<Buffer>) => AsyncGenerator<Buffer>
  /** Changes to the lines. */
  readonly notes: readonly LayoutNote[]
}

export interface LayoutNote {
  /** True for notes on lines before the header, which a format may have anyway. */
  readonly isPreamble: boolean
  /** Display text. */
  readonly message: string
}

/** `hints`: options about the table's form. `isVerbatim`: its lines are not changed. */
export function readBeginning(
  name: string,
  sample: Buffer,
  hints: DialectHints,
  isVerbatim = false,
): Beginning {
  const given = sniffDialect(name, sample, hints)
  const steps: LineChange[] = []
  let [now, dialect, lines] = [sample, given, firstLines(sample, given)]
  const notes = preambleNotes(given, hints, lines)
  const apply = (change: LineChange | undefined) => {
    if (change === undefined) return
    steps.push(change)
    notes.push({ isPreamble: false, message: change.note })
    now = changedSample(now, change, dialect)
    dialect = sniffDialect(name, now, hints)
    lines = firstLines(now, dialect)
  }
  const isText = given.encoding === 'utf8' || given.encoding === 'latin1'
  if (!isVerbatim && isText && !beginsDocument(lines)) {
    apply(findAligned({ sample: now, lines }, hints))
    if (hints.header !== false) apply(findOddHeader({ sample: now, lines, dialect }))
  }
  const arrange = (chunks: AsyncGenerator<Buffer>) =>
    steps.reduce((bytes, change) => changedLines(bytes, change, given), chunks)
  return { sample: now, dialect, lines, arrange, notes }
}

function preambleNotes(dialect: Dialect, hints: DialectHints, top: readonly string[]): LayoutNote[] {
  const { preamble } = dialect
  // a layout with titles always has some
  const isUsual = hints.header === 'find' || dialect.isNamed === true
  if (preamble === 0 || hints.preamble !== undefined || isUsual) return []
  const header = top[preamble] ?? ''
  const [lines, are] = preamble === 1 ? ['line 1', 'is'] : [`lines 1 to ${preamble}`, 'are']
  const first = cellsOf(header, dialect.delimiter).find((cell) => cell !== '') ?? ''
  const message = `${lines} before the header (${first.slice(0, MAX_NAME_LENGTH)} …) ${are} passed through`
  return [{ isPreamble: true, message }]
}

const MAX_NAME_LENGTH = 40

interface LineChange {
  /** First changed line, from 0, and the line after the last one. */
  readonly from: number
  readonly to: number
  readonly change: (line: string) => string
  readonly note: string
}

/** Columns separated by several blanks: one name above each column, in nine of ten lines. */
function findAligned(
  { sample, lines }: Pick<Beginning, 'sample' | 'lines'>,
  hints: DialectHints,
): LineChange | undefined {
  if (hints.delimiter !== undefined && hints.delimiter !== ' ') return undefined
  const runs = lines.filter((line) => / {2}/.test(line.trimEnd())).length
  if (2 * runs < lines.length || lines.some((line) => line.includes('\t'))) return undefined
  const whole = sample.length < SAMPLE_END ? lines : lines.slice(0, -1)
  for (const blanks of [/ {2,}/, / +/]) {
    const rows = whole.map((line) => line.trim().split(blanks))
    const at = rows.slice(0, DEEPEST).findIndex(namesLoci)
    const [header = [], ...body] = rows.slice(Math.max(0, at)).filter(([first]) => first !== '')
    const width = body[0]?.length ?? header.length
    const isRegular = body.filter((row) => row.length === width).length >= REGULAR * body.length
    const fits = header.length === width || header.length === width - 1
    if (at < 0 || body.length === 0 || !isRegular || !fits || width < 3) continue
    const all = new RegExp(blanks, 'g')
    return {
      from: at,
      to: Infinity,
      change: (line) => line.trim().replace(all, '\t'),
      note: 'columns are aligned with blanks: they are read as columns, and written with tabs between them',
    }
  }
  return undefined
}

const SAMPLE_END = 64 * 1024
const DEEPEST = 20
const REGULAR = 0.9

/** A header with one field more or less than nine of ten rows. */
function findOddHeader({
  sample,
  lines: top,
  dialect: { delimiter, preamble, comment },
}: Pick<Beginning, 'sample' | 'lines' | 'dialect'>): LineChange | undefined {
  const lines = top.slice(preamble)
  const line = lines[0] ?? ''
  const isOdd = (line.match(/"/g)?.length ?? 0) % 2 === 1
  if (isOdd || line === '' || (comment !== undefined && line.startsWith(comment))) return undefined
  const cells = (text: string) => cellsOf(text, delimiter)
  const header = cells(line)
  if (cells(lines[1] ?? '').length === header.length) return undefined
  const rows = (sample.length < SAMPLE_END ? lines : lines.slice(0, -1)).slice(1).filter((one) => one !== '').map(cells) // prettier-ignore
  const wider = rows.filter(({ length }) => length === header.length + 1)
  const narrower = rows.filter(({ length }) => length === header.length - 1)
  const most = Math.max(1, REGULAR * rows.length)
  const at = { from: preamble, to: preamble + 1 }
  if (header.some(isData)) return undefined
  if (narrower.length >= most && header.at(-1) === '' && header.slice(0, -1).every((name) => name !== ''))
    return {
      ...at,
      change: (text) => text.slice(0, text.lastIndexOf(delimiter)),
      note: 'the header ends with a delimiter that the rows lack: the header is written without it',
    }
  if (wider.length < most || header.some((name) => name === '')) return undefined
  if (wider.every((row) => row.at(-1) === ''))
    return {
      ...at,
      change: (text) => text + delimiter,
      note: 'rows end with a delimiter that the header lacks: the header is written with one, too',
    }
  if (!holdRowNames(header, wider)) return undefined
  return {
    ...at,
    change: (text) => `${text.startsWith('"') ? '""' : ''}${delimiter}${text}`,
    note: 'the header has one name fewer than the rows have cells: the first column is read as row names, and gets an empty name',
  }
}

/** True for text that cannot be the name of a column. */
function isData(name: string): boolean {
  return /^-?\d+([.,]\d+)?$/.test(name) || looksTyped(name)
}

/**
 * True when the names belong to the cells after the first: columns named after loci then hold typings, and otherwise do
 * not. Without names of loci: rows are numbered from 1, and the only cell with typings would have no name.
 */
function holdRowNames(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const isNumbered = rows.length > 1 && rows.every(([first], at) => first === String(at + 1))
  const isTypedAt = (at: number) => !(at === 0 && isNumbered) && isTyped(rows.map((row) => row[at] ?? ''))
  const loci = header.flatMap((name, at) => (isColumnLocus(name) ? [at] : []))
  if (loci.length > 0) return loci.every((at) => isTypedAt(at + 1)) && !loci.every((at) => isTypedAt(at))
  return isNumbered && isTypedAt(header.length) && !header.some((_, at) => isTypedAt(at))
}

function isTyped(values: readonly string[]): boolean {
  const filled = values.filter((value) => !BLANK.test(value))
  const typed = filled.filter((value) => recognizeShape(value) !== 'other')
  return typed.length >= REGULAR * filled.length
}

const BLANK = /^(?:NA|N\/A|[-.?*0]*|nan|null)$/i

function changedSample(sample: Buffer, { from, to, change }: LineChange, dialect: Dialect): Buffer {
  const { bom } = dialect
  const end = feedOf(dialect)
  const lines = sample.toString('latin1', bom).split(end)
  const isWhole = sample.length < SAMPLE_END
  const changed = lines.map((line, at) =>
    at < from || at >= to || (!isWhole && at === lines.length - 1) ? line : changedLine(line, change),
  )
  return Buffer.concat([sample.subarray(0, bom), Buffer.from(changed.join(end), 'latin1')])
}

function changedLine(line: string, change: (line: string) => string): string {
  const body = line.replace(/\r$/, '')
  return change(body) + line.slice(body.length)
}

/** Rewrites lines up to the last changed one; later bytes pass unchanged. */
async function* changedLines(
  chunks: AsyncIterable<Buffer>,
  { from, to, change }: LineChange,
  dialect: Dialect,
): AsyncGenerator<Buffer> {
  const end = feedOf(dialect)
  let [held, line, isFirst] = ['', 0, true]
  const edit = (text: string): string => {
    line += 1
    if (line - 1 < from) return text
    const mark = line === 1 ? dialect.bom : 0
    return text.slice(0, mark) + changedLine(text.slice(mark), change)
  }
  for await (const chunk of chunks) {
    if (line >= to && held === '') {
      yield chunk
      continue
    }
    const lines = (held + chunk.toString('latin1')).split(end)
    held = lines.pop() ?? ''
    const edited = lines.map((text) => (line >= to ? text : edit(text)) + end).join('')
    // the rest of this piece begins an unchanged line
    const more = line >= to ? held : ''
    if (line >= to) held = ''
    if (edited !== '' || more !== '' || isFirst) yield Buffer.from(edited + more, 'latin1')
    isFirst = false
  }
  if (held !== '') yield Buffer.from(edit(held), 'latin1')
}
