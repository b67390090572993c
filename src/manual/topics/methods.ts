/** Help topic: the methods of reduction, and every name that each has. Pure. */
import {
  ALL_METHODS,
  DEFAULT_METHOD,
  METHOD_NAMES,
  METHOD_WORDS,
  METHODS,
} from '../../engine/reduce/methods.ts'
import { type Block, session, terms, text } from '../page.ts'

export function methodsTopic(): Block[] {
  return [
    ...text(
      `\`-m METHOD\` says what a typing is reduced to; the default is \`${DEFAULT_METHOD}\`. Several are given with commas or by several \`-m\`, and \`${ALL_METHODS}\` is every method for which the release has answers. Case, hyphens and a plural do not matter.`,
    ),
    terms(
      METHOD_NAMES.map((name) => {
        const words = METHOD_WORDS[name]
        const also = words.length === 0 ? '' : ` Also: ${words.map((word) => `\`${word}\``).join(', ')}.`
        return [`\`${name}\``, `${METHODS[name].summary}.${also}`] as const
      }),
    ),
    session({
      command: "hla redux -m G-group,2-field 'A*01:01:01:01'",
      output: 'A*01:01:01G\tA*01:01',
    }),
  ]
}
