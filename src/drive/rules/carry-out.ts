/**
 * Process that runs a rule once, as the rule's maker: converts tables changed since its last run.  [network, process]
 */
import { adviceText } from '../../advice.ts'
import { errorMessage, HlaError, isHlaError } from '../../errors.ts'
import { getFile } from '../client/files.ts'
import { openConnection } from '../client/connection.ts'
import { DEFAULT_DRIVE } from '../client/options.ts'
import type { RuleTerms } from '../domain/rules/rule-rows.ts'
import { METHOD_NAMES } from '../../engine/reduce/methods.ts'
import { globTest } from '../../glob.ts'
import type { DriveClient } from '../commands/files/connect.ts'
import { openKnowledge } from '../../cli/run/open-knowledge.ts'
import { complainAboutTable } from './complaints.ts'
import { commandTemplate, openFolderRule, readRuleCommand } from './open-folder-rule.ts'
import { checkTemplate } from './output-name.ts'
import { convertChanges } from './convert-changes.ts'
import type { FolderRule } from './folder-rule.ts'
import type { FromRule, RuleJob, RuleRun } from './messages.ts'

/** Handles one message, then exits. */
export function serveRule(): Promise<void> {
  // the server has stopped: the next one continues
  process.on('disconnect', () => process.exit(0))
  return new Promise((resolve) => {
    // the server sends this type
    process.once('message', (job: RuleJob) => {
      void answer(job)
        .catch((error: unknown): FromRule => ({
          refused: isHlaError(error) ? withHint(error) : errorMessage(error),
          isUsage: isHlaError(error) && USAGE.has(error.code),
        }))
        .then((last) => {
          process.send?.(last, () => process.disconnect())
          resolve()
        })
    })
  })
}

const USAGE: ReadonlySet<string> = new Set(['usage', 'bad-request', 'unknown-method', 'unknown-release'])

function answer(job: RuleJob): Promise<FromRule> {
  return job.kind === 'check' ? check(job.given) : run(job)
}

/** @throws {HlaError} usage, unknown-release, no-data */
async function check({ method = 'lgx', release, name, match }: Partial<RuleTerms>): Promise<FromRule> {
  if (!METHOD_NAMES.some((known) => known === method))
    throw new HlaError('unknown-method', `there is no method ${method}: ${METHOD_NAMES.join(', ')}`)
  if (release !== undefined && !/^[0-9a-z][0-9a-z.-]{0,39}$/i.test(release))
    throw new HlaError('unknown-release', `${release} is not a release`)
  if (match !== undefined) globTest(match, { choices: true })
  const command = await readRuleCommand(ruleWords({ method, release }))
  openData(command.options)
  const template = name === undefined ? commandTemplate(command) : checkTemplate(name)
  return { checked: { method, release, name: template, match } }
}

/**
 * Refuses the starter set, whose lists are incomplete, unless the operator chose it.
 * @throws {HlaError} no-data, unknown-release
 */
function openData({ release, dataDir }: { readonly release: string; readonly dataDir?: string }): void {
  if (!openKnowledge(release, dataDir).isFallback) return
  throw new HlaError('no-data', 'this server has no release of HLA data', {
    hint: 'its operator installs one with hla data install',
  })
}

function ruleWords({ method, release }: Pick<RuleTerms, 'method' | 'release'>): string[] {
  return ['redux', '-m', method, ...(release === undefined ? [] : ['-r', release])]
}

/** @throws {HlaError} no-data; refusals of the store */
async function run(job: RuleRun): Promise<FromRule> {
  const { url, token, terms, rule, mostBytes } = job
  const words = ruleWords(terms)
  const command = await readRuleCommand(words)
  openData(command.options)
  const connection = await openConnection({ ...DEFAULT_DRIVE, url, token })
  const drive: DriveClient = { connection, retries: DEFAULT_DRIVE.retries }
  try {
    const folder = await getFile(connection, job.folder)
    const to = job.target === job.folder ? folder : await getFile(connection, job.target)
    const places = { folder, path: `${folder.title}/`, to, toPath: `${to.title}/` }
    const { name, match, withSubfolders: isRecursive = false } = terms
    const asked = { ...places, words, command, name, match, isRecursive, rule, mostBytes }
    const { folderRule, close } = await openFolderRule(drive, {
      ...asked,
      told: tellServer,
      state: keptByServer(job),
    })
    try {
      await sayGivenUp(folderRule, job)
      const { heldUp } = await convertChanges(folderRule)
      const again = heldUp === undefined ? undefined : HELD_UP
      const waits = folderRule.state.now().empty === undefined ? undefined : PATIENCE
      return { done: true, trouble: heldUp && withHint(heldUp), again: again ?? waits }
    } finally {
      await close()
    }
  } finally {
    await connection.close()
  }
}

/** Times in ms: before a refused table is retried, and before an empty table is checked again. */
const HELD_UP = 30_000
const PATIENCE = 60_000

function tellServer(news: Parameters<NonNullable<FolderRule['told']>>[0]): void {
  send(
    'begun' in news
      ? { begun: { file: news.begun.id, revision: news.begun.revision ?? '' } }
      : { outcome: news.outcome },
  )
}

function keptByServer({ progress: { pageToken, empty } }: RuleRun): FolderRule['state'] {
  let state = { pageToken, empty }
  return {
    now: () => state,
    change(change) {
      state = { ...state, ...change }
      send({ state })
    },
  }
}

/** Comments on a table that took too long, or whose process crashed; the same content is not tried again. */
async function sayGivenUp(folderRule: FolderRule, { givenUp }: RuleRun): Promise<void> {
  if (givenUp === undefined) return
  const file = await getFile(folderRule.drive.connection, givenUp.file)
  if (file.revision === givenUp.revision)
    await complainAboutTable(folderRule, file, new HlaError('io', givenUp.why))
}

function send(message: FromRule): void {
  process.send?.(message)
}

function withHint({ message, ...error }: HlaError): string {
  const hint = adviceText(error.hint, 'command-line')
  return hint === undefined ? message : `${message} (${hint})`
}
