/** Runs `hla pipe` until its input ends. */
import { EXIT } from '../exit-status.ts'
import type { GlobalOptions } from '../options/options.ts'
import { reportBug } from '../report-bug.ts'
import { openFilePort } from '../run/open-file-port.ts'
import { intoSink } from '../../io/sink.ts'
import { openExecutor } from '../run/open-executor.ts'
import { runPipe } from '../run/pipe.ts'
import { openReporter } from '../run/reporter.ts'

/** The exit status. */
export async function runPipeCommand(options: GlobalOptions): Promise<number> {
  const reporter = await openReporter({
    quiet: options.quiet ?? false,
    verbose: options.verbose,
    color: options.color,
    ageNote: options.ageNote !== false,
  })
  const { executor, close } = await openExecutor(options, reporter)
  const [input = '-'] = options.input ?? []
  let status: number = EXIT.ok
  const report = (fault: unknown) => (status = reportBug(fault))
  const filePort = openFilePort(options)
  try {
    const source = await filePort.source(input)
    await intoSink(await filePort.sink(options.output), (sink) => runPipe({ executor, sink, source, report }))
  } finally {
    await filePort.close()
    await close()
  }
  return status
}
