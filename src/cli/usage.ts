/** What commander found wrong with a command line, in our words and with the right way to say it. */
import type { CommanderError } from 'commander'
import { HlaError } from '../errors.ts'

export function explainUsage({ message }: CommanderError, words: readonly string[]): HlaError {
  const text = message.replace(/^error: /, '')
  const option = /^unknown option '(-[^']*)'/.exec(text)?.[1]
  const command = words[0]?.startsWith('-') ? undefined : words[0]
  if (option === '-g') return typingsAreArguments(command ?? 'redux', words)
  const hint = `Run hla ${command === undefined ? '' : `${command} `}--help for all options.`
  return new HlaError('usage', `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`, { hint })
}

/** `-g` gives py-ard its typing. */
function typingsAreArguments(command: string, words: readonly string[]): HlaError {
  const typing = words[words.indexOf('-g') + 1] ?? 'A*01:01'
  return new HlaError(
    'usage',
    `-g names GL-string columns of a table. Typings are arguments: hla ${command} '${typing}'`,
  )
}
