/** Commands and options of other programs, and the line of hla that does what they mean: py-ard, csvkit, samtools, rclone, web servers.  [disk] */
import { existsSync } from 'node:fs'
import { type Advice, advice, command } from '../../advice.ts'
import { findMethod } from '../../engine/reduce/methods.ts'
import { parsesAsTyping } from '../guess/typing-words.ts'

/** Options of hla, the first of which the command has is meant -> names in other programs. One with a value replaces the whole option. */
const OPTIONS: readonly (readonly [words: string, names: string])[] = [
  ['--input', 'file infile in input-file filename csv-file in-file'],
  ['--output', 'out outfile out-file output-file save to-file result results output-csv'],
  ['--method', 'redux-type reduction reduction-method reduction-type redux type level reduce-to to-level resolution group'],
  ['--release', 'imgt-version imgt db db-version release-version imgt-release version-imgt hla-version ipd-version'],
  ['--delimiter', 'sep separator delim field-separator csv-delimiter fs F'],
  ['--delimiter tab', 'tabs'],
  ['--out-delimiter', 'output-delimiter out-sep output-sep out-delim ofs'],
  ['--jobs|--workers', 'threads cores workers processes cpus nproc parallel jobs @ t w'],
  ['--plan|--dry-run', 'dry-run preview check-only dryrun n'],
  ['--quiet', 'silent no-progress'],
  ['--verbose', 'debug'],
  ['--locus', 'loci gene genes'],
  ['--columns', 'cols column col select fields usecols'],
  ['--exclude', 'ignore ignore-columns skip-columns drop-columns'],
  ['--id-column', 'id sample-id id-col index-col'],
  ['--format jsonl', 'ndjson json-lines'],
  ['--format', 'output-type out-format O'],
  ['--no-strict', 'non-strict'],
  ['--color never', 'no-color no-colour'],
  ['--errors', 'report error-file errors-file error-report error-log rejects'],
  ['--on-error keep', 'ignore-errors skip-errors keep-going continue'],
  ['--on-error fail', 'fail-fast stop-on-error'],
  ['--max-errors', 'max-failures error-limit'],
  ['--no-header', 'noheader without-header no-header-row headerless'],
  ['--skip', 'skip-lines skiprows skip-rows'],
  ['--quote', 'quotechar quote-char'],
  ['--encoding', 'charset'],
  ['--missing', 'na na-values na-value null null-value'],
  ['--into replace', 'replace inplace in-place overwrite'],
  ['--shape long', 'melt tidy'],
  ['--details', 'detailed'],
  ['--data|--data-dir', 'data datadir data-directory cache-dir root storage dir'],
  ['--accept lenient', 'fix correct relaxed tolerant fuzzy'],
  ['--from', 'from-release source-release old-release'],
  ['--limit', 'max-names'],
  ['--sheet', 'sheet-name worksheet tab'],
  ['--host', 'listen bind address interface ip hostname'],
  ['--port', 'listen-port http-port p'],
  ['--tls-cert', 'cert certificate ssl-cert certfile ssl-certfile ssl-certificate tls-crt'],
  ['--tls-key', 'key keyfile ssl-key ssl-keyfile ssl-certificate-key private-key'],
  ['--trust-proxy', 'behind-proxy forwarded proxy-headers'],
  ['--access-log', 'log log-file logfile access-logfile'],
  ['--public-url', 'base-url external-url root-url'],
  ['--token-file|--header-file|--drive-token-file', 'token-file token tokens auth auth-file api-key api-key-file bearer headers header'],
  ['--remote|--drive-url', 'url server endpoint endpoint-url service service-url'],
  ['--recursive', 'recurse r'],
  ['--parents', 'create-dirs'],
  ['--json', 'output-json'],
  ['--with', 'user email to share-with grantee'],
  ['--with anyone', 'public anyone'],
  ['--role', 'permission permissions access mode'],
] // prettier-ignore

const OURS: ReadonlyMap<string, string> = new Map(
  OPTIONS.flatMap(([words, names]) => names.split(' ').map((name) => [name, words] as const)),
)

