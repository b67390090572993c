/** `hla pipe`: options and start of the co-process. */
import type { Command } from 'commander'
import { EXIT } from '../exit-status.ts'
import { intoSink } from '../io/sink.ts'
import { openExecutor } from '../open-executor.ts'
import { addGlobalOptions, type GlobalOptions } from '../options.ts'
import { runPipe } from '../pipe.ts'
import { openTalk } from '../talk.ts'

export function definePipeCommand(command: Command, done: (status: number) => void): void {
  addGlobalOptions(command, () => false).action(async () => {
    const options = command.opts<GlobalOptions>()
    const talk = await openTalk({
      quiet: options.quiet ?? false,
      verbose: options.verbose,
      color: options.color,
    })
    const { executor, close } = await openExecutor(options, talk)
    const [input = '-'] = options.input ?? []
    try {
      await intoSink(options.output, (sink) => runPipe(executor, sink, input))
    } finally {
      await close()
    }
    done(EXIT.ok)
  })
}
