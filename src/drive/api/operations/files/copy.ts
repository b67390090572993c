/** files.copy. */
import { findSource } from '../../../domain/revisions/file-contents.ts'
import { command } from '../../../domain/commands.ts'
import type { ConvertedSource } from '../../../domain/files/copy-file.ts'
import type { FileBody } from '../../../contract/bodies.ts'
import { isNativeDocument } from '../../../contract/kinds.ts'
import { readMethodBody } from '../../../protocol/bodies/body.ts'
import { documentOf } from '../../conversion/wanted.ts'
import { type CallAnswer, type Call, idIn } from '../../requests/call.ts'
import { fileAnswer } from './files.ts'

export async function copyFile(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, parameters } = call
  const body = readMethodBody(method, 'File', call.body)
  const view = await command(drive.store, 'copyFile', caller, {
    id: idIn(call, 'fileId'),
    body,
    isPinned: parameters.pinned,
    converted: await convertedSource(call, body),
  })
  return fileAnswer(view, call)
}

/** Undefined: the copy is what the source is. @throws 400, 413 */
async function convertedSource(call: Call, body: FileBody): Promise<ConvertedSource | undefined> {
  const { drive, caller, parameters } = call
  const asked = body.mimeType !== undefined && isNativeDocument(body.mimeType) ? body.mimeType : undefined
  if (parameters.convert !== true && asked === undefined) return undefined
  const source = findSource(drive.store.read, caller, idIn(call, 'fileId'))
  // the command says what is wrong with it
  if (source === undefined) return undefined
  const wanted = documentOf({ body, type: source.mime, name: source.title }, asked)
  await drive.conversions.check(source.blob, wanted, source.title)
  return { ...wanted, sha256: source.blob.sha256 }
}
