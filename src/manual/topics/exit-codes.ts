/** Help topic: exit statuses. Pure. */
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

export function exitCodesTopic({ exits }: ManualFacts): Block[] {
  return [
    ...text(
      'Scripts may rely on the exit status. If there are several failures, the highest status is used.',
    ),
    terms(exits),
    heading('Yes or no'),
    ...text(
      'As with `grep`, a negative answer is not an error in the command line: 1 means no, 2 means that the question was wrong.',
    ),
    session(
      { command: "hla validate -q 'A*01:01' && echo fine", output: 'valid\nfine' },
      {
        command: "hla validate -q 'A*01:01+' || echo no",
        output: 'malformed\tnothing after the last "+"\nno',
      },
      {
        command: "hla redux --metod G 'A*01:01' 2>&1 || echo wrong",
        output:
          'hla: error: unknown option "--metod"\n  Did you mean "--method"?   Run hla redux --help for all options.\nwrong',
      },
    ),
    heading('In pipelines'),
    ...text(
      'Every input gives one line even if it fails, so that results stay aligned with their inputs. `set -o pipefail` makes the shell report a failure inside a pipe; `--exit-zero` makes a table conversion exit with 0 even if typings failed. When the reader of the output stops, as `head` does, hla ends quietly with 141.',
    ),
  ]
}
