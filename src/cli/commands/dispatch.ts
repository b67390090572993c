/** From a command that was declared to what it does. */
import type { Command } from 'commander'
import { writeAll } from '../../io/stdout.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { EXIT } from '../exit-status.ts'
import type { VerifyOptions } from '../options/declare/provenance.ts'
import type { ServeOptions } from '../options/declare/serve.ts'
import type { GlobalOptions } from '../options/options.ts'
import { refuseEmptyOptions } from '../options/empty-options.ts'
import { applySettings, namingSource } from '../run/settings.ts'
import type { Actions } from './actions.ts'
import { DATA_ACTIONS } from './data.ts'
import { runOperationCommand } from './operation.ts'
import { runPipeCommand } from './pipe.ts'

const settings = () => import('../run/config/config-command.ts')

const ACTIONS: Actions = {
  ...DATA_ACTIONS,
  pipe: (_, command) => runPipeCommand(command.opts<GlobalOptions>()),
  serve: async (_, command) => (await import('../run/serve/serve.ts')).serve(command.opts<ServeOptions>()),
  'provenance verify': async ([file = ''], command) =>
    (await import('../run/provenance/verify.ts')).verifyProvenance(file, command.opts<VerifyOptions>()),
  'config list': async (words, command) => (await settings()).listSettings(words, command.opts()),
  'config get': async (words, command) => (await settings()).getSetting(words, command.opts()),
  'config set': async (words, command) => (await settings()).setSetting(words, command.opts()),
  'config unset': async (words, command) => (await settings()).unsetSetting(words, command.opts()),
  'config path': async (words, command) => (await settings()).printPath(words, command.opts()),
  'config check': async (words, command) => (await settings()).checkFiles(words, command.opts()),
  async completion([shell]) {
    const { COMPLETION_SCRIPTS } = await import('../../manual/completion/scripts.ts')
    // one of the choices of its argument
    writeAll(1, COMPLETION_SCRIPTS[shell as keyof typeof COMPLETION_SCRIPTS])
    return EXIT.ok
  },
  man: async (words) => (await import('../run/manual/show.ts')).showPage(words),
}

/** They are about settings, or answer the same whatever these are. */
const WITHOUT_SETTINGS = /^(?:config|completion|man)\b/

/** Gives the commands of a program what they do; `words` are the command line, `isGuess`: not as it was typed. The exit status goes to `done`. */
export function addActions(
  program: Command,
  line: { readonly words: readonly string[]; readonly isGuess: boolean },
  done: (status: number) => void,
): void {
  for (const [command, path] of leaves(program)) {
    const operation = OPERATIONS.find(({ name }) => name === path)
    const run = async (...given: unknown[]) => {
      refuseEmptyOptions(command)
      if (!WITHOUT_SETTINGS.test(path)) await applySettings(command)
      if (operation !== undefined) return done(await runOperationCommand(command, operation, given, line))
      const action = ACTIONS[path] ?? (await import('./drive.ts')).DRIVE_ACTIONS[path]
      if (action === undefined) throw new Error(`the command ${path} does nothing`)
      // the arguments, then the options and the command
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

/** Commands that have none below them, with their words. */
function leaves(command: Command, path: readonly string[] = []): [Command, string][] {
  if (command.commands.length === 0) return [[command, path.join(' ')]]
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
}
