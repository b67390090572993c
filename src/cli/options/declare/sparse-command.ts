/** A command that knows at first only the options that its command line can mean: to declare one takes as long as to read three. */
import { Command, type Option } from 'commander'

/** Of the program, or of a command below it: what commander makes of a command line is the same as with all options. */
export class SparseCommand extends Command {
  readonly #words: readonly string[]
  /** In the order of the help. */
  readonly #all: Option[] = []
  readonly #waiting = new Set<Option>()

  /** `words` are the command line. */
  constructor(name: string, words: readonly string[]) {
    super(name)
    this.#words = words
  }

  /** Those that wait, too. That of the version, which commander adds by itself, is the first of the program. */
  get every(): readonly Option[] {
    return [...this.options.filter((option) => !this.#all.includes(option)), ...this.#all]
  }

  override createCommand(name: string): Command {
    return new SparseCommand(name, this.#words)
  }

  override addOption(option: Option): this {
    this.#all.push(option)
    if (!this.#mayWait(option)) return super.addOption(option)
    this.#waiting.add(option)
    return this
  }

  override helpInformation(): string {
    for (const option of this.#waiting) super.addOption(option)
    this.#waiting.clear()
    // declared late, they are not last
    const order = this.options as Option[]
    order.splice(0, order.length, ...this.every)
    return super.helpInformation()
  }

  /** It was not given, and has no value without being given. */
  #mayWait(option: Option): boolean {
    const { defaultValue, envVar, mandatory, negate } = option
    if (defaultValue !== undefined || mandatory || (envVar !== undefined && envVar in process.env))
      return false
    return (!negate || this.#hasPositive(option)) && !this.#words.some((word) => canMean(word, option))
  }

  /** `--no-x` gives x a value, unless there is `--x` before it. */
  #hasPositive({ long }: Option): boolean {
    const positive = long?.replace('--no-', '--')
    return this.#all.some((other) => other.long === positive)
  }
}

/** All options of a command: they are the `options` of one that is not sparse. */
export function everyOptionIn(command: Command): readonly Option[] {
  return command instanceof SparseCommand ? command.every : command.options
}

/** `--long`, `--long=value`; `-l` may be one of several letters. What is the value of another option, or a typing, may look so. */
function canMean(word: string, { short, long }: Option): boolean {
  if (!word.startsWith('-')) return false
  const [name] = word.split('=', 1)
  // `--no-x` alone would give x a value, wherever it stands
  if (long !== undefined && (name === long || name === long.replace(/^--/, '--no-'))) return true
  return short !== undefined && word[1] !== '-' && word.includes(short.slice(1))
}
