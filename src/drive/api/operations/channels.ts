/** The operations that open and stop push channels: files.watch, changes.watch, channels.stop. */
import { checkNotificationAddress } from '../../delivery/notification-address.ts'
import type { ChannelView } from '../../domain/channels/channels.ts'
import { command } from '../../domain/commands.ts'
import type { ChannelBody } from '../../contract/bodies.ts'
import { required } from '../../contract/failure.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type CallAnswer, type Call, pathId, NOTHING, resource } from '../requests/call.ts'
import { readChangeSearch } from './changes.ts'
import { requestUrl } from '../answers/paging.ts'

export async function watchOneFile(call: Call): Promise<CallAnswer> {
  const { drive, caller, links } = call
  const watch = { body: readChannelBody(call), file: pathId(call, 'fileId'), link: links.file('') }
  return channelAnswer(await command(drive.store, 'watchFile', caller, watch), call)
}

/** With a page token, existing entries after it are notified at once. */
export async function watchAllChanges(call: Call): Promise<CallAnswer> {
  const { drive, caller, parameters } = call
  const { from, most: _most, ...search } = readChangeSearch(call)
  const isGiven = parameters.pageToken !== undefined || parameters.startChangeId !== undefined
  const watch = {
    body: readChannelBody(call),
    search,
    from: isGiven ? from : undefined,
    uri: channelResourceUri(call),
  }
  return channelAnswer(await command(drive.store, 'watchChanges', caller, watch), call)
}

export async function stopChannel(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body } = call
  const { id = '', resourceId = '' } = readMethodBody(method, 'Channel', body)
  if (id === '') throw required('id')
  if (resourceId === '') throw required('resourceId')
  await command(drive.store, 'stopChannel', caller, { id, resource: resourceId })
  return NOTHING
}

function readChannelBody({ drive, method, body: bytes }: Call): ChannelBody {
  const body = readMethodBody(method, 'Channel', bytes)
  checkNotificationAddress(body.address, drive.options.notifiesLocally)
  return body
}

/** Maximum characters of a query: receivers refuse long headers. */
const MAX_QUERY_LENGTH = 2000

/** URI of the watched list, without a query that is too long. */
function channelResourceUri(call: Call): string {
  const [, query = ''] = requestUrl(call).split('?')
  const uri = `${call.links.to('changes')}?alt=json`
  return query === '' || query.length > MAX_QUERY_LENGTH ? uri : `${uri}&${query}`
}

function channelAnswer(
  { id, resource: resourceId, uri, token, expires }: ChannelView,
  call: Call,
): CallAnswer {
  call.drive.deliverer.wake()
  const channel = {
    kind: 'api#channel',
    id,
    resourceId,
    resourceUri: uri,
    ...(token === undefined ? {} : { token }),
    expiration: String(expires),
  }
  return resource(undefined, (selection) => selectFields(channel, selection))
}
