/** Starts the process for one job of a rule, and passes on its messages until it ends.  [process, clock] */
import { type ChildProcess, fork } from 'node:child_process'
import { programWords } from '../../package-root.ts'
import { RULE_WORD } from '../../cli/worker-word.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import type { FromRule, RuleJob } from './messages.ts'

export interface RuleProcess {
  /** Resolves with the reason of the end; undefined after a normal exit with a final message. */
  readonly ended: Promise<string | undefined>
  readonly kill: () => void
}

/** Number of last characters of output that are kept. */
const KEPT = 1000

/** `data` is the server's, for rules without a release. */
export function startRuleProcess(
  job: RuleJob,
  { release, dataDir }: StoredData,
  hear: (message: FromRule) => void,
): RuleProcess {
  const [first, ...words] = programWords(RULE_WORD)
  const child: ChildProcess = fork(first, words, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
    env: {
      ...process.env,
      HLA_RELEASE: release,
      ...(dataDir === undefined ? {} : { HLA_DATA_DIR: dataDir }),
    },
  })
  let said = ''
  let hasFinished = false
  child.stderr?.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString()}`.slice(-KEPT)))
  child.on('message', (message: FromRule) => {
    hasFinished ||= 'done' in message || 'checked' in message || 'refused' in message
    hear(message)
  })
  child.send(job)
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('close', (status, signal) => {
      const why = `its process ended (${signal ?? status})${said === '' ? '' : `: ${said.trim()}`}`
      resolve(hasFinished ? undefined : why)
    })
  })
  return { ended, kill: () => child.kill('SIGKILL') }
}
