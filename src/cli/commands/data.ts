/** What the commands of `hla data` do. */
import type { Command } from 'commander'
import { compileFiles } from '../../reference/compile/compile-files.ts'
import type { DataOptions } from '../options/declare/data.ts'
import type { DataContext } from '../run/data/context.ts'
import { isTerminal, tell, writeAll } from '../../io/stdout.ts'
import type { Actions } from './actions.ts'

type Run = (
  context: DataContext,
  argument: string | undefined,
  options: DataOptions,
) => Promise<number> | number

function data(run: Run): Actions[string] {
  return ([argument], command: Command) => {
    const options = command.optsWithGlobals<DataOptions>()
    return run(makeContext(options), argument, options)
  }
}

export const DATA_ACTIONS: Actions = {
  'data install': data(async (context, release = '', options) => {
    const { installCommand } = await import('../run/data/install.ts')
    const mac = options.mac === true ? undefined : options.mac
    return installCommand(context, release, { ...options, mac } as Parameters<typeof installCommand>[2])
  }),
  'data mac': data(async (context, source, { check }) => {
    const { checkMacCommand, macCommand } = await import('../run/data/mac.ts')
    return check === true ? checkMacCommand(context, source) : macCommand(context, source)
  }),
  'data catalogue': data(async (context, name = '', { from }) =>
    (await import('../run/data/catalogue.ts')).catalogueCommand(context, name, from),
  ),
  'data use': data(async (context, release = '') =>
    (await import('../run/data/use.ts')).useCommand(context, release),
  ),
  'data remove': data(async (context, release = '') =>
    (await import('../run/data/remove.ts')).removeCommand(context, release),
  ),
  'data list': data(async (context, _, options) =>
    (await import('../run/data/list.ts')).listCommand(context, options),
  ),
  'data verify': data(async (context, release, options) =>
    (await import('../run/data/verify.ts')).verifyCommand(context, release, options),
  ),
  'data info': data(async (context, release) =>
    (await import('../run/data/info.ts')).infoCommand(context, release),
  ),
  'data path': data(async (context, release) =>
    (await import('../run/data/path.ts')).pathCommand(context, release),
  ),
}

function makeContext({ dataDir }: DataOptions): DataContext {
  return {
    dataDir,
    stdout: (text) => writeAll(1, text),
    stderr: tell,
    isTerminal: isTerminal(2),
    compile: compileFiles,
  }
}
