/**
 * A command that first declares only options its command line can mean: declaring one takes as long as reading three.
 */
import { Command, type Option } from 'commander'

/** The program, or a command below it. commander parses a command line as if all options were declared. */
export class SparseCommand extends Command {
  readonly #words: readonly string[]
  /** All options added here, in the order of the help. */
  readonly #all: Option[] = []
  readonly #waiting = new Set<Option>()

  /** `words` are the command line. */
  constructor(name: string, words: readonly string[]) {
    super(name)
    this.#words = words
  }

  /** Every option, including deferred ones. The first is the version option, which commander adds. */
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
    // restores the order: options declared late would be last
    const order = this.options as Option[]
    order.splice(0, order.length, ...this.every)
    return super.helpInformation()
  }

  /** True when the option was not given and has no value by default. */
  #mayWait(option: Option): boolean {
    const { defaultValue, envVar, mandatory, negate } = option
    if (defaultValue !== undefined || mandatory || (envVar !== undefined && envVar in process.env))
      return false
    return (!negate || this.#hasPositive(option)) && !this.#words.some((word) => canMean(word, option))
  }

  /** `--no-x` gives x a value, unless `--x` is declared before it. */
  #hasPositive({ long }: Option): boolean {
    const positive = long?.replace('--no-', '--')
    return this.#all.some((other) => other.long === positive)
  }
}

/** All options of a command; for one that is not sparse, its `options`. */
export function everyOptionIn(command: Command): readonly Option[] {
  return command instanceof SparseCommand ? command.every : command.options
}

/**
 * Matches `--long`, `--long=value`, and `-l` among combined letters. Values of other options, and typings, may match
 * too.
 */
function canMean(word: string, { short, long }: Option): boolean {
  if (!word.startsWith('-')) return false
  const [name] = word.split('=', 1)
  // `--no-x` alone would give x a value, at any position
  if (long !== undefined && (name === long || name === long.replace(/^--/, '--no-'))) return true
  return short !== undefined && word[1] !== '-' && word.includes(short.slice(1))
}
