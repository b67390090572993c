/** What a file is, by the end of its name: tables and texts, and what packs them. Pure. */

const TYPES: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['tab', 'text/tab-separated-values'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['gz', 'application/gzip'],
  ['zst', 'application/zstd'],
  ['zip', 'application/zip'],
  ['pdf', 'application/pdf'],
])

/** A store never looks into a content. */
export function guessMediaType(title: string): string {
  const end = title.slice(title.lastIndexOf('.') + 1).toLowerCase()
  return TYPES.get(end) ?? 'application/octet-stream'
}
