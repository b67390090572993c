/** The operations that open and stop push channels: files.watch, changes.watch, channels.stop. */
import { checkNotificationAddress } from '../../delivery/notification-address.ts'
import type { ChannelView } from '../../domain/channels/channels.ts'
import type { ChannelBody } from '../../contract/bodies.ts'
import { required } from '../../contract/failure.ts'
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
import { readChangeSearch } from './changes.ts'
import { requestUrl } from '../answers/paging.ts'

export const CHANNELS: Handlers = {
  async 'files.watch'(call) {
    const watch = { body: readChannelBody(call), file: pathId(call, 'fileId'), link: call.links.file('') }
    return channelAnswer(await change(call, 'watchFile', watch), call)
  },
  /** With a page token, existing entries after it are notified at once. */
  async 'changes.watch'(call) {
    const { pageToken, startChangeId } = call.parameters
    const { from, most: _most, ...search } = readChangeSearch(call)
    const isGiven = pageToken !== undefined || startChangeId !== undefined
    const watch = { search, from: isGiven ? from : undefined, uri: channelResourceUri(call) }
    return channelAnswer(await change(call, 'watchChanges', { body: readChannelBody(call), ...watch }), call)
  },
  'channels.stop'(call) {
    const { id = '', resourceId = '' } = readCallBody(call, 'Channel')
    if (id === '') throw required('id')
    if (resourceId === '') throw required('resourceId')
    return changeOnly(call, 'stopChannel', { id, resource: resourceId })
  },
}

function readChannelBody(call: Call): ChannelBody {
  const body = readCallBody(call, 'Channel')
  checkNotificationAddress(body.address, call.drive.options.notifiesLocally)
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
  return shown({
    kind: 'api#channel',
    id,
    resourceId,
    resourceUri: uri,
    ...(token === undefined ? {} : { token }),
    expiration: String(expires),
  })
}
