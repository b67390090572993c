/** files.copy and files.export. */
import { fileToRead } from '../../../domain/access/access.ts'
import { command } from '../../../domain/commands.ts'
import { badRequest, StorageFailure } from '../../../contract/failure.ts'
import { readMethodBody } from '../../../protocol/bodies/body.ts'
import { type CallAnswer, type Call, idIn } from '../../requests/call.ts'
import { fileAnswer, refuseConversion } from './files.ts'

export async function copyFile(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, parameters, body } = call
  refuseConversion(call)
  const view = await command(drive.store, 'copyFile', caller, {
    id: idIn(call, 'fileId'),
    body: readMethodBody(method, 'File', body),
    isPinned: parameters.pinned,
  })
  return fileAnswer(view, call)
}

/** There are no documents that could be exported (spec 21, level A). @throws always */
export function exportFile(call: Call): CallAnswer {
  const file = fileToRead(call.drive.store.read, call.caller, idIn(call, 'fileId'))
  const message = 'Export only supports documents; this file can be downloaded.'
  if (file.kind === 'file') throw badRequest(message, 'fileId')
  throw new StorageFailure(403, 'fileNotExportable', message)
}
