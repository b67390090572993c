/** THE LIST of commands that are not operations; each is a file. */
import { OPERATIONS } from '../../operations/registry.ts'
import type { CommandSpec, Program } from '../options/declare-command.ts'

interface ListedProgram extends Omit<Program, 'spec'> {
  readonly load: () => Promise<CommandSpec>
}

export const PROGRAMS: readonly ListedProgram[] = [
  { name: 'data', group: 'data', settings: 'applied', summary: 'Install, list, select and verify nomenclature releases', load: async () => (await import('./data.ts')).DATA },
  { name: 'drive', group: 'data', settings: 'applied', summary: 'Run, use and administer a file store', load: async () => (await import('../../drive/commands/drive.ts')).DRIVE },
  { name: 'pipe', group: 'data', settings: 'applied', summary: 'Answer requests in JSON Lines, as a co-process for other languages', load: async () => (await import('./pipe.ts')).PIPE },
  { name: 'provenance', group: 'data', settings: 'applied', summary: 'Check an output file against its provenance file', load: async () => (await import('./provenance.ts')).PROVENANCE },
  { name: 'serve', group: 'data', settings: 'applied', summary: 'Run the HTTP service', load: async () => (await import('./serve.ts')).SERVE },
  { name: 'config', group: 'meta', settings: 'edited', summary: 'Show and change settings, the default values of options', load: async () => (await import('./config.ts')).CONFIG },
  { name: 'completion', group: 'meta', summary: 'Print a completion script for bash, zsh or fish', load: async () => (await import('./completion.ts')).COMPLETION },
  { name: 'man', group: 'meta', summary: 'Show a page of the manual', load: async () => (await import('./man.ts')).MAN },
] // prettier-ignore

/** Every word that is valid as the first argument. */
export function commandNames(): string[] {
  return [...[...OPERATIONS, ...PROGRAMS].map(({ name }) => name), 'help']
}

/** All of them, with the file of the one named; without a name, with the file of each. */
export function loadPrograms(name?: string): Promise<readonly Program[]> {
  return Promise.all(
    PROGRAMS.map(async ({ load, ...program }) =>
      name === undefined || name === program.name ? { ...program, spec: await load() } : program,
    ),
  )
}
