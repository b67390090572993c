/** The operations on properties of a file. */
import { command } from '../../domain/commands.ts'
import type { PropertyView } from '../../domain/items/file-view.ts'
import {
  type PropertyName,
  getProperty,
  listProperties,
  propertyEtag,
} from '../../domain/properties/properties.ts'
import { realId } from '../../domain/items/file-row.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type Call, type CallAnswer, NOTHING, pathId, resource } from '../requests/call.ts'
import { requestUrl, listAnswer, listEtag } from '../answers/paging.ts'
import type { Links } from '../answers/json.ts'

export function listAllProperties(call: Call): CallAnswer {
  const { drive, caller, links } = call
  const id = readFileId(call)
  const properties = listProperties(drive.store.read, caller, id)
  const etag = listEtag(properties.map((property) => JSON.stringify(property)))
  return listAnswer({
    etag,
    envelope: { kind: 'drive#propertyList', etag, selfLink: requestUrl(call) },
    items: (selection) =>
      properties.map((property) => selectFields(propertyResource(property, id, links), selection)),
  })
}

export function getOneProperty(call: Call): CallAnswer {
  return propertyAnswer(getProperty(call.drive.store.read, call.caller, readPropertyName(call)), call)
}

export async function insertProperty(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body } = call
  const { key = '', value, visibility } = readMethodBody(method, 'Property', body)
  const name = { id: pathId(call, 'fileId'), key, value, visibility }
  return propertyAnswer(await command(drive.store, 'putProperty', caller, name), call)
}

/** PUT and PATCH mean the same (spec 1). */
export async function updateProperty(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body, ifMatch } = call
  const change = { ...readPropertyName(call), body: readMethodBody(method, 'Property', body), ifMatch }
  return propertyAnswer(await command(drive.store, 'changeProperty', caller, change), call)
}

export async function deleteProperty(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  await command(drive.store, 'removeProperty', caller, { ...readPropertyName(call), ifMatch })
  return NOTHING
}

function readPropertyName(call: Call): PropertyName {
  const { visibility } = call.parameters
  return { id: pathId(call, 'fileId'), key: pathId(call, 'propertyKey'), visibility }
}

/** Resolves an alias, because links and etags contain the id. */
function readFileId(call: Call): string {
  return realId(call.drive.store.read, call.caller, pathId(call, 'fileId'))
}

function propertyAnswer(property: PropertyView, call: Call): CallAnswer {
  const whole = propertyResource(property, readFileId(call), call.links)
  return resource(whole.etag, (selection) => selectFields(whole, selection))
}

export function propertyResource({ key, value, isPublic }: PropertyView, file: string, links: Links) {
  const visibility = isPublic ? 'PUBLIC' : 'PRIVATE'
  return {
    kind: 'drive#property',
    etag: propertyEtag({ key, value, isPublic }, file),
    selfLink: links.to(`files/${file}/properties/${encodeURIComponent(key)}?visibility=${visibility}`),
    key,
    value,
    visibility,
  }
}
