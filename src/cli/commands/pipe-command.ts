/** `hla pipe`: options and start of the co-process. */
import type { Command } from 'commander'
import { EXIT } from '../exit-status.ts'
import { addExamples } from '../help.ts'
import { reportBug } from '../report-bug.ts'
import { openDoor } from '../io/door.ts'
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
    done(status)
  })
  addExamples(command, EXAMPLES)
}

const EXAMPLES = [
  {
    command: `echo '{"op":"redux","gl_string":"A*01:01:01+A*02:01","reduction_method":"lgx"}' | hla pipe`,
    output:
      '{"gl_string":"A*01:01:01+A*02:01","reduction_method":"lgx","ard":"A*01:01+A*02:01","ipd_version":3580,"status":"ok"}',
  },
  {
    command: `printf '%s\\n' '{"op":"mac","gl_string":"A*01:AB"}' '{"op":"splits","allele":"B14"}' | hla pipe`,
    output: `{"mac":"A*01:AB","gl_string":"A*01:01/A*01:02","alleles":["A*01:01","A*01:02"],"direction":"expand"}
{"allele":"B14","broad":"B14","splits":["B64","B65"]}`,
  },
]
