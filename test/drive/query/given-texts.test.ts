/** Texts of people, programs and headers: what is read from them, and near misses. */
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseGrantee } from '../../../src/drive/commands/files/share.ts'
import { shownTitle } from '../../../src/drive/commands/files/shown-title.ts'
import { COLLECTION } from '../../../src/drive/commands/options/administrator-options.ts'
import { SERVE } from '../../../src/drive/commands/options/serve-options.ts'
import { readOpenId } from '../../../src/drive/commands/options/openid-options.ts'
import { readPassword } from '../../../src/drive/commands/password-file.ts'
import { withUsageErrors } from '../../../src/drive/commands/usage-errors.ts'
import { rateLimitExceeded, requestTimeout, StorageFailure } from '../../../src/drive/contract/failure.ts'
import { HlaError } from '../../../src/errors.ts'
import type { OptionRow } from '../../../src/options/option-row.ts'
import { ruleEngine } from '../../../src/drive/rules/engine.ts'
import { outputName } from '../../../src/drive/rules/run-rule.ts'
import { formatDisposition } from '../../../src/drive/api/answers/download.ts'
import { withRequestFailures } from '../../../src/drive/api/conversion/conversions.ts'
import { baseUrl, innerMark, INNER_REQUEST } from '../../../src/drive/api/requests/call.ts'
import { cookieName, readCookie } from '../../../src/drive/api/sign-in/cookies.ts'
import { setCookie, type Visit } from '../../../src/drive/api/sign-in/visit.ts'
import { html } from '../../../src/drive/api/sign-in/html.ts'
import { isProgramRequest, isTooLong } from '../../../src/drive/api/sign-in/client-login.ts'
import { exportStem } from '../../../src/drive/contract/kinds.ts'
import { requireAddress, withoutAddress } from '../../../src/drive/domain/access/principals.ts'
import { readScopes, scopeWords } from '../../../src/drive/domain/accounts/tokens.ts'
import { requireColor } from '../../../src/drive/domain/drives/drive-view.ts'
import { decodeText, isText } from '../../../src/drive/domain/items/search-terms.ts'
import { contentMatch, titleMatch } from '../../../src/drive/domain/search/sets.ts'
import { readUserCode } from '../../../src/drive/domain/sign-in/devices.ts'
import { attemptSubjects, hashPassword, isPassword, mustBePassword } from '../../../src/drive/domain/sign-in/passwords.ts' // prettier-ignore
import {
  contentsOutOfReach,
  diskFull,
  headNeeded,
  notWriting,
  removedBefore,
  removedMeanwhile,
  roomNeeded,
} from '../../../src/drive/persistence/writer/not-writing.ts'
import { parseFieldTree } from '../../../src/drive/protocol/answers/fields.ts'
import { parseOrderBy } from '../../../src/drive/protocol/q/q-fields.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

describe('an e-mail address', () => {
  const ofLength = (length: number) => `a@${'b'.repeat(length - 2)}`

  test.for(['ada@example.org', 'a@b', ofLength(320)])('%s', (text) =>
    expect(() => requireAddress(text)).not.toThrow(),
  )

  test.for(['', 'ada', '@example.org', 'ada@', 'a b@example.org', 'ada@exam ple', 'ada@example.org ', ' ada@example.org', 'a@b@c', ofLength(321)])(
    '%j is none',
    (text) => expect(() => requireAddress(text, 'value')).toThrow(`Not an e-mail address: ${text.slice(0, 320)}`),
  ) // prettier-ignore

  test.for([
    ['ada@example.org', 'ada'],
    ['Ada <ada@a.example>, bo@b.example', 'Ada <ada>, bo'],
    ['@example.org', ''],
    ['Ada', 'Ada'],
  ] as const)('%s is shown to people without an account as %j', ([name, shown]) =>
    expect(withoutAddress(name)).toBe(shown),
  )
})

