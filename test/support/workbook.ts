/** A minimal workbook writer for tests; cells are given as XML. */
import { zipOf } from './zip.ts'

export interface MadeSheet {
  readonly name: string
  /** Rows as XML: `<row r="1"><c r="A1" t="s"><v>0</v></c></row>` */
  readonly rows: string
  readonly state?: string
}

export interface MadeWorkbook {
  readonly sheets: readonly MadeSheet[]
  readonly sharedStrings?: readonly string[]
  /** Number formats of the styles, from 1 on. */
  readonly formats?: readonly string[]
  readonly isFrom1904?: boolean
}

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Parts of the workbook; tests can replace them. */
export function workbookParts(made: MadeWorkbook): Map<string, string> {
  const { sheets, sharedStrings = [], formats = [], isFrom1904 = false } = made
  const ids = sheets.map((_, at) => `rId${at + 1}`)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = (all: readonly string[]) =>
    `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
  const listed = sheets.map(({ name, state }, at) => {
    const hidden = state === undefined ? '' : ` state="${state}"`
    return `<sheet name="${name}" sheetId="${at + 1}"${hidden} r:id="${ids[at]}"/>`
  })
  const own = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${quoted(code)}"/>`)
  const styles = formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`)
  return new Map([
    ['_rels/.rels', relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')])],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${NAMESPACE}" xmlns:r="${RELATIONS}"><workbookPr${isFrom1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((_, at) => relation(ids[at] ?? '', 'worksheet', `worksheets/sheet${at + 1}.xml`)),
        relation('rIdS', 'sharedStrings', 'sharedStrings.xml'),
        relation('rIdT', 'styles', '/xl/styles.xml'),
      ]),
    ],
    [
      'xl/sharedStrings.xml',
      `${HEAD}<sst xmlns="${NAMESPACE}">${sharedStrings.map((text) => `<si>${text.startsWith('<') ? text : `<t>${text}</t>`}</si>`).join('')}</sst>`,
    ],
    [
      'xl/styles.xml',
      `${HEAD}<styleSheet xmlns="${NAMESPACE}"><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ],
    ...sheets.map(
      ({ rows }, at) =>
        [
          `xl/worksheets/sheet${at + 1}.xml`,
          `${HEAD}<worksheet xmlns="${NAMESPACE}"><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData></worksheet>`,
        ] as const,
    ),
  ])
}

export function makeWorkbook(made: MadeWorkbook): Buffer {
  return packed(workbookParts(made))
}

export function packed(parts: ReadonlyMap<string, string>): Buffer {
  return zipOf(new Map([...parts].map(([name, text]) => [name, Buffer.from(text)])), true)
}

/** Rows of text cells; undefined leaves out the cell. */
export function textRows(rows: readonly (readonly (string | undefined)[])[], first = 1): string {
  return rows
    .map((cells, at) => {
      const row = first + at
      const written = cells.map((text, column) =>
        text === undefined ? '' : inlineCell(`${String.fromCharCode(65 + column)}${row}`, text),
      )
      return `<row r="${row}">${written.join('')}</row>`
    })
    .join('')
}

export function inlineCell(place: string, text: string): string {
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${quoted(text)}</t></is></c>`
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
