/** Texts of people, programs and headers: what is read from them, and near misses. */
import { describe, expect, test } from 'vitest'
import { formatDisposition } from '../../../src/drive/api/answers/download.ts'
import { cookieName, readCookie } from '../../../src/drive/api/sign-in/cookies.ts'
import { html } from '../../../src/drive/api/sign-in/html.ts'
import { isProgramRequest, isTooLong } from '../../../src/drive/api/sign-in/client-login.ts'
import { exportStem } from '../../../src/drive/contract/kinds.ts'
import { requireAddress, withoutAddress } from '../../../src/drive/domain/access/principals.ts'
import { readScopes, scopeWords } from '../../../src/drive/domain/accounts/tokens.ts'
import { requireColor } from '../../../src/drive/domain/drives/drive-view.ts'
import { isText } from '../../../src/drive/domain/items/search-terms.ts'
import { contentMatch, titleMatch } from '../../../src/drive/domain/search/sets.ts'
import { readUserCode } from '../../../src/drive/domain/sign-in/devices.ts'
import { attemptSubjects, hashPassword, isPassword } from '../../../src/drive/domain/sign-in/passwords.ts'

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
  ['donors', 'title : ("donors" *)', '"donors"'],
  ['a-b  c', 'title : ("a" * AND "b" * AND "c" *)', '"a" AND "b" AND "c"'],
  ['a "b c" d', 'title : ("a" * AND "b" * AND "c" * AND "d" *)', '"a" AND "b c" AND "d"'],
  ['"" b c "d"', 'title : ("b" * AND "c" * AND "d" *)', '"b" AND "c" AND "d"'],
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

test.for([
  ['donors.csv', 'donors'],
  ['DONORS.CSV', 'DONORS'],
  ['a.csv.xlsx', 'a.csv'],
  ['a.csvx', 'a.csvx'],
  ['a.csv.zip', 'a.csv.zip'],
  ['a', 'a'],
] as const)('an export of %s begins with %s', ([title, stem]) => expect(exportStem(title)).toBe(stem))

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
