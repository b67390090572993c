/** Short descriptions of options for `--help`: a command with many options shows one line for each. */
import type { Option } from 'commander'

const BRIEFS = new WeakMap<Option, string>()

/** Flag -> description under fifty characters. */
export function withBriefs(options: readonly Option[], briefs: Readonly<Record<string, string>>): Option[] {
  return options.map((option) => {
    const text = briefs[option.name()]
    return text === undefined ? option : setBrief(option, text)
  })
}

export function setBrief(option: Option, text: string): Option {
  BRIEFS.set(option, text)
  return option
}

export function briefOf(option: Option): string | undefined {
  return BRIEFS.get(option)
}
