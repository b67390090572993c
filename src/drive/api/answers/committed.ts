/** Whether a request has changed the store: an answer that cannot be made then is no change that failed. */
import type { FastifyRequest } from 'fastify'
import type { CommandName } from '../../domain/commands.ts'
import type { Store } from '../../persistence/store.ts'
import type { DriveContext } from '../requests/call.ts'

/** What they write is only a step of what was asked for. */
const STEPS: ReadonlySet<string> = new Set<CommandName>([
  'tryUpload',
  'openUpload',
  'noteUpload',
  'cancelUpload',
])

const changed = new WeakSet<FastifyRequest>()

export function hasChanged(request: FastifyRequest): boolean {
  return changed.has(request)
}

/** The same store, which remembers that this request has changed it. */
export function notingChanges(drive: DriveContext, request: FastifyRequest): DriveContext {
  const { write, writePreparing } = drive.store
  const note = (command: string) => {
    if (!STEPS.has(command)) changed.add(request)
  }
  // a later one that was refused is what the answer is about
  const failed = (error: unknown): never => {
    changed.delete(request)
    throw error
  }
  const store: Store = {
    ...drive.store,
    write: <Result>(command: string, ...rest: readonly [Parameters<Store['write']>[1], unknown]) =>
      write<Result>(command, ...rest).then((result) => {
        note(command)
        return result
      }, failed),
    writePreparing(asked, prepare) {
      const state: { error?: unknown } = {}
      const trying: typeof prepare = (result) => {
        try {
          return prepare(result)
        } catch (error) {
          state.error = error
          throw error
        }
      }
      return writePreparing(asked, trying).catch((error: unknown) => {
        // it was given when the change was on disk
        if (error !== undefined && error === state.error) note(asked.command)
        else changed.delete(request)
        throw error
      })
    },
  }
  return { ...drive, store }
}