test.for([
  ['', [], ''],
  ['drive', ['drive'], 'drive'],
  ['drive.file, drive.readonly', ['drive.readonly', 'drive.file'], 'drive.file drive.readonly'],
  ['https://a.example/auth/drive.file  other,drive.appdata', ['drive.file', 'drive.appdata'], 'https://a.example/auth/drive.file drive.appdata'],
  ['xdrive drives', [], ''],
] as const)('the scopes of %j', ([text, scopes, words]) => {
  expect([readScopes(text), scopeWords(text)]).toEqual([scopes, words])
}) // prettier-ignore

test.for([
  ['#AABBCC', '#aabbcc'],
  ['#012def', '#012def'],
  ['x#aabbcc', undefined],
  ['#aabbccd', undefined],
  ['#aabbc', undefined],
  ['aabbcc', undefined],
] as const)('the colour %s', ([text, color]) => {
  if (color === undefined) expect(() => requireColor(text)).toThrow(`Not a colour: ${text}`)
  else expect(requireColor(text)).toBe(color)
})

test.for([
  ['text/plain', true],
  ['TEXT/CSV', true],
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/vnd.x+xml', true],
  ['application/+json', false],
  ['application/jsonx', false],
  ['x-text/plain', false],
  ['application/pdf', false],
  ['', false],
] as const)('content of type %j is indexed: %s', ([type, isIndexed]) => expect(isText(type)).toBe(isIndexed))

test.for([
  ['UTF-8', [0x5a, 0xc3, 0xbc, 0x0a], 'Zü\n'],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x5a], 'Z'],
  ['UTF-8 that ends inside a character', [0x5a, 0xc3], 'Z'],
  ['UTF-16', [0xff, 0xfe, 0x5a, 0x00, 0xfc, 0x00], 'Zü'],
  ['Windows-1252', [0x5a, 0xfc, 0x20], 'Zü '],
  ['Windows-1252 that begins like a mark', [0xff, 0x5a], 'ÿZ'],
  ['Windows-1252 with a part of a mark behind', [0xfc, 0xfe], 'üþ'],
  ['UTF-8 with U+0000', [0x5a, 0x00, 0x5a], 'Z Z'],
] as const)('content in %s', ([, bytes, text]) => expect(decodeText(Uint8Array.from(bytes))).toBe(text))

test.for([
  ['donors', 'title : ("donors" *)', '"donors"'],
  ['a-b  c', 'title : ("a" * AND "b" * AND "c" *)', '"a" AND "b" AND "c"'],
  ['a "b c" d', 'title : ("a" * AND "b" * AND "c" * AND "d" *)', '"a" AND "b c" AND "d"'],
  ['"" b c "d"', 'title : ("b" * AND "c" * AND "d" *)', '"b" AND "c" AND "d"'],
  [
    '"b c" d "e f',
    'title : ("b" * AND "c" * AND "d" * AND "e" * AND "f" *)',
    '"b c" AND "d" AND "e" AND "f"',
  ],
  ['été №5', 'title : ("été" * AND "5" *)', '"été" AND "5"'],
  ['--', undefined, undefined],
  ['"" ""', undefined, undefined],
] as const)('the words %j', ([text, title, content]) => {
  expect([titleMatch(text), contentMatch(text)]).toEqual([title, content])
})

test.for([
  ['bcdfghjk', 'BCDF-GHJK'],
  ['BCDF-GHJK', 'BCDF-GHJK'],
  [' bc-df 1 gh.jk ', 'BCDF-GHJK'],
  ['bcdfghjkl', 'BCDF-GHJK'],
  ['bcd', 'BCD-'],
] as const)('the code %j of a device is %s', ([text, code]) => expect(readUserCode(text)).toBe(code))

describe('attempts to sign in are counted together', () => {
  test.for([
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8::1', '2001:db8::2', true],
    ['2001:db8::1', '2001:0db8:0000:0000:5:6:7:8', true],
    ['2001:db8::1', '2001:db8:0:0:ffff::', true],
    ['fe80::1%eth0', 'fe80::2', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['2001:db8:1000::1', '2001:db8:10::1', false],
    ['1:2:3:4::', '1:2:3:4:5:6:7:8', true],
  ] as const)('from %s and %s: %s', ([one, other, areAlike]) => {
    expect(attemptSubjects(undefined, one)).toHaveLength(1)
    expect(attemptSubjects(undefined, one)[0] === attemptSubjects(undefined, other)[0]).toBe(areAlike)
    const [both, user] = attemptSubjects(' Ada@a.example', one)
    const [otherBoth, otherUser] = attemptSubjects('ada@A.example ', other)
    expect([both === otherBoth, user === otherUser, both === user]).toEqual([areAlike, true, false])
  })
})

test('a password is that of its hash alone', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]+\$[\w-]+$/)
  expect(await isPassword('correct horse', hash)).toBe(true)
  expect(await isPassword('correct horsf', hash)).toBe(false)
  expect(await isPassword('', null)).toBe(false)
})

