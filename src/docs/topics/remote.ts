/** Help topic: letting a service answer. Pure. */
import { type CommandFacts, type OptionFacts, withSubcommands } from '../command-facts.ts'
import { optionTerm } from '../command-page.ts'
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

export function remoteTopic({ program }: ManualFacts): Block[] {
  return [
    ...text(
      'With `--remote URL` a service answers instead of the data installed here: `hla serve`, or any that knows the HLA Allele Reduction Service. What is printed, the exit status and the errors are the same, byte for byte, when the data are the same. Tables too: `hla serve` is asked about their distinct typings a thousand at a time.',
    ),
    session({
      command: "hla redux --remote http://127.0.0.1:9 --retries 0 'A*01:01' 2>&1",
      output: 'hla: error: cannot reach http://127.0.0.1:9: connection refused (1 attempt)',
      exit: 5,
    }),
    heading('Which data answer'),
    ...text(
      'The service is asked first which release it has. Where `-r` asks for another, the command ends with exit status 6 before the first answer; the same when the release changes during a run.',
    ),
    heading('Failures'),
    ...text(
      'Every question is a reading, so each is asked again after a lost connection, a timeout, or the statuses 429, 502, 503 and 504: at most `--retries` times, with growing pauses, or when the service says. After that the exit status is 5.',
    ),
    heading('Secrets'),
    ...text(
      'A token never stands on the command line: `--header-file` names a file with a line such as `Authorization: Bearer …`. Over http:// to another machine typings travel unencrypted, and a warning says so.',
    ),
    heading('Options'),
    terms(remoteOptionsOf(program).map(optionTerm)),
  ]
}

/** Those that say that they belong to it. */
function remoteOptionsOf(program: CommandFacts): OptionFacts[] {
  const all = withSubcommands(program).flatMap(({ options }) => options)
  const found = all.filter(
    ({ long, description }) => long === '--remote' || description.startsWith('with --remote'),
  )
  return [...new Map(found.map((option) => [option.long, option])).values()]
}
