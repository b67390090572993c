/** The parts of advice: text, options and commands to type. Types only. */

/** An option to type. */
export interface OptionAdvice {
  /** The long name: `quote`. */
  readonly option: string
  readonly value?: string | undefined
  /** In place of `value`, what a value looks like: `A=column,column`. */
  readonly form?: string | undefined
}

export interface CommandAdvice {
  /** `data install` */
  readonly command: string
  readonly options?: readonly OptionAdvice[] | undefined
  readonly args?: readonly string[] | undefined
  /** In place of `args`, what they look like: `FILE`. */
  readonly form?: string | undefined
}

/** For a shell alone: `xz -dc donors.csv.xz | hla … -i -` */
export interface ShellAdvice {
  readonly shell: string
}

/** A list within the list is a clause: a face that has no word for one of its options leaves all of it out. */
export type AdvicePart = string | OptionAdvice | CommandAdvice | ShellAdvice | readonly AdvicePart[]
/** A line that names what a face has no word for is left out as a clause is. */
export type Advice = string | readonly AdvicePart[]