test.for<[what: string, read: (text: string) => unknown, length: number, isRead: boolean]>([
  ['password', mustBePassword, 11, false],
  ['password', mustBePassword, 12, true],
  ['password', mustBePassword, 1024, true],
  ['password', mustBePassword, 1025, false],
  ['order', (text) => parseOrderBy(`title${text.slice(5).replaceAll('x', ' ')}`), 1000, true],
  ['order', (text) => parseOrderBy(`title${text.slice(5).replaceAll('x', ' ')}`), 1001, false],
  ['selection of fields', parseFieldTree, 8192, true],
  ['selection of fields', parseFieldTree, 8193, false],
  ['path of fields', (text) => parseFieldTree(`${'a/'.repeat(text.length)}b`), 20, true],
  ['path of fields', (text) => parseFieldTree(`${'a/'.repeat(text.length)}b`), 21, false],
])('a %s, by %o, of %i, is read: %s', ([, read, length, isRead]) => {
  const reading = () => read('x'.repeat(length))
  if (isRead) expect(reading).not.toThrow()
  else expect(reading).toThrow(/too long|12 to 1024 characters|fewer levels/)
})

test.for([
  ['donors.csv', 'donors'],
  ['DONORS.CSV', 'DONORS'],
  ['a.csv.xlsx', 'a.csv'],
  ['a.csvx', 'a.csvx'],
  ['a.csv.zip', 'a.csv.zip'],
  ['a', 'a'],
] as const)('an export of %s begins with %s', ([title, stem]) => expect(exportStem(title)).toBe(stem))

test.for([
  ['Zürich №5 👍', 'Zürich №5 👍'],
  ['a\nb\r\u001b[31mc\u007f', 'a?b??[31mc?'],
  ['a\u0085b\u2028c\u202ed\u2066e', 'a?b?c?d?e'],
] as const)('the title %j is printed as %s', ([title, shown]) => expect(shownTitle(title)).toBe(shown))

test('a title in a header', () => {
  expect(formatDisposition(`it's (1) "a*b*" (é).csv`)).toBe(
    "attachment; filename*=UTF-8''it%27s%20%281%29%20%22a%2Ab%2A%22%20%28%C3%A9%29.csv",
  )
})

test.for([
  ['hla-form=a', 'a'],
  ['x=1; hla-form=a;y=2', 'a'],
  ['x=1;hla-form=a=b', 'a=b'],
  ['hla-form=a; __Host-hla-form=b', 'b'],
  ['xhla-form=a', undefined],
  ['hla-session=a', undefined],
  [undefined, undefined],
] as const)('the cookie of a form in %j', ([cookie, value]) => {
  expect(readCookie({ headers: { cookie } }, 'form')).toBe(value)
  expect([cookieName('form', true), cookieName('form', false)]).toEqual(['__Host-hla-form', 'hla-form'])
})

/** The base of the links in the answer to a request. */
const based = (host: string, headers: object = {}, publicUrl?: string) =>
  baseUrl({ protocol: 'http', host, headers } as never, { publicUrl } as never) // the parts that are read

test.for(['lab.example', 'LAB_1.example:8080', '[::1]:80', '127.0.0.1'])(
  'links begin with the host %s',
  (host) => {
    expect([based(host), based(host, {}, 'https://a.example')]).toEqual([
      `http://${host}`,
      'https://a.example',
    ])
  },
)

test.for(['', 'a b', 'a/b', '/b', 'a?', '"a', 'é'])('%j is no host', (host) => {
  expect(() => based(host)).toThrow('The header Host names no host.')
  expect(based(host, {}, 'https://a.example')).toBe('https://a.example')
})

