/** What a command line asks of a table, with all defaults, without doing it. */
import { withoutSettings } from '../settings.ts'
import type { Method } from '../../../engine/reduce/methods.ts'
import { questionsOf } from '../questions.ts'
import { resolvedOptions } from '../../../table/run/resolved-options.ts'
import { tableAsked } from '../table/table-command.ts'
import { wordsAsked } from '../table/words-asked.ts'

/** `argv` without node and script; `methods` are those of the release that answered. @throws {HlaError} usage; whatever the command line is refused for */
export async function resolveArgv(
  argv: readonly string[],
  methods: readonly Method[],
): Promise<ReturnType<typeof resolvedOptions>> {
  const { operation, options } = await wordsAsked(withoutSettings(argv))
  const questions = questionsOf(operation, options, methods)
  const { file, ...asked } = tableAsked({ given: [], options, operation, questions })
  return resolvedOptions({
    ...asked,
    source: { title: file },
    operation,
    inputs: questions.map(({ input }) => input),
  })
}
