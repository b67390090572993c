import { describe, expect, test } from 'vitest'
import { isLoopbackAddress, isPublicAddress } from '../../../src/drive/delivery/notification-address.ts'

describe('isPublicAddress', () => {
  test.for([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81a::200e',
  ])('%s is', (address) => expect(isPublicAddress(address)).toBe(true))

  test.for([
    // this machine, this network, unspecified
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.255',
    '::1',
    '::',
    // private, shared, link-local: the last is the metadata service of clouds
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    // special use
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    // IPv4 embedded in IPv6
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    // anycast (RFC 7535)
    '2620:4f:8000::1',
    '2001:0:7f00:1::',
    // not an IP address
    '',
    'localhost',
    '1.2.3',
    '0x7f.1',
    '2130706433',
    '127.0.0.1.',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('isLoopbackAddress', () => {
  test.for<[string, boolean]>([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', false],
    ['10.0.0.1', false],
    ['localhost', false],
  ])('%s: %s', ([address, is]) => expect(isLoopbackAddress(address)).toBe(is))
})
