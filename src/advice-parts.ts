/** The parts of advice: text, options and commands to type. Types only. */

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
