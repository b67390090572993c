/** The words of a command line: with those of a configuration of py-ard before them, without what is asked once, and as a shell reads them. */

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

/** The same command line without the configuration it was made from, and without asking for a plan. */
export function commandBehind(words: readonly string[]): string[] {
  return words.filter((word, at) => word !== '--plan' && !word.startsWith(OPTION) && words[at - 1] !== OPTION)
}

export function quoteArguments(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
