/** Runs `hla pipe` until its input ends. */
import { EXIT } from '../exit-status.ts'
import type { GlobalOptions } from '../options/options.ts'
import { reportBug } from '../report-bug.ts'
import { openDoor } from '../run/files/open-door.ts'
import { intoSink } from '../../io/sink.ts'
import { openExecutor } from '../run/open-executor.ts'
import { runPipe } from '../run/pipe.ts'
import { openTalk } from '../run/talk.ts'

/** The exit status. */
export async function runPipeCommand(options: GlobalOptions): Promise<number> {
  const talk = await openTalk({
    quiet: options.quiet ?? false,
    verbose: options.verbose,
    color: options.color,
  })
  const { executor, close } = await openExecutor(options, talk)
  const [input = '-'] = options.input ?? []
  let status: number = EXIT.ok
  const report = (fault: unknown) => (status = reportBug(fault))
  const door = openDoor(options)
  try {
    const source = await door.source(input)
    await intoSink(await door.sink(options.output), (sink) => runPipe({ executor, sink, source, report }))
  } finally {
    await door.close()
    await close()
  }
  return status
}
