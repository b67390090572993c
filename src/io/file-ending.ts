/** Endings of file names, by which formats and delimiters are chosen. Pure. */

const COMPRESSIONS: ReadonlySet<string | undefined> = new Set(['gz', 'bgz', 'zst'])

/** Ending in lower case, without that of a compression: `csv` of `Donors.CSV.gz`. Empty without one. */
export function fileEnding(file: string): string {
  const [, ...endings] = file.toLowerCase().split('.')
  if (COMPRESSIONS.has(endings.at(-1))) endings.pop()
  return endings.at(-1) ?? ''
}
