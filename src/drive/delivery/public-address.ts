/** Public addresses: not loopback, not private, not reserved for special use (RFC 6890 and the registries it began). */
import ipaddr from 'ipaddr.js'

/** What of IPv6 is handed out: all else is local, multicast, translated or not given to anybody. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')

/** False also for what is no address. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  if (parsed?.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL)
}

export function isLoopbackAddress(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback'
}

/** One with a zone is of a network that this machine is in; IPv4 has four decimal parts. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  return ipaddr.IPv6.isValid(address) && !address.includes('%') ? ipaddr.IPv6.parse(address) : undefined
}