/**
 * Suggests the command line with hla's name of the option. `option` is as typed: `--threads`, `--out=x`; `known` are
 * the command's options, without dashes.
 */
export function usualOption(
  option: string,
  words: readonly string[],
  known: readonly string[],
): Advice | undefined {
  const folder = wholeFolder(option, words)
  if (folder !== undefined) return typedLine(folder)
  if (respelled(option, known) === undefined) return undefined
  const isForeign = (word: string) => word === option || (/^--\w/.test(word) && !known.includes(nameOf(word)))
  return typedLine(words.flatMap((word) => (isForeign(word) ? (respelled(word, known) ?? [word]) : [word])))
}

function nameOf(option: string): string {
  return option.replace(/^--?/, '').replace(/=.*/s, '')
}

/** `--threads=4` -> `--jobs 4` */
function respelled(option: string, known: readonly string[]): string[] | undefined {
  const isKnown = (ours: string) => ours.startsWith('--no-') || known.includes(ours.slice(2))
  const spellings = OURS.get(nameOf(option))?.split('|').map((one) => one.split(' ')) // prettier-ignore
  const meant = spellings?.find(([ours = '']) => isKnown(ours))
  const [, value] = option.split(/=(.*)/s)
  return meant === undefined || meant.length > 1 || value === undefined ? meant : [...meant, value]
}

/** `hla drive put -r FOLDER PATH`: sync takes folders. */
function wholeFolder(option: string, [drive, verb = '', ...rest]: readonly string[]): string[] | undefined {
  if (drive !== 'drive' || !['put', 'get', 'cp'].includes(verb)) return undefined
  if (!['r', 'R', 'recursive', 'recurse'].includes(nameOf(option))) return undefined
  const operands = rest.filter((word) => !word.startsWith('-'))
  const [first = 'FOLDER', second = verb === 'get' ? '.' : '/'] = operands
  return ['drive', 'sync', ...(verb === 'get' ? [second, first] : [first, second])]
}

/** Option that a surplus operand belongs to. */
const SURPLUS: ReadonlyMap<string, string> = new Map([
  ['drive get', '-o'],
  ['drive share', '--with'],
  ['drive serve', '--data'],
  ['drive user add', '--name'],
  ['data install', '--from'],
])

/** `hla drive get /a.csv b.csv` is meant as `-o b.csv`. */
export function surplusOperand(words: readonly string[]): Advice | undefined {
  const key = [...SURPLUS.keys()].find((one) => words.join(' ').startsWith(`${one} `))
  const last = words.at(-1) ?? ''
  if (key === undefined || last.startsWith('-')) return undefined
  return typedLine([...words.slice(0, -1), SURPLUS.get(key) ?? '', last])
}

/** Lines for a word; `…` stands for the words behind it. */
interface Meant {
  /** For operands that are files: each gets its `-i`. */
  readonly files?: string
  /** For operands that are typings. */
  readonly typings?: string
  readonly line: string
}

