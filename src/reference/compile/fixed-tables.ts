/** Small tables that no published file contains: data/tables of this package.  [disk] */
import { packageText } from '../../package-root.ts'

export interface FixedTables {
  readonly oldNames: Readonly<Record<string, string>>
  readonly molecularBroads: Readonly<Record<string, readonly string[]>>
  readonly antigens: readonly string[]
}

export function readFixedTables(): FixedTables {
  const broads = readTable('molecular-broads').map(([broad, splits]) => [broad, splits.split('/')] as const)
  return {
    oldNames: Object.fromEntries(readTable('old-names')),
    molecularBroads: Object.fromEntries(broads),
    antigens: readTable('antigens').flatMap(([letters, numbers]) =>
      numbers.split(' ').map((number) => letters + number),
    ),
  }
}

/** Rows after the header. */
function readTable(name: string): (readonly [string, string])[] {
  const lines = packageText('data', 'tables', `${name}.csv`).trim().split(/\r?\n/)
  return lines.slice(1).map((line) => [line.slice(0, line.indexOf(',')), line.slice(line.indexOf(',') + 1)])
}
