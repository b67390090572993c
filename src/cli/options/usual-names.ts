/** What other programs call options, commands and values of this one, and how they are typed here. Pure. */
import { type Advice, advice, command } from '../../advice.ts'

/** Option of ours -> what else people type for it; with a value, what stands in its place. */
const OPTIONS: readonly (readonly [words: string, names: string])[] = [
  ['--input', 'file infile in input-file filename csv-file in-file'],
  ['--output', 'out outfile out-file output-file save to-file'],
  ['--method', 'redux-type reduction reduction-method reduction-type redux type level reduce-to to-level resolution'],
  ['--release', 'imgt-version imgt db db-version release-version imgt-release version-imgt hla-version'],
  ['--delimiter', 'sep separator delim field-separator'],
  ['--jobs', 'threads cores workers processes cpus nproc parallel'],
  ['--plan', 'dry-run preview check-only dryrun'],
  ['--quiet', 'silent no-progress'],
  ['--locus', 'loci gene genes'],
  ['--columns', 'cols column col'],
  ['--id-column', 'id sample-id id-col index-col'],
  ['--format jsonl', 'ndjson json-lines'],
  ['--no-strict', 'non-strict'],
  ['--color never', 'no-color no-colour'],
  ['--on-error keep', 'ignore-errors skip-errors keep-going continue'],
  ['--no-header', 'noheader without-header'],
  ['--missing', 'na na-values na-value null'],
  ['--into replace', 'replace inplace in-place overwrite'],
  ['--data-dir', 'data datadir data-directory cache-dir'],
  ['--accept lenient', 'fix correct relaxed tolerant fuzzy'],
  ['--sheet', 'sheet-name worksheet tab'],
] // prettier-ignore

const OURS: ReadonlyMap<string, readonly string[]> = new Map(
  OPTIONS.flatMap(([words, names]) => names.split(' ').map((name) => [name, words.split(' ')])),
)

/** The command line with the option as it is called here. `option` is as typed: `--threads`, `--out=x`; `known` are the command's options, without dashes. */
export function usualOption(
  option: string,
  words: readonly string[],
  known: readonly string[],
): Advice | undefined {
  const [name = '', value] = option.replace(/^--?/, '').split(/=(.*)/s)
  const [ours, ...rest] = OURS.get(name) ?? []
  if (ours === undefined || !(known.includes(ours.slice(2)) || ours.startsWith('--no-'))) return undefined
  const typed = words.flatMap((word) => {
    if (word !== option) return [word]
    return [ours, ...rest, ...(value === undefined || rest.length > 0 ? [] : [value])]
  })
  return typedLine(typed)
}

/** Behind `hla data`, `hla` and others: what is meant by words that are no commands. */
export function usualCommand(within: string, asked: string): Advice | undefined {
  const release = /^(?:v?\d\.\d{1,2}(?:\.\d)?|\d{4}|latest)$/.test(asked) ? asked : undefined
  if (within === 'hla data' && release !== undefined) return typedLine(['data', 'install', release])
  const meant = COMMANDS.get(`${within} ${asked}`)
  return meant === undefined ? undefined : typedLine(meant.split(' '))
}

const COMMANDS: ReadonlyMap<string, string> = new Map([
  ...['update', 'upgrade', 'download', 'add', 'fetch', 'get', 'import', 'init', 'setup'].map((word) => [`hla data ${word}`, 'data install latest'] as const),
  ...['download', 'fetch', 'import', 'init', 'setup', 'pyard-import'].map((word) => [`hla ${word}`, 'data install latest'] as const),
  ...['status', 'releases', 'versions', 'databases', 'pyard-status'].map((word) => [`hla ${word}`, 'data list'] as const),
  ...['status', 'ls', 'show', 'releases'].map((word) => [`hla data ${word}`, 'data list'] as const),
  ...['delete', 'rm', 'uninstall'].map((word) => [`hla data ${word}`, 'data remove --help'] as const),
  ...['server', 'start', 'web', 'http', 'gui', 'ui', 'service', 'api'].map((word) => [`hla ${word}`, 'serve --help'] as const),
  ...['formats', 'errors', 'tables', 'exit-codes'].map((word) => [`hla ${word}`, `help ${word}`] as const),
  ...['docs', 'examples', 'manual', 'usage', 'tutorial'].map((word) => [`hla ${word}`, 'help'] as const),
  ...['settings', 'options'].map((word) => [`hla ${word}`, 'config list'] as const),
  ...['reduce-csv', 'pyard-reduce-csv', 'csv', 'table'].map((word) => [`hla ${word}`, 'help tables'] as const),
]) // prettier-ignore

function typedLine([name = '', ...args]: readonly string[]): Advice {
  return advice`did you mean ${command(name, { args })}?`
}
