/** Tables read by Python's csv module: a second parser that shares no code with the program. */
import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

export const hasPython = spawnSync('python3', ['-c', 'import csv']).status === 0

/** One conversion, as Latin-1 text. Results follow the last column of the header. */
export interface ReadTwice {
  readonly input: string
  readonly output: string
  readonly delimiter: string
  /** Number of lines before the table. */
  readonly preamble: number
  /** Rows as the program read them, up to the first that it refused because of quotes. */
  readonly rows: readonly (readonly string[])[]
  /** Whether `rows` has all rows. */
  readonly isWhole: boolean
  /** Number of columns of the header. */
  readonly width: number
  /** Number of added columns. */
  readonly added: number
}

export interface Agreement {
  readonly tables: number
  readonly cells: number
  /** Cells that were read or written differently. */
  readonly differences: readonly string[]
}

/** Compares each cell of each table as read, and as written to the output. */
export function compareReadings(tables: readonly ReadTwice[], folder: string): Agreement {
  const file = `${folder}/tables.jsonl`
  writeFileSync(file, tables.map((table) => `${JSON.stringify(table)}\n`).join(''))
  const said = execFileSync('python3', ['-c', SCRIPT, file], { maxBuffer: 64 * 1024 * 1024 })
  rmSync(file)
  // printed by SCRIPT
  return JSON.parse(said.toString()) as Agreement
}

const SCRIPT = `import csv, json, sys
csv.field_size_limit(2 ** 30)

def records(text, table):
    lines = text.split('\\n')
    ended = [line + '\\n' for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    return ended[:table['preamble']], csv.reader(iter(ended[table['preamble']:]), delimiter=table['delimiter'])

def compare(table):
    cells = 0
    width, added = table['width'], table['added']
    before, given = records(table['input'], table)
    lines, written = records(table['output'], table)
    if before != lines: return cells, 'lines before the table'
    for number, row in enumerate(table['rows']):
        read, out = next(given, None), next(written, None)
        if read is None or out is None: return cells, f'row {number} is lost'
        # an empty line is no record
        if (read or ['']) != row: return cells, f'row {number}: {read[:9]} read as {row[:9]}'
        if read in ([], ['']) and out == read: continue
        kept = read[:width] + [''] * (width - len(read))
        if out[:width] != kept: return cells, f'row {number}: {kept[:9]} written as {out[:9]}'
        if out[width + added:] != read[width:]: return cells, f'row {number}: the end of {read[:9]} written as {out[:9]}'
        cells += len(kept)
    if table['isWhole'] and (next(given, None) is not None or next(written, None) is not None):
        return cells, 'rows are lost at the end'
    return cells, None

tables = cells = 0
differences = []
for line in open(sys.argv[1], encoding='utf-8', newline='\\n'):
    table = json.loads(line)
    count, difference = compare(table)
    tables += 1
    cells += count
    if difference and len(differences) < 20: differences.append(difference + ' in ' + json.dumps(table)[:1500])
json.dump({'tables': tables, 'cells': cells, 'differences': differences}, sys.stdout)
`
