/** How long codes of programs, sign-ins of devices and wrong passwords count, by the clock of the store. */
import { createHash, scryptSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import type { PurgeInput, Purged } from '../../../src/drive/domain/upkeep/purge-step.ts'
import { purgeAll } from '../../../src/drive/domain/upkeep/purge.ts'
import { attemptSubjects, describeWait, isPassword } from '../../../src/drive/domain/sign-in/passwords.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let library: Library
let ada: Caller
beforeAll(async () => {
  library = await openLibrary(temp('library'))
  ;[ada] = library.callers
})
beforeEach(() => library.reset())
afterAll(() => library.close())

/** The next command runs at this time. */
const at = (time: number) => library.wait(time - library.now() - 1000)
const soon = () => library.now() + 1000

describe('wrong passwords', () => {
  const subjects = (address: string, email = 'ada@lab.example') => attemptSubjects(email, address)
  const attempt = (address: string, email?: string) =>
    library.run('countAttempt', OPERATOR, { subjects: subjects(address, email) })
  const many = (count: number, address: string) => Array.from({ length: count }, () => attempt(address))

  test('of a user from one address count for a quarter of an hour, up to ten', () => {
    const since = soon()
    expect(many(10, '192.0.2.1')).toEqual(Array.from({ length: 10 }, () => undefined))
    expect(attempt('192.0.2.1')).toBe(890)
    expect([attempt('192.0.2.2'), attempt('192.0.2.1', 'bo@lab.example')]).toEqual([undefined, undefined])
    at(since + 899_999)
    expect(attempt('192.0.2.1')).toBe(1)
    at(since + 900_000)
    expect(many(10, '192.0.2.1')).toEqual(Array.from({ length: 10 }, () => undefined))
    expect(attempt('192.0.2.1')).toBe(890)
  })

  test('of a user from all addresses count up to a hundred', () => {
    for (let address = 0; address < 10; address += 1) many(10, `192.0.2.${address}`)
    expect(attempt('192.0.2.99')).toBe(800)
    expect(attempt('192.0.2.99', 'bo@lab.example')).toBeUndefined()
  })

  test('are forgotten with the right one from there, and no others', () => {
    for (let address = 0; address < 10; address += 1) many(10, `192.0.2.${address}`)
    library.run('forgetAttempt', OPERATOR, { subjects: subjects('192.0.2.0') })
    expect([attempt('192.0.2.0'), attempt('192.0.2.0')]).toEqual([undefined, 798])
    expect(attempt('192.0.2.1')).toBeGreaterThan(0)
  })

  test('are removed when they do not count any more', async () => {
    const since = soon()
    many(3, '192.0.2.1')
    const rows = () => library.db.all('SELECT 1 FROM sign_in_attempts').length
    const purge = () => purgeAll(async (step) => library.run('purge', OPERATOR, step))
    at(since + 800_000)
    await purge()
    expect(rows()).toBe(2)
    at(since + 900_000)
    await purge()
    expect(rows()).toBe(0)
  })

  test.for([
    [1, '1 minute'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [890, '15 minutes'],
  ] as const)('%i s before the next attempt are told as %s', ([seconds, told]) =>
    expect(describeWait(seconds)).toBe(`Too many wrong passwords: try again in ${told}.`),
  )
})

test('33 passwords at once are one too many, and later ones are tried again', async () => {
  const salt = Buffer.from('salt')
  // cheap, so that the test is
  const hash = scryptSync('correct horse', salt, 32, { N: 64, r: 8, p: 1 })
  const stored = `$scrypt$ln=6,r=8,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`
  const attempt = (given: string) => isPassword(given, stored)
  expect([await attempt('correct horse'), await attempt('correct horsf')]).toEqual([true, false])
  for (let round = 0; round < 2; round += 1) {
    const tried = await Promise.allSettled(Array.from({ length: 33 }, () => attempt('correct horse')))
    expect(tried.slice(0, 32)).toEqual(
      Array.from({ length: 32 }, () => ({ status: 'fulfilled', value: true })),
    )
    expect(tried[32]).toMatchObject({ status: 'rejected', reason: { status: 429 } })
  }
})

test('a purge goes on where its steps end, counts what they removed, and tells the first failure after all', async () => {
  const steps: string[] = []
  const step = async ({ kind, after }: PurgeInput): Promise<Purged> => {
    steps.push(`${kind} ${after}`)
    if (kind === 1 && after < 10) return { removed: 3, next: after + 5 }
    if (kind === failing) throw new Error(`no ${kind}`)
    return { removed: 1, next: undefined }
  }
  let failing = -1
  expect(await purgeAll(step)).toBe(7 + 2 * 3)
  const all = ['0 0', '1 0', '1 5', '1 10', '2 0', '3 0', '4 0', '5 0', '6 0']
  expect(steps.splice(0)).toEqual(all)
  failing = 0
  await expect(purgeAll(step)).rejects.toThrow('no 0')
  expect(steps).toEqual(all)
})

const tokens = (name: string) => ({
  access: { digest: `${name}-access`, expires: library.now() + 3_600_000 },
  refresh: { digest: `${name}-refresh`, expires: library.now() + 86_400_000 },
})
const kinds = () =>
  library.db
    .all<{ kind: string }>(`SELECT kind FROM tokens WHERE digest LIKE '%-access' OR digest LIKE '%-refresh'`)
    .map(({ kind }) => kind)
    .toSorted()

describe('the code of a program', () => {
  const verifier = 'v'.repeat(50)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const facts = { redirect: 'http://localhost/cb', challenge, scope: 'drive', isLasting: true }
  const give = (more: Partial<typeof facts> | { readonly challenge: undefined } = {}) => {
    const { user, client } = ada
    library.run('addCode', OPERATOR, { digest: 'code', user, client, scopes: ['drive'], facts: { ...facts, ...more } })
  }
  const redeem = (more: object = {}) =>
    library.run('redeemCode', OPERATOR, { digest: 'code', client: ada.client, redirect: facts.redirect, verifier, ...tokens('one'), ...more })

  test.for([
    [119_999, { scope: 'drive', isLasting: true }, ['access', 'refresh']],
    [120_000, { refused: 'the code has expired' }, []],
  ] as const)('%i ms after it was given', ([time, result, given]) => {
    give()
    at(library.now() + time)
    expect(redeem()).toEqual(result)
    expect(kinds()).toEqual(given)
  })

  test.for([
    [{}, { digest: 'other' }, 'there is no such code'],
    [{}, { client: 99 }, 'the code belongs to another program'],
    [{}, { redirect: 'http://localhost/cb/' }, 'redirect_uri is not the one that the code was sent to'],
    [{}, { verifier: undefined }, 'code_verifier is missing'],
    [{}, { verifier: `${verifier}v` }, 'code_verifier does not fit the code_challenge'],
    [{ challenge: undefined }, {}, 'the code was requested without a code_challenge'],
  ] as const)('given for %j and asked for with %j is refused, and used up', ([given, asked, refused]) => {
    give(given)
    expect(redeem(asked)).toEqual({ refused })
    expect(kinds()).toEqual([])
    if ('digest' in asked) return
    expect(redeem()).toEqual({ refused: 'the code was used before: the token issued for it has been revoked' })
  })

  test('without a verifier is for a program with a secret', () => {
    give({ challenge: undefined })
    expect(redeem({ verifier: undefined })).toEqual({ scope: 'drive', isLasting: true })
  })

  test('that comes again takes back what was given for it', () => {
    give({ isLasting: false })
    expect(redeem()).toEqual({ scope: 'drive', isLasting: false })
    expect(kinds()).toEqual(['access'])
    expect(redeem(tokens('two'))).toMatchObject({ refused: expect.stringContaining('used before') })
    expect(kinds()).toEqual([])
  })
}) // prettier-ignore

describe('the sign-in of a device', () => {
  const open = (name: string, address = 'here') =>
    library.run('openDevice', OPERATOR, { digest: name, userCode: name, client: ada.client, scope: 'drive other', address })
  const decide = (name: string, isAllowed: boolean) =>
    library.run('decideDevice', OPERATOR, { userCode: name, user: ada.user, isAllowed })
  const redeem = (name: string, client = ada.client) =>
    library.run('redeemDevice', OPERATOR, { digest: name, client, ...tokens(name) })

  test('is asked for every five seconds, with a second for clocks that differ', () => {
    open('d')
    expect(redeem('d')).toEqual({ refused: 'authorization_pending' })
    at(library.now() + 3999)
    expect(redeem('d')).toEqual({ refused: 'slow_down' })
    at(library.now() + 4000)
    expect(redeem('d')).toEqual({ refused: 'authorization_pending' })
    expect(redeem('d', 99)).toEqual({ refused: 'invalid_grant' })
    expect(redeem('none')).toEqual({ refused: 'invalid_grant' })
  })

  test.for([
    [899_999, true],
    [900_000, false],
  ] as const)('can be allowed %i ms after it began: %s', ([time, isAllowed]) => {
    open('d')
    at(library.now() + time)
    expect(decide('d', true)).toBe(isAllowed)
  })

  test.for([
    [899_999, { scope: 'drive other' }, ['access', 'refresh']],
    [900_000, { refused: 'expired_token' }, []],
  ] as const)('%i ms after it began', ([time, result, given]) => {
    open('d')
    const begun = library.now()
    decide('d', true)
    at(begun + time)
    expect([redeem('d'), redeem('d')]).toEqual([result, { refused: 'invalid_grant' }])
    expect(kinds()).toEqual(given)
  })

  test('is decided once, and given once', () => {
    open('d')
    expect([decide('d', false), decide('d', true)]).toEqual([true, false])
    expect([redeem('d'), redeem('d')]).toEqual([{ refused: 'access_denied' }, { refused: 'invalid_grant' }])
    expect(decide('none', true)).toBe(false)
    open('e')
    expect(() => library.run('decideDevice', OPERATOR, { userCode: 'e', user: 99, isAllowed: true })).toThrow('The user is disabled.')
  })

  test('waits with at most fifty others of an address', () => {
    const opened = Array.from({ length: 51 }, (_, one) => open(`d${one}`))
    expect([opened.filter(Boolean).length, opened.at(-1)]).toEqual([50, false])
    expect([open('elsewhere', 'there'), open('elsewhere', 'there')]).toEqual([true, false])
    at(library.now() + 900_000)
    expect(open('later')).toBe(true)
  })
}) // prettier-ignore
