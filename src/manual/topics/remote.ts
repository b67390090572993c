/** Help topic: answers from a service. Pure. */
import { type CommandFacts, type OptionFacts, withSubcommands } from '../command-facts.ts'
import { optionTerm } from '../command-page.ts'
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

export function remoteTopic({ program }: ManualFacts): Block[] {
  return [
    ...text(
      'With `--remote URL`, a service answers instead of the locally installed data: `hla serve`, or any other implementation of the HLA Allele Reduction Service. With the same data, the output, the errors and the exit status are the same, byte for byte. This includes tables: hla sends their distinct typings to the service, a thousand per request.',
    ),
    session({
      command: "hla redux --remote http://127.0.0.1:9 --network retries=0 'A*01:01' 2>&1",
      output: 'hla: error: cannot reach http://127.0.0.1:9: connection refused (1 attempt)',
      exit: 5,
    }),
    heading('Which data answer'),
    ...text(
      'The service is first asked for its release. If `-r` names another one, the command ends with exit status 6 before the first answer, and so it does if the release changes during a run.',
    ),
    heading('Failures'),
    ...text(
      'Requests change nothing, so they are repeated after a lost connection, a timeout, or status 429, 502, 503 or 504: at most `--network retries=N` times, after increasing delays, or after the delay that the service asks for. If all attempts fail, the exit status is 5. A service that has answered may restart: unless `retries` is given, it is tried for two minutes from its first failure. An answer of more than 64 MiB is abandoned, and its batch asked again in halves.',
    ),
    heading('Secrets'),
    ...text(
      'Tokens are never given on the command line: `--header-file` names a file with a line such as `Authorization: Bearer …`. Over http:// to another machine typings travel unencrypted, and a warning says so.',
    ),
    heading('Options'),
    terms(findRemoteOptions(program).map(optionTerm)),
  ]
}

/** Options whose description says that they belong to --remote. */
function findRemoteOptions(program: CommandFacts): OptionFacts[] {
  const all = withSubcommands(program).flatMap(({ options }) => options)
  const found = all.filter(
    ({ long, description }) => long === '--remote' || description.startsWith('with --remote'),
  )
  return [...new Map(found.map((option) => [option.long, option])).values()]
}
