/** `hla pipe`: options and start of the co-process. */
import type { Command } from 'commander'
import { localExecutor } from '../../operations/executor.ts'
import { EXIT } from '../exit-status.ts'
import { intoSink } from '../io/sink.ts'
import { openKnowledge } from '../open-knowledge.ts'
import { addGlobalOptions, type GlobalOptions } from '../options.ts'
import { runPipe } from '../pipe.ts'
import { noteStarter } from '../starter-note.ts'
import { openTalk } from '../talk.ts'

export function definePipeCommand(command: Command, done: (status: number) => void): void {
  addGlobalOptions(command).action(async () => {
    const options = command.opts<GlobalOptions>()
    const talk = await openTalk({
      quiet: options.quiet ?? false,
      verbose: options.verbose,
      color: options.color,
    })
    const opened = openKnowledge(options.release, options.dataDir)
    noteStarter(opened, talk)
    const [input = '-'] = options.input ?? []
    await intoSink(options.output, (sink) => runPipe(localExecutor(opened.knowledge), sink, input))
    done(EXIT.ok)
  })
}
