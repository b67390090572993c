/** Words errors and outputs for the face that shows them; until then advice is data. */
import {
  type Advice,
  type AdvicePart,
  type CommandAdvice,
  isCommand,
  isOption,
  isShell,
  linesOf,
  type OptionAdvice,
  shellWord,
  withValue,
} from '../advice.ts'
import { bounded, type HlaError } from '../errors.ts'
import { queryName } from '../options/option-row.ts'
import { type NamedOption, QUESTION_OPTIONS } from '../options/question-options.ts'
import { TABLE_OPTIONS } from '../options/table-options.ts'

/**
 * command-line; program: `hla pipe` or the library; request: JSON to a service; query: `POST /table`; page: the
 * service's page.
 */
export const FACES = ['command-line', 'program', 'request', 'query', 'page'] as const
export type Face = (typeof FACES)[number]

/** Header in which a command line or page identifies itself; all other clients write requests. */
const HEADER = 'x-hla-words'

export function requestedFace(
  { headers }: { readonly headers: Readonly<Record<string, unknown>> },
  usual: Face = 'request',
): Face {
  return FACES.find((face) => face === headers[HEADER]) ?? usual
}

type Output = Readonly<Record<string, unknown>>

/** Output with the hints of its problems as text. */
export function outputFor(output: Output, face: Face): Output {
  const { problems } = output
  if (!Array.isArray(problems)) return output
  return { ...output, problems: problems.map((problem: Output) => problemFor(problem, face)) }
}

function problemFor(problem: Output, face: Face): Output {
  const entries = Object.entries(problem).flatMap(([name, value]) => {
    // problemRecord produced the value
    const text = name === 'hint' ? adviceText(value as Advice, face) : value
    return text === undefined ? [] : [[name, text] as const]
  })
  return Object.fromEntries(entries)
}

/** First line of the hint. */
export function hintLine({ hint }: Pick<HlaError, 'hint'>, face: Face): string | undefined {
  return adviceText(hint, face)?.split('\n')[0]
}

/** The message of an error. */
export function errorText({ said }: Pick<HlaError, 'said'>, face: Face): string {
  return bounded(messageText(said, face))
}

/** A hint as a face words it. Lines with an option that the face lacks are omitted; undefined when no line is left. */
export function adviceText(text: Advice | undefined, face: Face): string | undefined {
  if (text === undefined || typeof text === 'string') return text
  const lines = linesOf(text).flatMap((line) => lineText(line, face) ?? [])
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** A message as a face words it. An option that the face lacks is given by its plain name. */
export function messageText(text: Advice, face: Face): string {
  if (typeof text === 'string') return text
  return text.map((part) => partText(part, face) ?? (isOption(part) ? part.option : '')).join('')
}

/** Replaces commands that install data, which only a service's operator can run. */
const OPERATORS = 'ask the operator of the service to install the data'

function lineText(line: readonly AdvicePart[], face: Face): string | undefined {
  const isServed = face !== 'command-line' && face !== 'program'
  if (isServed && line.some((part) => isCommand(part) && isOfData(part))) return OPERATORS
  const texts = line.map((part) => partText(part, face))
  return texts.includes(undefined) ? undefined : texts.join('')
}

function isOfData({ command: name }: CommandAdvice): boolean {
  return name.startsWith('data ')
}

/** Text of one part; `''` for an omitted clause, undefined for an option that the face lacks. */
function partText(part: AdvicePart, face: Face): string | undefined {
  if (typeof part === 'string') return part
  if (isOption(part)) return optionText(part, face)
  // programs too install data by a command
  if (isCommand(part)) return commandText(part, isOfData(part) ? 'command-line' : face)
  if (isShell(part)) return face === 'command-line' ? part.shell : undefined
  const texts = part.map((one) => partText(one, face))
  return texts.includes(undefined) ? '' : texts.join('')
}

function commandText(
  { command: name, options = [], args, form }: CommandAdvice,
  face: Face,
): string | undefined {
  // pages have no commands, and only a terminal has help pages
  if (face === 'page' || (face !== 'command-line' && name.startsWith('help '))) return undefined
  const flags = options.map((one) => optionText(one, face))
  if (flags.includes(undefined)) return undefined
  if (face !== 'command-line') return flags.length === 0 ? name : `${name} with ${flags.join(' and ')}`
  return ['hla', name, ...flags, ...(args ?? []).map(shellWord), ...(form === undefined ? [] : [form])].join(
    ' ',
  )
}

function optionText(given: OptionAdvice, face: Face): string | undefined {
  const { option: name, value, form } = given
  if (face === 'command-line') return flagText(given)
  if (face === 'request' || face === 'program') return requestText(given)
  const shown = form ?? value
  if (face === 'page') {
    const label = rowOf(name).onPage
    if (label?.endsWith(':') !== true) return label
    // the field shows an example of what it takes
    return value === undefined ? `“${label.slice(0, -1)}”` : `${label} ${value}`
  }
  const member = name.replaceAll('-', '_')
  if (!IN_QUERY.has(member)) return undefined
  return shown === undefined ? member : `${member}=${shown}`
}

function flagText(given: OptionAdvice): string {
  const { name, short } = rowOf(given.option)
  return withValue(given, short === undefined ? `--${name}` : `-${short}`)
}

function requestText({ option: name, value, form }: OptionAdvice): string | undefined {
  const { inRequest, value: placeholder, reading } = rowOf(name)
  if (inRequest === undefined) return undefined
  const shown =
    form ??
    (placeholder === undefined
      ? 'true'
      : value === undefined
        ? '…'
        : JSON.stringify(
            reading === 'list' ? value.split(',') : reading === 'number' ? Number(value) : value,
          ))
  const [member = '', inner] = inRequest.split('.')
  const own = `"${inner ?? member}": ${shown.replaceAll('","', '", "')}`
  return inner === undefined ? own : `"${member}": {${own}}`
}

const ROWS: readonly NamedOption[] = [...QUESTION_OPTIONS, ...TABLE_OPTIONS]

function rowOf(name: string): NamedOption {
  return ROWS.find((row) => row.name === name) ?? { name }
}

const IN_QUERY: ReadonlySet<string> = new Set(
  ROWS.filter(({ inQuery }) => inQuery !== undefined).map(({ name }) => queryName(name)),
)
