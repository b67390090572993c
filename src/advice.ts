/**
 * Advice as data: text in which each option and command to type is `{ option, value }` or `{ command }`. Each face
 * words it its own way (`operations/faces.ts`).
 */

/** An option to type. */
export interface OptionAdvice {
  /** The long name: `quote`. */
  readonly option: string
  readonly value?: string | undefined
  /** Placeholder for `value`: `A=column,column`. */
  readonly form?: string | undefined
}

export interface CommandAdvice {
  /** `data install` */
  readonly command: string
  readonly options?: readonly OptionAdvice[] | undefined
  readonly args?: readonly string[] | undefined
  /** Placeholder for `args`: `FILE`. */
  readonly form?: string | undefined
}

/** Command for a shell only: `xz -dc donors.csv.xz | hla … -i -` */
export interface ShellAdvice {
  readonly shell: string
}

/** A nested list is a clause: a face that lacks one of its options omits the whole clause. */
export type AdvicePart = string | OptionAdvice | CommandAdvice | ShellAdvice | readonly AdvicePart[]
/** Advice; a face that lacks an option of a line omits the line. */
export type Advice = string | readonly AdvicePart[]

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

/** Text without the words of a face, for logs and debuggers: options by their long names. */
export function plainText(text: Advice): string {
  if (typeof text === 'string') return text
  return text.map(plainPart).join('')
}

function plainPart(part: AdvicePart): string {
  if (typeof part === 'string') return part
  if (isOption(part)) return withValue(part, `--${part.option}`)
  if (isCommand(part)) return `hla ${part.command}`
  return isShell(part) ? part.shell : plainText(part)
}

/** A flag with the value of its option, as typed. */
export function withValue({ value, form }: OptionAdvice, flag: string): string {
  return value === undefined && form === undefined ? flag : `${flag} ${form ?? shellWord(value ?? '')}`
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

export function isOption(part: AdvicePart): part is OptionAdvice {
  return typeof part === 'object' && 'option' in part
}

export function isCommand(part: AdvicePart): part is CommandAdvice {
  return typeof part === 'object' && 'command' in part
}

export function isShell(part: AdvicePart): part is ShellAdvice {
  return typeof part === 'object' && 'shell' in part
}

export function linesOf(parts: readonly AdvicePart[]): AdvicePart[][] {
  const lines: AdvicePart[][] = [[]]
  for (const part of parts) {
    const [first, ...rest] = typeof part === 'string' ? part.split('\n') : [part]
    lines.at(-1)?.push(first ?? '')
    for (const one of rest) lines.push([one])
  }
  return lines
}

/** Quotes a word for a shell, if needed. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
