/** THE LIST of help topics, with their summaries. */

export const TOPICS = {
  'exit-codes': 'what the exit status of a command says',
  environment: 'variables of the environment, and the files read besides',
  formats: 'the output formats, with an example of each',
  methods: 'the methods of reduction, and every name that each has',
  tables: 'tables of typings: layouts, columns, cells, results',
  'long-runs': 'long tables: interruption, parts, progress, provenance',
  errors: 'every error code, what it means and what to do',
  remote: 'get answers from a service',
  'file-store': 'paths, tokens and conversions of a file store',
  migrate: 'coming from py-ard: each command and option, and what it is here',
} as const

export type TopicName = keyof typeof TOPICS

export function isTopic(word: string | undefined): word is TopicName {
  return word !== undefined && Object.hasOwn(TOPICS, word)
}