test('a part of a batch has the links of the batch, and nobody else can choose them', () => {
  const mark = innerMark('https://batch.example/a')
  expect(based('lab.example', { [INNER_REQUEST]: mark })).toBe('https://batch.example/a')
  for (const forged of [
    'x https://evil.example',
    `x${mark}`,
    mark.replace(' ', ''),
    'https://evil.example',
    mark.split(' ')[0],
  ])
    expect(based('lab.example', { [INNER_REQUEST]: forged })).toBe('http://lab.example')
})

test.for([
  ['http://lab.example', 'hla-session=v; Path=/; Max-Age=60; HttpOnly; SameSite=Strict'],
  ['https://lab.example', '__Host-hla-session=v; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure'],
] as const)('the cookie of a session at %s', ([publicUrl, cookie]) => {
  const set: unknown[] = []
  const visit = {
    drive: { options: { publicUrl } },
    request: { headers: {} },
    reply: { header: (...words: unknown[]) => set.push(words) },
  }
  setCookie(visit as unknown as Visit, 'session', 'v', 60)
  expect(set).toEqual([['set-cookie', cookie]])
})

test('text in a page', () => {
  const [first, last] = [html`<b>${'1'}</b>`, html`<hr />`]
  expect(html`<p>${`<<a href="x">'&'>>`}${undefined}${first}${[first, last]}</p>`.html).toBe(
    '<p>&lt;&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&gt;&gt;<b>1</b><b>1</b><hr /></p>',
  )
})

test.for([
  ['/authorize?client_id=x', true],
  ['/authorize?', true],
  ['/device?user_code=X', true],
  ['/o/oauth2/auth?x', true],
  ['/o/oauth2/v2/auth?x', true],
  ['/authorize', false],
  ['//evil.example/authorize?x', false],
  ['/authorize?a b', false],
  ['/authorize?é', false],
  ['/files?x', false],
] as const)('a browser may return to %s: %s', ([path, mayReturn]) =>
  expect(isProgramRequest(path)).toBe(mayReturn),
)

test('a request that a cookie has no room for', () => {
  expect([isTooLong('x'.repeat(2500)), isTooLong('x'.repeat(2501))]).toEqual([false, true])
})

test('the refusal of an address says where it is', () => {
  expect(() => requireAddress('ada', 'value')).toThrow(
    expect.objectContaining({
      status: 400,
      reason: 'invalid',
      details: { location: 'value', locationType: 'parameter' },
    }),
  )
})

test.for([
  ['anyone', { type: 'anyone', value: '' }],
  ['ada@lab.example', { type: 'user', value: 'ada@lab.example' }],
  ['user:ada@lab.example', { type: 'user', value: 'ada@lab.example' }],
  ['group:night@lab.example', { type: 'group', value: 'night@lab.example' }],
  ['domain:lab.example', { type: 'domain', value: 'lab.example' }],
  ['domain:', undefined],
  ['domain:a\nb', undefined],
  ['xdomain:lab.example', undefined],
  ['group:night', undefined],
  ['anyone ', undefined],
  ['@lab.example', undefined],
  ['ada@', undefined],
  ['ada@lab example', undefined],
  ['a da@lab.example', undefined],
  ['ada@lab@example', undefined],
] as const)('a file is shared with %j', ([text, grantee]) => {
  if (grantee !== undefined) expect(parseGrantee(text)).toEqual(grantee)
  else
    expect(() => parseGrantee(text)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `${JSON.stringify(text)} is not a user, group or domain to share with`,
        offending: text,
        hint: 'ada@example.org, group:staff@example.org, domain:example.org or anyone',
      }),
    )
})

/** What an option of `hla drive serve` makes of a text. */
function served(name: string, text: string): unknown {
  const options: readonly OptionRow[] = SERVE
  const reading = options.find((one) => one.name === name)?.reading
  if (typeof reading !== 'function') throw new Error(`${name} is not read`)
  return reading(text)
}