/** Command -> lines for the words after it. */
const WITHIN: Readonly<Record<string, ReadonlyMap<string, Meant>>> = {
  hla: rows([
    ['pyard py-ard', { line: 'help migrate', typings: 'redux …' }],
    ['pyard-reduce-csv pyard-csv-reduce reduce-csv', { line: 'help tables', files: 'redux' }],
    ['pyard-status status releases versions databases list', { line: 'data list' }],
    ['import init setup', { line: 'data install latest', files: 'redux' }],
    ['download fetch', { line: 'data install latest' }],
    ['use activate switch', { line: 'data use …' }],
    ['uninstall remove', { line: 'data remove …' }],
    ['doctor selftest about env', { line: 'version' }],
    ['run process batch transform apply table csv', { line: 'help tables', files: 'redux', typings: 'redux …' }],
    ['tocsv to-csv export cohort merge join cat concat stack', { line: 'help tables', files: 'redux' }],
    ['stat stats statistics count summary summarize head view show info inspect describe schema plan', { line: 'help tables', files: 'redux --plan', typings: 'explain …' }],
    ['annotate query why trace', { line: 'explain --help', files: 'redux', typings: 'explain …' }],
    ['clean fix lint qc test verify', { line: 'validate --help', files: 'validate', typings: 'validate …' }],
    ['compare concordance match cmp', { line: 'diff --help', files: 'diff …' }],
    ['find search grep complete prefix', { line: 'similar --help', typings: 'similar …' }],
    ['translate liftover rename', { line: 'lift --help', files: 'lift', typings: 'lift …' }],
    ['resolve decode expand-mac mac-expand expand-xx', { line: 'mac --help', files: 'mac', typings: 'mac …' }],
    ['encode compress lookup-mac mac-lookup', { line: 'mac --help', typings: 'mac …' }],
    ['split broad broads associated', { line: 'splits --help', typings: 'splits …' }],
    ['server start web http gui ui service api daemon listen', { line: 'serve --help' }],
    ['formats errors tables exit-codes methods', { line: 'help' }],
    ['docs examples manual usage tutorial quickstart', { line: 'help' }],
    ['settings options preferences', { line: 'config list' }],
    ['completions', { line: 'completion …' }],
    ['login logout ls put cp mv rm mkdir sync share', { line: 'drive = …' }],
    ['get upload', { line: 'drive --help', typings: 'explain …', files: 'drive put …' }],
  ]),
  'hla data': rows([
    ['update upgrade download add fetch get import init setup', { line: 'data install latest' }],
    ['status ls show releases', { line: 'data list' }],
    ['delete rm uninstall', { line: 'data remove --help' }],
    ['check', { line: 'data verify' }],
  ]),
  'hla drive': rows([
    ['upload store push', { line: 'drive put …' }],
    ['download fetch pull', { line: 'drive get …' }],
    ['cat type', { line: 'drive get -o - …' }],
    ['delete remove del unlink', { line: 'drive rm …' }],
    ['move rename ren', { line: 'drive mv …' }],
    ['list dir lsf', { line: 'drive ls …' }],
    ['find grep', { line: 'drive search …' }],
    ['mb md makedir', { line: 'drive mkdir …' }],
    ['rsync mirror', { line: 'drive sync …' }],
    ['undelete recover', { line: 'drive untrash …' }],
    ['history versions revisions', { line: 'drive log …' }],
    ['chmod acl permissions grant', { line: 'drive share …' }],
    ['sign-in signin auth', { line: 'drive login …' }],
    ['sign-out signout', { line: 'drive logout …' }],
    ['users', { line: 'drive user list …' }],
    ['tokens', { line: 'drive token list …' }],
    ['rules', { line: 'drive rule list …' }],
    ['server start init run daemon', { line: 'drive serve --help' }],
  ]),
  'hla help': rows([
    ['pyard py-ard migration migrating', { line: 'help migrate' }],
    ['quickstart start intro tutorial', { line: 'help' }],
    ['exit status exit-code', { line: 'help exit-codes' }],
    ['env variables', { line: 'help environment' }],
    ['format json', { line: 'help formats' }],
    ['table columns csv tsv excel', { line: 'help tables' }],
    ['store storage files', { line: 'help file-store' }],
    ['error codes', { line: 'help errors' }],
    ['server service http', { line: 'help serve' }],
    ['method', { line: 'help methods' }],
  ]),
  'hla config': rows([['edit', { line: 'config path' }]]),
} // prettier-ignore

/** Verbs of subcommands -> what other programs call them. */
const VERBS = rows([
  ['create new make add', { line: 'add create' }],
  ['delete rm del remove revoke', { line: 'remove revoke' }],
  ['ls show get view', { line: 'list' }],
  ['edit update modify change', { line: 'set' }],
])

function rows(all: readonly (readonly [names: string, meant: Meant])[]): ReadonlyMap<string, Meant> {
  return new Map(all.flatMap(([names, meant]) => names.split(' ').map((name) => [name, meant] as const)))
}

