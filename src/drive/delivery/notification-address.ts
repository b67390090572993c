/** Addresses to which notifications may be sent (spec 16).  [network] */
import { type LookupFunction, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { StorageFailure, invalid, required } from '../contract/failure.ts'
import { lookup } from 'node:dns/promises'

/** Allocated global range of IPv6. Everything else is local, multicast, translated or unassigned. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')

/** Excludes loopback, private and special-purpose addresses (RFC 6890 and its registries). Returns false for an invalid address. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  if (parsed?.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL)
}

export function isLoopbackAddress(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback'
}

/** Rejects IPv6 with a zone, which is link-local, and IPv4 in any form but four decimal parts. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  return ipaddr.IPv6.isValid(address) && !address.includes('%') ? ipaddr.IPv6.parse(address) : undefined
}

const MAX_ADDRESS_LENGTH = 2048

/** Checks the URL only. A host name is resolved when a message is sent to it. @throws 400 */
export function checkNotificationAddress(address: string | undefined, allowsLocal: boolean): void {
  if (address === undefined || address === '') throw required('address')
  if (address.length > MAX_ADDRESS_LENGTH)
    throw invalid(`The address is longer than ${MAX_ADDRESS_LENGTH} characters.`, 'address')
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined) throw invalid('The address is not a URL.', 'address')
  if (url.protocol !== 'https:' && !(allowsLocal && url.protocol === 'http:' && isLocalName(readHost(url))))
    throw new StorageFailure(400, 'push.webhookUrlNotHttps', 'WebHook callback must be HTTPS.', {
      location: 'address',
    })
  if (url.username !== '' || url.password !== '')
    throw invalid('The address must not contain a user name or password.', 'address')
  if (isIP(readHost(url)) !== 0 && !maySendTo(readHost(url), url, allowsLocal))
    throw invalid('The address is not publicly reachable.', 'address')
}

/** Tells whether a connection for this URL may go to this address. Plain http is allowed to this machine only. */
export function maySendTo(ip: string, { protocol }: URL, allowsLocal: boolean): boolean {
  if (allowsLocal && isLoopbackAddress(ip)) return true
  return protocol === 'https:' && isPublicAddress(ip)
}

/** Host name without the brackets of IPv6. */
export function readHost({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, '')
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host)
}

export interface FoundAddress {
  readonly address: string
  readonly family: number
}

export type Resolve = (hostname: string) => Promise<readonly FoundAddress[]>

export const resolveName: Resolve = (hostname) => lookup(hostname, { all: true })

/** Refuses a name if any of its addresses is not allowed. */
export function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (all) => {
        const [first] = all
        if (first === undefined) return callback(new Error(`${hostname} has no address`), '')
        const refused = all.find(({ address }) => !isAllowed(address))
        if (refused !== undefined)
          return callback(
            new Error(`${hostname} is ${refused.address}, an address that gets no notifications`),
            '',
          )
        if (options.all === true) return callback(null, [...all])
        return callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    )
  }
}
