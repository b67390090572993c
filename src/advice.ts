/**
 * Advice as data: text in which each option and command to type is `{ option, value }` or `{ command }`. Each face
 * words it its own way.
 */
import type { Advice, AdvicePart, CommandAdvice, OptionAdvice, ShellAdvice } from './advice-parts.ts'
import { queryName } from './options/option-row.ts'
import { type NamedOption, QUESTION_OPTIONS } from './options/question-options.ts'
import { TABLE_OPTIONS } from './options/table-options.ts'

/**
 * command-line; program: `hla pipe` or the library; request: JSON to a service; query: `POST /table`; page: the
 * service's page.
 */
export const FACES = ['command-line', 'program', 'request', 'query', 'page'] as const
export type Face = (typeof FACES)[number]

export type { Advice, AdvicePart, CommandAdvice, OptionAdvice } from './advice-parts.ts'

/** Template tag that keeps its parts: advice`${option('quote', 'none')} if quotes have no meaning` */
export function advice(texts: TemplateStringsArray, ...parts: readonly Advice[]): Advice {
  const all = texts.flatMap((text, at) => [text, ...flattened(parts[at] ?? '')])
  const strings = all.filter((part) => typeof part === 'string')
  return strings.length < all.length ? all.filter((part) => part !== '') : strings.join('')
}

function flattened(part: Advice): readonly AdvicePart[] {
  return typeof part === 'string' ? [part] : part
}

/** `--quote none`, or `--lift` without a value. */
export function option(name: string, value?: string): Advice {
  return [{ option: name, ...(value === undefined ? {} : { value }) }]
}

/** An option whose value the reader fills in: `-l A=column,column`. */
export function optionLike(name: string, form: string): Advice {
  return [{ option: name, form }]
}

export function command(name: string, more: Omit<CommandAdvice, 'command'> = {}): Advice {
  return [{ command: name, ...more }]
}

/** An optional part of a sentence: clause`, or ${option('lift')}` */
export function clause(texts: TemplateStringsArray, ...parts: readonly Advice[]): Advice {
  return [flattened(advice(texts, ...parts))]
}

export function joinAdvice(list: readonly Advice[], separator: string): Advice {
  return list.flatMap((one, at) => [...(at === 0 ? [] : [separator]), ...flattened(one)])
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

/** The advice without the lines and clauses that have one of these steps; undefined when no line is left. */
export function withoutSteps(
  text: Advice | undefined,
  refused: ReadonlySet<OptionAdvice | CommandAdvice>,
): Advice | undefined {
  if (text === undefined || typeof text === 'string') return text
  const has = (parts: readonly AdvicePart[]) => parts.some((part) => typeof part === 'object' && refused.has(part as OptionAdvice)) // prettier-ignore
  const hasWithin = (part: AdvicePart) => Array.isArray(part) && adviceSteps(part).some((step) => refused.has(step)) // prettier-ignore
  const lines = linesOf(text).filter((line) => !has(line)).map((line) => line.filter((part) => !hasWithin(part))) // prettier-ignore
  return lines.length === 0 ? undefined : joinAdvice(lines, '\n')
}

/** Options and commands within the advice. */
export function adviceSteps(text: Advice | undefined): readonly (OptionAdvice | CommandAdvice)[] {
  if (text === undefined || typeof text === 'string') return []
  return text.flatMap((part) =>
    typeof part === 'string'
      ? []
      : isOption(part) || isCommand(part)
        ? [part]
        : isShell(part)
          ? []
          : adviceSteps(part),
  )
}

export function isAdvice(value: unknown): value is Advice {
  return typeof value === 'string' || (Array.isArray(value) && value.every(isPart))
}

function isPart(value: unknown): value is AdvicePart {
  return (
    isAdvice(value) ||
    (typeof value === 'object' &&
      value !== null &&
      ('option' in value || 'command' in value || 'shell' in value))
  )
}

function isOption(part: AdvicePart): part is OptionAdvice {
  return typeof part === 'object' && 'option' in part
}

function isCommand(part: AdvicePart): part is CommandAdvice {
  return typeof part === 'object' && 'command' in part
}

function isShell(part: AdvicePart): part is ShellAdvice {
  return typeof part === 'object' && 'shell' in part
}

function linesOf(parts: readonly AdvicePart[]): AdvicePart[][] {
  const lines: AdvicePart[][] = [[]]
  for (const part of parts) {
    const [first, ...rest] = typeof part === 'string' ? part.split('\n') : [part]
    lines.at(-1)?.push(first ?? '')
    for (const one of rest) lines.push([one])
  }
  return lines
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
  const said = options.map((one) => optionText(one, face))
  if (said.includes(undefined)) return undefined
  if (face !== 'command-line') return said.length === 0 ? name : `${name} with ${said.join(' and ')}`
  return ['hla', name, ...said, ...(args ?? []).map(shellWord), ...(form === undefined ? [] : [form])].join(
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

function flagText({ option: name, value, form }: OptionAdvice): string {
  const { short } = rowOf(name)
  const flag = short === undefined ? `--${name}` : `-${short}`
  return value === undefined && form === undefined ? flag : `${flag} ${form ?? shellWord(value ?? '')}`
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

/** Quotes a word for a shell, if needed. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

const ROWS: readonly NamedOption[] = [...QUESTION_OPTIONS, ...TABLE_OPTIONS]

function rowOf(name: string): NamedOption {
  return ROWS.find((row) => row.name === name) ?? { name }
}

const IN_QUERY: ReadonlySet<string> = new Set(
  ROWS.filter(({ inQuery }) => inQuery !== undefined).map(({ name }) => queryName(name)),
)
