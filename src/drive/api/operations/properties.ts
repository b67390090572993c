/** The operations on properties of a file. */
import type { PropertyView } from '../../domain/items/file-view.ts'
import {
  type PropertyName,
  getProperty,
  listProperties,
  propertyEtag,
} from '../../domain/properties/properties.ts'
import { realId } from '../../domain/items/file-row.ts'
import {
  type Call,
  type CallAnswer,
  type Handlers,
  change,
  changeOnly,
  pathId,
  readCallBody,
  shown,
} from '../requests/call.ts'
import { listAnswer, listEtag } from '../answers/paging.ts'
import type { Links } from '../answers/json.ts'

export const PROPERTIES: Handlers = {
  'properties.list'(call) {
    const id = readFileId(call)
    const properties = listProperties(call.drive.store.read, call.caller, id)
    const etag = listEtag(properties.map((property) => JSON.stringify(property)))
    const items = properties.map((property) => propertyResource(property, id, call.links))
    return listAnswer(call, { kind: 'drive#propertyList', etag }, items)
  },
  'properties.get': (call) =>
    propertyAnswer(getProperty(call.drive.store.read, call.caller, readPropertyName(call)), call),
  async 'properties.insert'(call) {
    const { key = '', value, visibility } = readCallBody(call, 'Property')
    const name = { id: pathId(call, 'fileId'), key, value, visibility }
    return propertyAnswer(await change(call, 'putProperty', name), call)
  },
  'properties.patch': updateProperty,
  'properties.update': updateProperty,
  'properties.delete': (call) =>
    changeOnly(call, 'removeProperty', { ...readPropertyName(call), ifMatch: call.ifMatch }),
}

/** PUT and PATCH mean the same (spec 1). */
async function updateProperty(call: Call): Promise<CallAnswer> {
  const input = { ...readPropertyName(call), body: readCallBody(call, 'Property'), ifMatch: call.ifMatch }
  return propertyAnswer(await change(call, 'changeProperty', input), call)
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
  return shown(whole, whole.etag)
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
