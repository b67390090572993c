/** Shows pages of the manual: through man(1) on a terminal, else as plain text.  [process] */
import { spawn } from 'node:child_process'
import { commandPages } from '../../../manual/command-page.ts'
import type { Page, Term } from '../../../manual/page.ts'
import { toPlain } from '../../../manual/plain.ts'
import { TOPICS, type TopicName, isTopic } from '../../../manual/topic-names.ts'
import { topicPage } from '../../../manual/topics.ts'
import { HlaError } from '../../../errors.ts'
import { packageBuild, packageFile, packagePath, packageVersion } from '../../../package-root.ts'
import { closest } from '../../options/closest.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { isTerminal, writeAll } from '../../../io/stdout.ts'
import { LAYOUTS } from '../../../table/plan/layouts.ts'
import { RECORD_FORMATS, TABLE_PROGRAMS } from '../../../table/input/records/record-formats.ts'
import { POPULATION_FORMATS } from '../../../table/output/population/population-formats.ts'
import { DEFAULT_TOKENS, TOKEN_STATUSES, type TokenStatus } from '../../../table/cells/tokens.ts'
import type { ManualFacts } from '../../../manual/manual-facts.ts'
import { programFacts } from '../../options/program-facts.ts'
import { FORMATS, type Format } from '../../../operations/answers/records.ts'

export function showTopic(name: TopicName): void {
  writeAll(1, toPlain(topicPage(name, manualFacts())))
}

/** Returns the exit status. @throws {HlaError} usage — no such page */
export async function showPage(words: readonly string[]): Promise<number> {
  const page = pageNamed(words)
  if (isTerminal(1) && (await runMan(`${page.name}.${page.section}`))) return EXIT.ok
  writeAll(1, toPlain(page))
  return EXIT.ok
}

function pageNamed(words: readonly string[]): Page {
  const facts = manualFacts()
  const [first] = words
  if (words.length === 1 && isTopic(first)) return topicPage(first, facts)
  const pages = commandPages(facts)
  const name = ['hla', ...words].join('-')
  const page = pages.find((one) => one.name === name)
  if (page !== undefined) return page
  const asked = words.join(' ')
  const known = [...pages.map((one) => one.name.slice('hla-'.length)), ...Object.keys(TOPICS)]
  const [near] = closest(words.join('-'), known, 1)
  const hint =
    near === undefined ? 'hla help lists commands and topics' : `hla man ${near.replaceAll('-', ' ')}`
  throw new HlaError('usage', `there is no manual page for "${asked}"`, { offending: asked, hint })
}

/** Resolves to true when man(1) exists and showed the page. */
function runMan(name: string): Promise<boolean> {
  const text = packageFile('man', name)
  if (text === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    // the single-file program has no pages on disk
    const isOnDisk = packageBuild() === undefined
    const man = spawn('man', ['-l', isOnDisk ? packagePath('man', name) : '-'], {
      stdio: [isOnDisk ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    })
    // ignore the error of a pager that quit early
    man.stdin?.on('error', () => undefined).end(text)
    man.on('error', () => resolve(false))
    man.on('close', (status) => resolve(status === 0))
  })
}

export function manualFacts(): ManualFacts {
  return {
    version: packageVersion(),
    program: programFacts(),
    exits: exits(),
    formats: FORMATS.map((format) => [format, FORMAT_MEANINGS[format]]),
    layouts: Object.entries(LAYOUTS).map(([name, { summary }]) => [name, summary]),
    recordFormats: RECORD_FORMATS.map(({ name, summary, example }) => [name, summary, example]),
    outputFormats: [...POPULATION_FORMATS].map(([name, { summary }]) => [name, summary]),
    tablePrograms: TABLE_PROGRAMS.map(([name, header]) => [
      name,
      `\`${header.trim().replaceAll('\t', ' ')}\``,
    ]),
    tokens: TOKEN_STATUSES.map((status) => [status, listTokens(status)]),
    variables: Object.entries(VARIABLES),
  }
}

function exits(): Term[] {
  // the keys of EXIT are its type
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[]
  return names.toSorted((a, b) => EXIT[a] - EXIT[b]).map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]])
}