test.for<[string, string, unknown]>([
  ['public-url', 'https://lab.example', 'https://lab.example'],
  ['public-url', 'https://lab.example/a//', 'https://lab.example/a'],
  ['keep-trash', 'off', undefined],
  ['keep-trash', '1ms', 1],
  ['keep-revisions', '2d', 172_800_000],
  ['most-revisions', '1', 1],
  ['most-revisions', '0', undefined],
  ['max-upload', '2TiB', 2 * 1024 ** 4],
  ['openid-issuer', 'https://id.example/a', 'https://id.example/a'],
  ['openid-issuer', 'http://localhost:9/', 'http://localhost:9/'],
  ['openid-issuer', 'http://127.0.0.1', 'http://127.0.0.1'],
  ['openid-issuer', 'http://[::1]:9', 'http://[::1]:9'],
])('hla drive serve --%s %s', ([name, text, value]) => expect(served(name, text)).toBe(value))

test.for([
  ['keep-trash', '0s', 'It must be a time such as 12h or 30d, or off.'],
  ...['id.example', 'http://id.example', 'ftp://localhost', 'https://id.example/?a', 'https://id.example/#a', 'https://me@id.example'].map(
    (text) => ['openid-issuer', text, 'It must be an https address without a query; http is allowed only on this machine.'] as const,
  ),
] as const)('hla drive serve --%s %s is refused', ([name, text, message]) => {
  expect(() => served(name, text)).toThrow(message)
}) // prettier-ignore

const TOLD: readonly OptionRow[] = [...SERVE, ...COLLECTION]
test.for(
  TOLD.filter(({ reading, defaultText }) => typeof reading === 'function' && defaultText !== undefined),
)(
  'the default of --$name is the one that its help tells: $defaultText',
  ({ reading, defaultText, default: usual }) =>
    expect((reading as (text: string | undefined) => unknown)(defaultText)).toBe(usual),
)

describe('the provider of sign-ins', () => {
  const issuer = 'https://id.example:8443/a'
  const said = { openidIssuer: issuer, openidClientId: 'c' }
  const known = { issuer, clientId: 'c', clientSecret: undefined, name: 'id.example:8443', createsUsers: false }

  test.for([
    [{}, undefined],
    [said, known],
    [{ ...said, openidName: 'Lab', openidCreateUsers: true as const }, { ...known, name: 'Lab', createsUsers: true }],
  ] as const)('%j is %j', ([flags, options]) => expect(readOpenId(flags)).toEqual(options))

  test('has a secret in a file', () => {
    const file = temp('secret')
    const flags = { ...said, openidClientSecretFile: file }
    writeFileSync(file, ' s t \n')
    expect(readOpenId(flags)?.clientSecret).toBe('s t')
    writeFileSync(file, '\n')
    expect(() => readOpenId(flags)).toThrow(`${file} is empty`)
  })

  test.for([
    { openidClientId: 'x' },
    { openidClientSecretFile: 'x' },
    { openidName: 'x' },
    { openidCreateUsers: true as const },
  ])('is needed by %j', (flags) => {
    expect(() => readOpenId(flags)).toThrow('the other --openid options need --openid-issuer')
  })

  test('needs an id of this store', () => {
    expect(() => readOpenId({ openidIssuer: issuer })).toThrow(
      expect.objectContaining({
        message: '--openid-issuer needs --openid-client-id',
        hint: 'register hla with the provider to get a client id',
      }),
    )
  })
}) // prettier-ignore

test.for([
  ['a b\n', 'a b'],
  ['a\nb\r\n', 'a\nb'],
  ['a\n\n', 'a\n'],
  ['', ''],
] as const)('the password in a file with %j', async ([text, password]) => {
  writeFileSync(temp('password'), text)
  expect(await readPassword(temp('password'))).toBe(password)
})

test('a refusal of a store, as a command says it', async () => {
  const refused = (message: string) => withUsageErrors(Promise.reject(new StorageFailure(400, 'invalid', message)))
  await expect(refused('The file a.csv is none.')).rejects.toMatchObject({ code: 'usage', message: 'the file a.csv is none' })
  await expect(refused('No')).rejects.toMatchObject({ code: 'usage', message: 'no' })
  const bug = new TypeError('A bug.')
  await expect(withUsageErrors(Promise.reject(bug))).rejects.toBe(bug)
  expect(await withUsageErrors(Promise.resolve(7))).toBe(7)
}) // prettier-ignore

