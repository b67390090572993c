/** The operations files.trash, untrash, emptyTrash and touch. */
import { command } from '../../../domain/commands.ts'
import { type CallAnswer, type Call, idIn, NOTHING } from '../../requests/call.ts'
import { fileAnswer } from './files.ts'

export async function trash(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  return fileAnswer(
    await command(drive.store, 'trashFile', caller, { id: idIn(call, 'fileId'), ifMatch }),
    call,
  )
}

export async function untrash(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  const view = await command(drive.store, 'untrashFile', caller, { id: idIn(call, 'fileId'), ifMatch })
  return fileAnswer(view, call)
}

export async function touch(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  return fileAnswer(
    await command(drive.store, 'touchFile', caller, { id: idIn(call, 'fileId'), ifMatch }),
    call,
  )
}

export async function emptyTrash({ drive, caller, parameters }: Call): Promise<CallAnswer> {
  await command(drive.store, 'emptyTrash', caller, { drive: parameters.driveId })
  return NOTHING
}
