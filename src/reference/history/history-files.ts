/** Published files as installed -> the compiled history of names. */
import type { NamedBytes } from '../compile/compile-files.ts'
import { encodeHistory, parseCodeRelease } from './history.ts'
import type { ReleaseList } from './history.ts'
import { parseAlleleHistory } from '../sources/allele-history.ts'
import { parseAlleleList } from '../sources/allele-list.ts'
import { parseDeletedAlleles } from '../sources/deleted-alleles.ts'

/** From the per-release allele lists; releases that only `Allelelist_history.txt` has come from there. */
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

function findText(files: readonly NamedBytes[], wanted: string): string | undefined {
  const file = files.find(({ name }) => name === wanted)
  return file === undefined ? undefined : Buffer.from(file.bytes).toString('utf8')
}
