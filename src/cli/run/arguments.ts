/**
 * Words of a command line: with those of a py-ard configuration inserted, without one-off options, and quoted for a
 * shell.
 */

const OPTION = '--pyard-config'

/** `words` are the command line, the command first. @throws {HlaError} as `pyardArguments` */
export async function withPyardConfig(words: readonly string[]): Promise<readonly string[]> {
  const at = words.findIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`))
  const [command, ...rest] = words
  const file = words[at] === OPTION ? words[at + 1] : words[at]?.slice(OPTION.length + 1)
  if (at < 1 || command !== 'redux' || file === undefined || words.includes('--help')) return words
  const { pyardArguments: pyardWords } = await import('./table/pyard/pyard-config.ts')
  return [command, ...pyardWords(file), ...rest]
}

/** Command line without the py-ard configuration that produced it, and without `--plan`. */
export function commandBehind(words: readonly string[]): string[] {
  return words.filter((word, at) => word !== '--plan' && !word.startsWith(OPTION) && words[at - 1] !== OPTION)
}

export function quoteArguments(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
