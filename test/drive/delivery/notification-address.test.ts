import { describe, expect, test } from 'vitest'
import {
  checkNotificationAddress,
  checkedLookup,
  resolveName,
} from '../../../src/drive/delivery/notification-address.ts'
import type { FoundAddress } from '../../../src/drive/delivery/notification-address.ts'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'

function reasonOf(address: string | undefined, allowsLocal: boolean): string {
  try {
    checkNotificationAddress(address, allowsLocal)
    return 'taken'
  } catch (error) {
    return isStorageFailure(error) ? error.reason : String(error)
  }
}

const ofLength = (length: number) => 'https://example.org/'.padEnd(length, 'x')

test.for<[string, string, string]>([
  ['', 'required', 'Required parameter: address'],
  [ofLength(2049), 'invalid', 'The address is longer than 2048 characters.'],
  ['hooks', 'invalid', 'The address is not a URL.'],
  ['http://example.org/', 'push.webhookUrlNotHttps', 'WebHook callback must be HTTPS.'],
  ['https://user@example.org/', 'invalid', 'The address must not contain a user name or password.'],
  ['https://10.0.0.1/', 'invalid', 'The address is not publicly reachable.'],
])('%s is refused with %s: %s', ([address, reason, message]) => {
  expect(() => checkNotificationAddress(address, false)).toThrow(
    expect.objectContaining({
      status: 400,
      reason,
      message,
      details: expect.objectContaining({ location: 'address' }) as object,
    }),
  )
})

describe('checkNotificationAddress', () => {
  test.for<[string | undefined, string, string]>([
    // address, result, result with local addresses allowed
    ['https://hooks.example.org/x?y=1', 'taken', 'taken'],
    ['https://8.8.8.8:8443/', 'taken', 'taken'],
    ['HTTPS://Example.ORG', 'taken', 'taken'],
    [undefined, 'required', 'required'],
    ['', 'required', 'required'],
    ['hooks', 'invalid', 'invalid'],
    ['https://', 'invalid', 'invalid'],
    [`https://example.org/${'x'.repeat(2048)}`, 'invalid', 'invalid'],
    [ofLength(2048), 'taken', 'taken'],
    [ofLength(2049), 'invalid', 'invalid'],
    ['https://user:secret@example.org/', 'invalid', 'invalid'],
    ['https://user@example.org/', 'invalid', 'invalid'],
    ['https://:secret@example.org/', 'invalid', 'invalid'],
    ['http://example.org/', 'push.webhookUrlNotHttps', 'push.webhookUrlNotHttps'],
    ['ftp://example.org/', 'push.webhookUrlNotHttps', 'push.webhookUrlNotHttps'],
    ['file:///etc/passwd', 'push.webhookUrlNotHttps', 'push.webhookUrlNotHttps'],
    ['http://127.0.0.1:8080/', 'push.webhookUrlNotHttps', 'taken'],
    ['http://localhost:8080/', 'push.webhookUrlNotHttps', 'taken'],
    ['http://[::1]/', 'push.webhookUrlNotHttps', 'taken'],
    ['https://127.0.0.1/', 'invalid', 'taken'],
    ['https://[::1]/', 'invalid', 'taken'],
    // browsers read all of these as 127.0.0.1
    ['https://2130706433/', 'invalid', 'taken'],
    ['https://0x7f.1/', 'invalid', 'taken'],
    ['https://0177.0.0.1/', 'invalid', 'taken'],
    ['https://127.1/', 'invalid', 'taken'],
    ['https://10.0.0.1/', 'invalid', 'invalid'],
    ['http://10.0.0.1/', 'push.webhookUrlNotHttps', 'push.webhookUrlNotHttps'],
    ['https://169.254.169.254/latest/meta-data', 'invalid', 'invalid'],
    ['https://[fe80::1]/', 'invalid', 'invalid'],
    ['https://[fd00::1]/', 'invalid', 'invalid'],
    ['https://[::ffff:10.0.0.1]/', 'invalid', 'invalid'],
    ['https://[::ffff:127.0.0.1]/', 'invalid', 'invalid'],
    ['https://[64:ff9b::7f00:1]/', 'invalid', 'invalid'],
  ])('%s', ([address, usually, locally]) => {
    expect([reasonOf(address, false), reasonOf(address, true)]).toEqual([usually, locally])
  })
})

describe('checkedLookup', () => {
  const [public4, public6, local] = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
    { address: '10.0.0.1', family: 4 },
  ] as const
  const refusal = new Error('a.example is 10.0.0.1, an address that gets no notifications')

  /** Arguments of the callback. */
  const lookedUp = (found: readonly FoundAddress[] | Error, all: boolean) =>
    new Promise((resolve) => {
      const lookup = checkedLookup(
        () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found)),
        (address) => address !== local.address,
      )
      lookup('a.example', { all }, (...given: unknown[]) => resolve(given))
    })

  test.for([
    ['one', false, [public6, public4], [null, '2606:4700::1', 6]],
    ['all', true, [public6, public4], [null, [public6, public4]]],
    ['none', false, [], [new Error('a.example has no address'), '']],
    ['none of all', true, [], [new Error('a.example has no address'), '']],
    ['one that is not allowed', false, [local], [refusal, '']],
    ['a second that is not allowed', false, [public4, local], [refusal, '']],
    ['all, of which one is not allowed', true, [local, public4], [refusal, '']],
    ['a failure', true, new Error('ENOTFOUND'), [new Error('ENOTFOUND'), '']],
  ] as const)('%s', async ([, all, found, given]) => expect(await lookedUp(found, all)).toEqual(given))
})

test('a name is resolved to all of its addresses', async () => {
  const found = await resolveName('localhost')
  expect(found).toContainEqual(
    expect.objectContaining({ address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/) as string }),
  )
})