test.for([
  ['a.b c', 'a.b c.'],
  ['a.b c.', 'a.b c.'],
] as const)('the error %j of a conversion is the failure %j', async ([said, message]) => {
  const failing = withRequestFailures('convert', () => Promise.reject(new HlaError('usage', said)))
  await expect(failing).rejects.toMatchObject({ status: 400, message })
})

test.for<[StorageFailure, string, number | undefined]>([
  [notWriting(), '503 backendError The service cannot save changes at the moment; try again.', 60],
  [diskFull(undefined), '503 backendError The disk of the service is full.', 60],
  [roomNeeded(), '503 backendError The disk of the service is full: only deletions and revocations are accepted.', 60],
  [contentsOutOfReach(undefined), '503 backendError The service cannot reach its file contents; try again.', 5],
  [removedMeanwhile(), '503 backendError The content was removed before it was stored; send it again.', 1],
  [removedBefore(undefined), '503 backendError The content was removed before it could be read; try again.', 1],
  [headNeeded({ sha256: 'a', size: 1 }), '503 backendError The content of this file is not available at the moment; try again.', 1],
  [rateLimitExceeded(), '429 rateLimitExceeded Rate Limit Exceeded', 1],
  [requestTimeout(), '408 requestTimeout The request did not arrive in time.', undefined],
])('a client is told %s, and how long to wait', ([{ status, reason, message, details }, told, wait]) => {
  expect(`${status} ${reason} ${message}`).toBe(told)
  expect(details.retryAfter).toBe(wait)
}) // prettier-ignore

test.for([diskFull, contentsOutOfReach, removedBefore])('the log is told the cause: %o', (make) => {
  const cause = new Error('EIO')
  expect([make(cause).cause, Object.hasOwn(make(undefined), 'cause')]).toEqual([cause, false])
})

describe('the terms of a rule', () => {
  const engine = ruleEngine({ release: 'starter', dataDir: temp('no-releases') })

  test.for([
    [{}, { method: 'lgx', release: undefined, match: undefined }],
    [{ method: 'G', release: 'starter', match: '*.[ct]sv' }, { method: 'G', release: 'starter', match: '*.[ct]sv' }],
  ] as const)('%j', ([given, terms]) => expect(engine.check(given)).toEqual(terms))

  test.for([
    [{ method: 'unheard' }, 400, /^There is no method unheard: G, P, .*, hats\.$/],
    [{ method: '' }, 400, /^There is no method : /],
    [{ release: '3.58.0' }, 503, /^IPD-IMGT\/HLA 3\.58\.0 is not installed \(hla data install 3\.58\.0, .*\)\.$/],
    ...['', '-3', '3.58.0 ', '3/3.58.0', '../3', `3${'0'.repeat(40)}`].map((release) => [{ release }, 400, `${release} is not a release.`] as const),
    [{ release: 'ACTIVE' }, 400, /^(?!ACTIVE is not a release)/],
  ] as const)('%j is refused', ([given, status, message]) => {
    expect(() => engine.check(given)).toThrow(
      expect.objectContaining({
        status,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    )
  })

  test('without a release', () => {
    const none = ruleEngine({ release: 'active', dataDir: temp('no-releases') })
    expect(() => none.check({})).toThrow(expect.objectContaining({ status: 503 }))
    expect(none.offers().releases).toEqual([])
  })
}) // prettier-ignore

test.for([
  ['donors.csv', 'donors.lgx.csv'],
  ['a.b.csv.gz', 'a.b.lgx.csv.gz'],
  ['a\nb.tsv', 'a\nb.lgx.tsv'],
  ['donors.xlsx', 'donors.lgx.csv'],
  ['donors', 'donors.lgx'],
  ['a.muchtoolong', 'a.muchtoolong.lgx'],
] as const)('of %j a rule makes %j', ([title, output]) => expect(outputName(title, 'lgx')).toBe(output))
