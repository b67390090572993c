/** The value an option has on a command line that is not finished. */

/** `--input x`, `--input=x`, `-i x`; undefined where it is not given. */
export function optionValue(words: readonly string[], long: string, short?: string): string | undefined {
  const at = words.findLastIndex((word) => word === long || word === short || word.startsWith(`${long}=`))
  const word = words[at]
  return word?.startsWith(`${long}=`) === true ? word.slice(long.length + 1) : words[at + 1 || words.length]
}
