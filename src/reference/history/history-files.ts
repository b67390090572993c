/** Published files as installed -> the compiled history of names. */
import { findText, type NamedBytes } from '../compile/compile-files.ts'
import { type Deletion, type ReleaseList, encodeHistory, parseCodeRelease } from './history.ts'
import { parseAlleleHistory } from '../sources/allele-history.ts'
import { parseAlleleList } from '../sources/allele-list.ts'
import { readDataLines } from '../sources/lines.ts'

/** Compiles the per-release allele lists; releases found only in `Allelelist_history.txt` come from there. */
export function encodeHistoryFiles(files: readonly NamedBytes[]): Uint8Array {
  const lists = files.flatMap(parseLists)
  const known = new Set(lists.map(({ release }) => release))
  const table = findText(files, 'Allelelist_history.txt')
  const columns =
    table === undefined ? [] : parseAlleleHistory(table).filter(({ release }) => !known.has(release))
  return encodeHistory(
    [...lists, ...columns],
    parseDeletedAlleles(findText(files, 'Deleted_alleles.txt') ?? ''),
  )
}

function parseLists({ name, bytes }: NamedBytes): ReleaseList[] {
  const code = /^allelelist\/Allelelist\.(\d+)\.txt$/.exec(name)?.[1]
  if (code === undefined) return []
  const rows = parseAlleleList(Buffer.from(bytes).toString('utf8'))
  return [{ release: parseCodeRelease(code), rows: rows.map((row) => [row.accession, row.name] as const) }]
}

/**
 * Both parts of the file, deleted names and changed expression letters, each with its header line. Descriptions contain
 * commas without quotes: they are everything after the second comma.
 */
export function parseDeletedAlleles(text: string): Deletion[] {
  const rows: Deletion[] = []
  for (const { text: line } of readDataLines(text)) {
    const [, accession, name, description] = ROW.exec(line) ?? []
    if (accession === undefined || name === undefined || description === undefined) continue
    rows.push({ accession, name, description: description.trim() })
  }
  return rows
}

/** A data row; a header line has words instead of accession number and name. */
const ROW = /^([A-Z]+\d+),([^,]+\*[^,]+),"?(.*?)"?$/