/** An unknown word, and its place in the line. */
export interface UnknownWord {
  /** `hla`, `hla data` */
  readonly within: string
  readonly asked: string
  /** Commands known there. */
  readonly names: readonly string[]
  /** Words behind it. */
  readonly rest: readonly string[]
}

/** Suggests a line for an unknown command; undefined for a word of no known program. */
export function usualCommand(unknown: UnknownWord): Advice | undefined {
  const { within, asked, names, rest } = unknown
  const words = meantWords(unknown) ?? verbOf(unknown)
  if (words !== undefined) return typedLine(words)
  const isOffered = within === 'hla' && names.includes(rest[0] ?? '')
  return isOffered && PYARD.test(asked) ? typedLine(rest) : undefined
}

const RELEASE = /^(?:v?\d\.\d{1,2}(?:\.\d)?|\d{4}|latest)$/
const PYARD = /^py-?ard$/

function meantWords({ within, asked, rest, names }: UnknownWord): readonly string[] | undefined {
  if ((within === 'hla data' || within === 'hla') && RELEASE.test(asked)) return ['data', 'install', asked]
  if (within === 'hla' && asked === 'pyard-import') return pyardImport(rest)
  if (within === 'hla' && PYARD.test(asked)) {
    if (rest.some((word) => word === '-v' || word === '--version')) return ['version']
    if (names.includes(rest[0] ?? '')) return undefined
  }
  const config = rest[rest.indexOf('-c') + 1]
  if (asked.endsWith('reduce-csv') && rest.includes('-c') && config !== undefined)
    return ['redux', '--pyard-config', config]
  const meant = WITHIN[within]?.get(asked)
  if (meant !== undefined) return filledIn(meant, asked, rest)
  const method = findMethod(asked)
  if (method === undefined) return undefined
  if (within === 'hla help') return ['help', 'methods']
  if (within !== 'hla' || rest.length === 0) return undefined
  const reducing = { line: 'redux --help', files: `redux -m ${method}`, typings: `redux -m ${method} …` }
  return filledIn(reducing, asked, rest)
}

function filledIn({ line, files, typings }: Meant, asked: string, rest: readonly string[]): string[] {
  const isTyping = (word: string) => !word.startsWith('-') && parsesAsTyping(word)
  // a typing is one, whatever files there are
  const isFile = (word: string) => !word.startsWith('-') && !isTyping(word) && existsSync(word)
  if (files !== undefined && rest.some(isFile)) {
    if (files.endsWith(' …')) return behind(files, rest)
    return [...files.split(' '), ...rest.flatMap((word) => (isFile(word) ? ['-i', word] : [word]))]
  }
  if (typings !== undefined && rest.some(isTyping)) return behind(typings, rest)
  return behind(line.replace('=', asked), rest)
}

function behind(line: string, rest: readonly string[]): string[] {
  return line.split(' ').flatMap((word) => (word === '…' ? rest : [word]))
}

/** `pyard-import -i 3580 --re-install` */
function pyardImport(rest: readonly string[]): string[] {
  if (rest.includes('--list')) return ['data', 'list', '--available']
  if (rest.includes('--refresh-mac')) return ['data', 'mac']
  const release = rest.find((word) => RELEASE.test(word)) ?? 'latest'
  const force = rest.includes('--re-install') ? ['--force'] : []
  return ['data', 'install', release, ...force, ...(rest.includes('--skip-mac') ? ['--no-mac'] : [])]
}

/** `hla drive user create`, `hla config ls` */
function verbOf({ within, asked, names, rest }: UnknownWord): string[] | undefined {
  const meant = VERBS.get(asked)?.line.split(' ') ?? []
  const verb = within === 'hla' ? undefined : meant.find((one) => names.includes(one))
  return verb === undefined ? undefined : [...within.split(' ').slice(1), verb, ...rest]
}

function typedLine([name = '', ...args]: readonly string[]): Advice {
  return advice`did you mean ${command(name, { args })}?`
}
