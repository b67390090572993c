/** Advice in the words of whoever asked. It is written as options of the command line; others are told members, parameters or fields. */
import { HlaError } from '../errors.ts'

/** `request`: members of a JSON object; `query`: parameters of `POST /table`; `page`: what can be pressed there. */
export const WORDS = ['command-line', 'request', 'query', 'page'] as const
export type Wording = (typeof WORDS)[number]

/** The header by which a client that is a command line or the page says so; everybody else writes requests. */
const HEADER = 'x-hla-words'

export function requestedWording(
  { headers }: { readonly headers: Readonly<Record<string, unknown>> },
  usual: Wording = 'request',
): Wording {
  return WORDS.find((words) => words === headers[HEADER]) ?? usual
}

/** A group that matched nothing is undefined. */
type Phrase = (words: Exclude<Wording, 'command-line'>, ...groups: string[]) => string

const CARELESS = 'tick "read careless spellings"'

function list(items: string): string {
  return items.split(',').map((item) => JSON.stringify(item)).join(', ') // prettier-ignore
}

function assigned(words: Wording, name: string, value: string): string {
  return words === 'request' ? `${JSON.stringify(name)}: ${JSON.stringify(value)}` : `${name}=${value}`
}

/** In this order: what is matched by none of them and still names an option is left out. */
const PHRASES: readonly (readonly [RegExp, Phrase])[] = [
  // whole sentences that no substitution would make one of
  [
    /^.*\bhla data (?:install|mac|catalogue|use)\b.*$/,
    () => 'what it needs can be installed where it is answered',
  ],
  [/^use: hla mac --xx .*$/, (words) => words === 'page' ? '' : '"xx": true expands it; so does redux with method U2'], // prettier-ignore
  [/^change it with --limit; --limit 0 removes it$/, (words) => words === 'page' ? '' : '"options": {"limit": …} sets it, as far as the service allows'], // prettier-ignore
  [/; for tables, see hla help tables$/, () => ''],
  [/ +\(hla redux --help\)/, () => ''],
  [/, or --lift to translate old names/, (words) => words === 'page' ? '' : ', or "lift": true to translate old names'], // prettier-ignore
  [/--accept ([a-z0-9,]+) reads it as/, (words, items) => words === 'page' ? `${CARELESS} to read it as` : words === 'query' ? `accept=${items} reads it as` : `"accept": [${list(items)}] reads it as`], // prettier-ignore
  [/--accept ([a-z0-9,]+)/g, (words, items) => words === 'page' ? CARELESS : words === 'query' ? `accept=${items}` : `"accept": [${list(items)}]`], // prettier-ignore
  [/--accept\b/g, (words) => (words === 'page' ? 'that choice' : 'accept')],
  [/--limit (\d+)/g, (_, number) => `"limit": ${number}`],
  [/ \(--members\)/, (words) => words === 'page' ? '' : ' ("options": {"members": true})'], // prettier-ignore
  [/--members\b/g, () => '"options": {"members": true}'],
  [/--consistent-lg\b/g, () => '"options": {"consistentLg": true}'],
  [/--from (\d[\d.]*)/g, (words, release) => assigned(words, 'from', release)],
  // parameters of tables
  [/--(into|ragged|layout|delimiter) ([a-z]+)/g, (words, name, value) => words === 'page' ? '' : assigned(words, name, value)], // prettier-ignore
  // the page has no such control
  [/^(choose with|say which:) (--bare-digits .*)$/, (words, say, rest) => words === 'page' ? 'write antigens with their letters (A2), first fields as 02:XX' : `${say} ${rest}`], // prettier-ignore
  [/--bare-digits ([a-z]+)/g, (words, value) => words === 'page' ? '' : assigned(words, 'bare_digits', value)], // prettier-ignore
  [/--cell-separator (\S+)/g, (words, value) => words === 'page' ? '' : assigned(words, 'cell_separator', value)], // prettier-ignore
  [/(^|\s)-l (?=\S)/g, (words, before) => `${before}${words === 'page' ? 'Columns of a locus: ' : 'locus='}`],
  [/(^|\s)-g (?=\S)/g, (words, before) => `${before}${words === 'page' ? 'columns of GL Strings: ' : 'gl='}`],
  [/--missing (?=\S)/g, (words) => (words === 'page' ? '' : 'missing=')],
  [/(^|\s)-x\b/g, (words, before) => `${before}${words === 'page' ? 'the typing columns' : 'exclude='}`],
  [/--(locus|columns|exclude|gl)\b/g, (_, name) => name],
  [/--gl-out and --drbx add columns of their own/, () => 'gl_out adds a column of its own'],
  [/\bhla (redux|mac|ard|cwd|validate|lift|diff|similar|splits|explain)(?: -m (\w+))?/g, (_, name, method) => method === undefined ? name : `${name} with method ${method}`], // prettier-ignore
]

const MAY_NAME = /--[a-z]|\bhla [a-z]|(?:^|\s)-[a-zA-Z]\b/

/** Line by line. A line that names an option for which there is no other word is left out of advice; of a message it stays. */
export function inWording(text: string, words: Wording, isAdvice = true): string {
  if (words === 'command-line' || !MAY_NAME.test(text)) return text
  return text
    .split('\n')
    .map((line) =>
      PHRASES.reduce((said, [pattern, phrase]) => said.replace(pattern, replacer(words, phrase)), line),
    ) // prettier-ignore
    .filter((line) => line !== '' && !(isAdvice && OPTION.test(line)))
    .join('\n')
}

const OPTION = /--[a-z]|(?:^|\s)-[a-zA-Z](?=\s)/

function replacer(words: Exclude<Wording, 'command-line'>, phrase: Phrase) {
  return (_: string, ...found: unknown[]) => {
    // behind the groups come the place of the match, and the whole text
    const groups = found.slice(
      0,
      found.findIndex((one) => typeof one === 'number'),
    )
    return phrase(words, ...(groups as string[]))
  }
}

export function errorInWording(error: HlaError, words: Wording): HlaError {
  const { code, message, offending, position, suggestions, hint = '', facts } = error
  if (words === 'command-line' || !MAY_NAME.test(`${message}\n${hint}`)) return error
  const advice = inWording(hint, words)
  return new HlaError(code, inWording(message, words, false), {
    offending,
    position,
    suggestions,
    hint: advice === '' ? undefined : advice,
    facts,
    cause: error,
  })
}

type Output = Readonly<Record<string, unknown>>

/** The texts for people in an output: notes, problems, steps. */
export function outputInWording(output: Output, words: Wording): Output {
  if (words === 'command-line') return output
  // most answers have nothing to say besides
  if (!TOLD_NAMES.some((name) => output[name] !== undefined)) return output
  const told = Object.entries(TOLD).filter(([name]) => Array.isArray(output[name]))
  const lists = told.map(([name, texts]) => [name, (output[name] as Output[]).map((one) => itemInWords(one, texts, words))]) // prettier-ignore
  return { ...output, ...Object.fromEntries(lists) }
}

/** Lists of an output, and the texts in their items. */
const TOLD: Readonly<Record<string, readonly string[]>> = { notes: ['message'], problems: ['message', 'hint'], steps: ['text'] } // prettier-ignore
const TOLD_NAMES = Object.keys(TOLD)

function itemInWords(item: Output, names: readonly string[], words: Wording): Output {
  const entries = Object.entries(item).map(([name, value]) => {
    if (!names.includes(name) || typeof value !== 'string') return [name, value] as const
    return [name, inWording(value, words, name === 'hint')] as const
  })
  return Object.fromEntries(entries.filter(([name, value]) => name !== 'hint' || value !== ''))
}
