/** Connects declared commands to their actions. */
import type { Command } from 'commander'
import { writeOut } from '../../io/stdout.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { EXIT } from '../../io/exit-status.ts'
import type { VerifyOptions } from '../options/declare/provenance.ts'
import type { ServeOptions } from '../options/declare/serve.ts'
import type { GlobalOptions } from '../options/options.ts'
import { applySettings, namingSource, noteNamedRelease } from '../run/settings.ts'
import type { Action, Actions } from './actions.ts'
import { runOperationCommand } from './operation.ts'
import { runPipeCommand } from './pipe.ts'
import type { ConfigFlags } from '../options/declare/config.ts'
import type { DataOptions } from '../options/declare/data.ts'
import { HlaError } from '../../errors.ts'

type Run = (argument: never, options: DataOptions) => Promise<number> | number

function data<Part>(load: () => Promise<Part>, choose: (part: Part) => Run): Action {
  return async ([argument], command) => {
    const options = command.optsWithGlobals<DataOptions>()
    // commander has checked that an argument is given where the command declares it
    return choose(await load())(argument as never, options)
  }
}

const installing = () => import('../run/data/install.ts')
const installed = () => import('../run/data/installed.ts')

type Settings = (words: readonly string[], flags: ConfigFlags) => number

function settings(choose: (part: Awaited<ReturnType<typeof configuring>>) => Settings): Action {
  return async (words, command) => choose(await configuring())(words, command.opts())
}

const configuring = () => import('../run/config/config-command.ts')

const ACTIONS: Actions = {
  'data install': data(installing, ({ installCommand }) => installCommand),
  'data mac': data(installing, ({ macCommand }) => macCommand),
  'data catalogue': data(installing, ({ catalogueCommand }) => catalogueCommand),
  'data use': data(installed, ({ useCommand }) => useCommand),
  'data remove': data(installed, ({ removeCommand }) => removeCommand),
  'data list': data(installed, ({ listCommand }) => listCommand),
  'data verify': data(installed, ({ verifyCommand }) => verifyCommand),
  'data info': data(installed, ({ infoCommand }) => infoCommand),
  'data path': data(installed, ({ pathCommand }) => pathCommand),
  pipe: (_, command) => runPipeCommand(command.opts<GlobalOptions>()),
  serve: async (_, command) => (await import('../run/serve/serve.ts')).serve(command.opts<ServeOptions>()),
  'provenance verify': async ([file = ''], command) =>
    (await import('../run/provenance/verify.ts')).verifyProvenance(file, command.opts<VerifyOptions>()),
  'config list': settings(({ listSettings }) => listSettings),
  'config get': settings(({ getSetting }) => getSetting),
  'config set': settings(({ setSetting }) => setSetting),
  'config unset': settings(({ unsetSetting }) => unsetSetting),
  'config path': settings(({ printPath }) => printPath),
  'config check': settings(({ checkFile }) => checkFile),
  async completion([shell]) {
    const { COMPLETION_SCRIPTS } = await import('../../manual/completion/scripts.ts')
    // commander checks the argument against its choices
    writeOut(COMPLETION_SCRIPTS[shell as keyof typeof COMPLETION_SCRIPTS])
    return EXIT.ok
  },
  man: async (words) => (await import('../run/manual/show.ts')).showPage(words),
}

/** Commands that manage settings, or do not depend on them. */
const WITHOUT_SETTINGS = /^(?:config|completion|man)\b/

/**
 * Attaches actions to the commands of a program. `words` are the command line; `isGuess` marks a corrected one. Passes
 * the exit status to `done`.
 */
export function addActions(
  program: Command,
  line: { readonly words: readonly string[]; readonly isGuess: boolean },
  done: (status: number) => void,
): void {
  for (const [command, path] of leaves(program)) {
    const operation = OPERATIONS.find(({ name }) => name === path)
    const run = async (...given: unknown[]) => {
      refuseEmptyOptions(command)
      refuseEmptyArguments(command, given, operation)
      if (!WITHOUT_SETTINGS.test(path)) await applySettings(command)
      if (operation !== undefined) await noteNamedRelease(command)
      if (operation !== undefined) return done(await runOperationCommand(command, operation, given, line))
      const action = ACTIONS[path] ?? (await import('../../drive/commands/actions.ts')).DRIVE_ACTIONS[path]
      if (action === undefined) throw new Error(`the command ${path} does nothing`)
      // arguments first, then the options and the command
      const texts = given.slice(0, command.registeredArguments.length).flat()
      done(
        await action(
          texts.filter((one) => typeof one === 'string'),
          command,
        ),
      )
    }
    command.action((...given: unknown[]) => namingSource(command, () => run(...given)))
  }
}

/** Leaf commands with their paths. */
function leaves(command: Command, path: readonly string[] = []): [Command, string][] {
  if (command.commands.length === 0) return [[command, path.join(' ')]]
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
}

/**
 * Refuses empty arguments, which scripts pass for unset variables. An empty typing is answered as a typing, and
 * `hla config set` may set an empty text.
 * @throws {HlaError} usage
 */
function refuseEmptyArguments(
  command: Command,
  given: readonly unknown[],
  operation: Operation | undefined,
): void {
  if (command.parent?.name() === 'config') return
  for (const [at, argument] of command.registeredArguments.entries()) {
    if (operation !== undefined && operation.leading?.includes(argument.name()) !== true) continue
    if (![given[at]].flat().includes('')) continue
    throw new HlaError('usage', `the argument ${argument.name()} is empty`, {
      hint: 'a variable of the script may be unset',
    })
  }
}

/** Options that accept an empty text. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['drb3', 'drb4', 'drb5'])

/**
 * Refuses empty values: `--remote "$URL"` with an unset variable would answer from local data.
 * @throws {HlaError} usage
 */
function refuseEmptyOptions(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'cli' || MAY_BE_EMPTY.has(name)) continue
    const texts: readonly unknown[] = [command.getOptionValue(name) as unknown].flat()
    // an empty text parses to an empty list
    if (texts.length > 0 && !texts.includes('')) continue
    const flag = option.long ?? option.flags
    throw new HlaError('usage', `${flag} is empty`, {
      offending: flag,
      hint: `leave ${flag} out, or give it a value: a variable of the script may be unset`,
    })
  }
}