function listTokens(status: TokenStatus): string {
  const empty = status === 'untyped' ? ['an empty cell'] : []
  return `${[...empty, ...DEFAULT_TOKENS[status].map((token) => `\`${token}\``)].join(', ')}.`
}

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'Everything asked for succeeded.',
  no: 'The answer is no: not valid, no match, no code; or at least one typing failed.',
  usage:
    'The command line or the settings are wrong: an unknown command, option, column or method, a missing argument, options that exclude each other.',
  data: 'Reference data: not installed, damaged, cut short, or of an unknown format.',
  io: 'A file cannot be read or written, or is not a table.',
  remote: 'A service cannot be reached, or failed after all attempts.',
  pin: 'The data do not match the requested release or data id.',
  bug: 'An error in hla itself. `HLA_DEBUG=1` shows where it is; please report it.',
  hungUp: 'The terminal was closed, or the connection broke (SIGHUP).',
  interrupted: 'Interrupted (SIGINT).',
  brokenPipe: 'The reader closed the pipe (SIGPIPE), as `| head` does. Nothing is printed.',
  terminated: 'Terminated by another process (SIGTERM).',
}

const FORMAT_MEANINGS: Readonly<Record<Format, string>> = {
  plain:
    'The answer alone, one line per input, an empty line for a failure; several methods are separated by tabs. `--with-input` puts the input before it.',
  json: 'One JSON object, or an array of them for several answers.',
  jsonl: 'One JSON object a line: for streams.',
  csv: 'Comma-separated, with a header.',
  tsv: 'Tab-separated, with a header and without quotes.',
  table: 'Aligned columns for people to read; the layout may change.',
}

/** Variables without an option. A test compares them with the sources. */
export const VARIABLES: Readonly<Record<string, string>> = {
  HLA_JOBS: 'Workers for tables, as `--jobs`.',
  HLA_DRIVE_TOKEN: 'The token for the file store, if no file contains it.',
  HLA_DATA_URL: 'Where `hla data` finds published files without `--from`.',
  HLA_SYSTEM_DATA_DIR:
    'Where the administrator of the machine installed releases; read only, after your own. Default: /usr/share/hla.',
  HLA_SYSTEM_CONFIG: 'The settings of the machine. Default: /etc/hla/config.json.',
  HLA_DEBUG: 'Shows where an internal error happened.',
  SOURCE_DATE_EPOCH:
    'Seconds since 1970: the day that `--output-format same` writes into HML. Default: today.',
  NO_COLOR: 'No colours, whatever its value.',
  FORCE_COLOR: 'Use colours even if the output is not a terminal; 0 turns them off.',
  TERM: '`dumb` is a terminal without colours.',
  CI: 'No colours.',
  XDG_DATA_HOME: 'Releases are installed in its folder `hla`. Default: ~/.local/share.',
  XDG_CONFIG_HOME: 'Your settings are `hla/config.json` in it. Default: ~/.config.',
  XDG_STATE_HOME: 'Unfinished uploads are recorded in its folder `hla`. Default: ~/.local/state.',
  PGSSLMODE:
    'Whether to connect to the database of a shared store with TLS, if its address has no `sslmode`.',
  AWS_ENDPOINT_URL_S3:
    'Address of the S3-compatible store that `--contents s3://…` is in; or AWS_ENDPOINT_URL. Default: that of AWS.',
  AWS_REGION: 'Region of the S3-compatible store; or AWS_DEFAULT_REGION. Default: us-east-1.',
  AWS_ACCESS_KEY_ID:
    'Access key of that store, with AWS_SECRET_ACCESS_KEY and, if the store needs it, AWS_SESSION_TOKEN.',
  AWS_SHARED_CREDENTIALS_FILE:
    'A file with such keys, reread when it changes; AWS_PROFILE selects its section.',
  AWS_CA_BUNDLE: 'Certificates trusted for that store.',
  HTTPS_PROXY: 'The proxy for https; the lower-case name works too, also for `HTTP_PROXY` and `NO_PROXY`.',
  NOTIFY_SOCKET:
    'Set by systemd for a unit with `Type=notify`: the service says through systemd-notify that it listens.',
  WATCHDOG_USEC: 'Set by systemd for a unit with `WatchdogSec=`: the service says as often that it runs.',
  NODE_EXTRA_CA_CERTS: 'Additional trusted certificates, as in Node.js.',
}
