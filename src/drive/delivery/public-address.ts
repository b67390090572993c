/** Public addresses: not loopback, not private, not reserved for special use.  [network] */
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Special purpose addresses (RFC 6890 and the registry it began). */
const SPECIAL_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Within what is global: tunnels, which hold an IPv4 address, and what is for documents. */
const SPECIAL_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, bits] of SPECIAL_V4) special.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of SPECIAL_V6) special.addSubnet(network, bits, 'ipv6')

/** Everything else of IPv6 is not handed out: loopback, mapped IPv4, local, multicast and translated addresses. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** False also for what is no address. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address)
  if (family === undefined || special.check(address, family)) return false
  return family === 'ipv4' || global.check(address, family)
}

export function isLoopbackAddress(address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && loopback.check(address, family) && !address.includes('::ffff:')
}

/** One with a zone is of a network that this machine is in. */
function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (isIP(address) === 0 || address.includes('%')) return undefined
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
