/** What a command line asks of a table, with all defaults, without doing it. */
import { withoutRemoved } from '../../options/removed-options.ts'
import { withoutSettings } from '../settings.ts'
import type { Method } from '../../../engine/reduce/methods.ts'
import { makeQuestions } from '../questions.ts'
import { resolvedOptions } from '../../../table/run/table-job.ts'
import { makeTableRun } from '../table/table-command.ts'
import { parseCommandLine } from '../table/parse-command-line.ts'

/** `argv` without node and script; `methods` are those of the release that answered. @throws {HlaError} usage; whatever the command line is refused for */
export async function resolveArgv(
  argv: readonly string[],
  methods: readonly Method[],
): Promise<ReturnType<typeof resolvedOptions>> {
  const { operation, options } = await parseCommandLine(withoutSettings(withoutRemoved(argv)))
  const questions = makeQuestions(operation, options, methods)
  const { files, ...asked } = makeTableRun({ given: [], options, operation, questions })
  return resolvedOptions({
    ...asked,
    source: { title: files[0] ?? '-' },
    operation,
  })
}
