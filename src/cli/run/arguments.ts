/** Words of a command line: with those of a settings file of py-ard inserted, and without one-off options. */

const OPTION = '--pyard-config'

/** `words` are the command line, the command first. @throws {HlaError} as `pyardArguments` */
export async function withPyardConfig(words: readonly string[]): Promise<readonly string[]> {
  const at = words.findIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`))
  const [command, ...rest] = words
  const file = words[at] === OPTION ? words[at + 1] : words[at]?.slice(OPTION.length + 1)
  if (at < 1 || command !== 'redux' || file === undefined || words.includes('--help')) return words
  const { pyardArguments } = await import('./table/pyard/pyard-config.ts')
  return [command, ...(await pyardArguments(file)), ...rest]
}

/** Command line without the py-ard configuration that produced it, and without `--plan`. */
export function commandBehind(words: readonly string[]): string[] {
  return words.filter((word, at) => word !== '--plan' && !word.startsWith(OPTION) && words[at - 1] !== OPTION)
}
