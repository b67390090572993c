/** Help topic: what the exit status says. Pure. */
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

export function exitCodesTopic({ exits }: ManualFacts): Block[] {
  return [
    ...text(
      'The exit status is a contract: scripts may depend on it. Of several failures, the highest counts.',
    ),
    terms(exits),
    heading('Yes or no'),
    ...text(
      'A negative answer is not a mistake of the command line, as with `grep`: 1 says no, 2 says that the question was wrong.',
    ),
    session(
      { command: "hla validate -q -r starter 'A*01:01' && echo fine", output: 'valid\nfine' },
      {
        command: "hla validate -q -r starter 'A*01:01+' || echo no",
        output: 'malformed\tnothing after the last "+"\nno',
      },
      {
        command: "hla redux -r starter --metod G 'A*01:01' 2>&1 || echo wrong",
        output:
          'hla: error: unknown option "--metod"\n  Did you mean "--method"?   Run hla redux --help for all options.\nwrong',
      },
    ),
    heading('In pipelines'),
    ...text(
      'Every input gives one line also when it fails, so that lines stay beside their inputs. `set -o pipefail` makes the shell see a failure inside a pipe; `--exit-zero` ends a table with 0 although typings failed. When the reader of our output goes away, as `head` does, we end quietly with 141.',
    ),
  ]
}
