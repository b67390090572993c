import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { type MethodId, METHODS, findMethod } from '../../../src/drive/contract/methods.ts'
import { COMMON_PARAMETERS, readParameter } from '../../../src/drive/contract/parameter.ts'
import { readParameters } from '../../../src/drive/protocol/parameters.ts'

describe('a declaration', () => {
  test('has a type, and then what limits the values', () => {
    const nothing = {
      standard: undefined,
      values: undefined,
      least: undefined,
      most: undefined,
      isRequired: false,
    }
    for (const [text, expected] of [
      ['string', { type: 'string' }],
      ['string!', { type: 'string', isRequired: true }],
      ['string={a,b}', { type: 'string', standard: '', values: ['a', 'b'] }],
      ['int32=5[0..9]', { type: 'int32', standard: '5', least: 0, most: 9 }],
      ['int64[..9]!', { type: 'int64', most: 9, isRequired: true }],
      ['int64[1..]', { type: 'int64', least: 1 }],
    ] as const)
      expect(readParameter(`q:${text}`)).toEqual({ name: 'q', ...nothing, ...expected })
  })

  test.for([
    'q:',
    'q:text',
    'q: string',
    'q:string=a b',
    'q:string{}',
    'q:int32[1..2',
    'q:!string',
    'Q:string',
    'toString',
  ])('%j is none', (word) => expect(() => readParameter(word)).toThrow('the table of parameters has'))
})

describe('readParameters', () => {
  test.for([
    ['files.list', {}, { alt: 'json', prettyPrint: false, maxResults: 100, supportsAllDrives: false }],
    ['files.list', { maxResults: '0' }, { maxResults: 100 }],
    ['files.list', { maxResults: '7' }, { maxResults: 7 }],
    ['files.list', { maxResults: '1000' }, { maxResults: 1000 }],
    ['files.list', { maxResults: '5000' }, { maxResults: 1000 }],
    ['files.list', { maxResults: '99999999999999999999' }, { maxResults: 1000 }],
    ['files.list', { maxResults: '' }, { maxResults: 100 }],
    ['comments.list', { maxResults: '0' }, { maxResults: 20 }],
    ['comments.list', { maxResults: '101' }, { maxResults: 100 }],
    ['drives.list', {}, { maxResults: 10 }],
    ['files.generateIds', { maxResults: '2000' }, { maxResults: 1000, space: 'drive', type: 'files' }],
    ['permissions.list', {}, { maxResults: undefined }],
    ['permissions.list', { maxResults: '0' }, { maxResults: undefined }],
    ['files.list', { supportsAllDrives: 'True' }, { supportsAllDrives: true }],
    ['files.list', { supportsAllDrives: '1' }, { supportsAllDrives: true }],
    ['files.list', { supportsAllDrives: '0' }, { supportsAllDrives: false }],
    ['files.list', { supportsAllDrives: 'FALSE' }, { supportsAllDrives: false }],
    ['files.list', { supportsAllDrives: '' }, { supportsAllDrives: false }],
    ['files.list', { supportsAllDrives: ['false', 'true'] }, { supportsAllDrives: true }],
    ['files.patch', {}, { newRevision: true, updateViewedDate: true, setModifiedDate: false }],
    ['files.get', {}, { updateViewedDate: false, projection: undefined }],
    ['changes.list', {}, { includeDeleted: true, startChangeId: undefined }],
    ['comments.list', {}, { includeDeleted: false }],
    ['changes.list', { startChangeId: '9007199254740991' }, { startChangeId: 9_007_199_254_740_991 }],
    ['files.insert', {}, { visibility: 'DEFAULT' }],
    ['files.insert', { visibility: 'PRIVATE', alt: 'json' }, { visibility: 'PRIVATE' }],
    ['properties.get', { visibility: 'PUBLIC' }, { visibility: 'PUBLIC' }],
    ['files.get', { alt: 'media', source: 'downloadUrl' }, { alt: 'media', source: undefined }],
    ['revisions.get', { alt: 'media' }, { alt: 'media' }],
    ['files.export', { alt: 'media', mimeType: 'text/plain' }, { mimeType: 'text/plain' }],
    [
      'files.list',
      { prettyPrint: 'true', key: 'k', quotaUser: 'u', userIp: 'i' },
      { prettyPrint: true, key: 'k' },
    ],
    ['files.list', { '$.xgafv': '2', uploadType: 'resumable' }, { '$.xgafv': '2', uploadType: 'resumable' }],
    // queries of PyDrive2, duplicity and Go
    [
      'files.list',
      {
        alt: 'json',
        corpora: 'teamDrive',
        teamDriveId: 'd',
        includeTeamDriveItems: 'true',
        supportsTeamDrives: 'True',
      },
      { corpora: 'teamDrive', teamDriveId: 'd', includeTeamDriveItems: true, supportsTeamDrives: true },
    ],
    ['files.delete', { alt: 'json', prettyPrint: 'false' }, { prettyPrint: false }],
    ['files.get', { acknowledgeAbuse: 'false', alt: 'media' }, { acknowledgeAbuse: false, alt: 'media' }],
    [
      'files.list',
      { orderBy: 'modifiedDate asc', maxResults: '1000' },
      { orderBy: 'modifiedDate asc', maxResults: 1000 },
    ],
    ['files.list', { q: '', pageToken: '' }, { q: undefined, pageToken: undefined }],
    ['apps.list', {}, { appFilterExtensions: '' }],
  ] as const)('%s with %j has %j', ([id, query, expected]) => {
    expect(readParameters(findMethod(id), query)).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    )
    const absent = Object.keys(expected).filter((name) => Reflect.get(expected, name) === undefined)
    expect(Object.keys(readParameters(findMethod(id), query))).not.toEqual(
      expect.arrayContaining(['', ...absent]),
    )
  })

  const NUMBER = 'a number that is not negative'
  const invalidValue = (text: string, name: string, wanted: string) =>
    `Invalid value '${text}' of ${name}: ${wanted} expected`
  const noOutput = (alt: string) => `Unsupported output format: ${alt}`
  test.for([
    [
      'files.list',
      { maxResults: '-1' },
      'invalidParameter',
      'maxResults',
      invalidValue('-1', 'maxResults', NUMBER),
    ],
    [
      'files.list',
      { maxResults: 'ten' },
      'invalidParameter',
      'maxResults',
      invalidValue('ten', 'maxResults', NUMBER),
    ],
    [
      'files.list',
      { maxResults: '1.5' },
      'invalidParameter',
      'maxResults',
      invalidValue('1.5', 'maxResults', NUMBER),
    ],
    [
      'files.list',
      { maxResults: 'NaN' },
      'invalidParameter',
      'maxResults',
      invalidValue('NaN', 'maxResults', NUMBER),
    ],
    [
      'files.list',
      { supportsAllDrives: 'yes' },
      'invalidParameter',
      'supportsAllDrives',
      invalidValue('yes', 'supportsAllDrives', 'true or false'),
    ],
    [
      'files.list',
      { corpus: 'drive' },
      'invalidParameter',
      'corpus',
      invalidValue('drive', 'corpus', 'DEFAULT, DOMAIN'),
    ],
    [
      'files.list',
      { projection: 'full' },
      'invalidParameter',
      'projection',
      invalidValue('full', 'projection', 'BASIC, FULL'),
    ],
    ['files.list', { alt: 'media' }, 'invalidParameter', 'alt', noOutput('media')],
    ['files.list', { alt: 'proto' }, 'invalidParameter', 'alt', noOutput('proto')],
    [
      'files.list',
      { alt: 'atom' },
      'invalidParameter',
      'alt',
      invalidValue('atom', 'alt', 'json, media, proto'),
    ],
    ['files.list', { callback: 'f' }, 'invalidParameter', 'callback', 'JSONP is not supported'],
    [
      'files.list',
      { prettyPrint: 'maybe' },
      'invalidParameter',
      'prettyPrint',
      invalidValue('maybe', 'prettyPrint', 'true or false'),
    ],
    [
      'files.patch',
      { modifiedDateBehavior: 'never' },
      'invalidParameter',
      'modifiedDateBehavior',
      invalidValue(
        'never',
        'modifiedDateBehavior',
        'fromBody, fromBodyIfNeeded, fromBodyOrNow, noChange, now, nowIfNeeded',
      ),
    ],
    [
      'changes.list',
      { startChangeId: '-5' },
      'invalidParameter',
      'startChangeId',
      invalidValue('-5', 'startChangeId', NUMBER),
    ],
    [
      'changes.list',
      { startChangeId: '9007199254740993' },
      'invalidParameter',
      'startChangeId',
      invalidValue('9007199254740993', 'startChangeId', 'at most 9007199254740991'),
    ],
    ['drives.insert', {}, 'required', 'requestId', 'Required parameter: requestId'],
    ['files.export', {}, 'required', 'mimeType', 'Required parameter: mimeType'],
    ['files.export', { mimeType: '' }, 'required', 'mimeType', 'Required parameter: mimeType'],
  ] as const)('%s refuses %j as %s', ([id, query, reason, location, message]) => {
    expect(() => readParameters(findMethod(id), query)).toThrow(
      expect.objectContaining({
        status: 400,
        reason,
        message,
        details: { location, locationType: 'parameter' },
      }),
    )
  })

  test('a refused value is shown up to 100 characters', () => {
    const refused = (corpus: string) => () => readParameters(findMethod('files.list'), { corpus })
    expect(refused('x'.repeat(100))).toThrow(`Invalid value '${'x'.repeat(100)}' of corpus: `)
    expect(refused('x'.repeat(101))).toThrow(`Invalid value '${'x'.repeat(100)}…' of corpus: `)
  })

  test('a query that inherits from nothing, or from something, is the same', () => {
    const bare: Record<string, string> = Object.assign(Object.create(null), { maxResults: '3' })
    expect(readParameters(findMethod('files.list'), bare).maxResults).toBe(3)
    expect(readParameters(findMethod('files.list'), {}).q).toBeUndefined()
  })

  test('any values of any operation are read or refused', () => {
    const names = [
      ...new Set([
        ...METHODS.flatMap(({ parameters }) => [...parameters.keys()]),
        ...COMMON_PARAMETERS.keys(),
      ]),
    ]
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom('true', '0', '12', '-3', 'media', 'DEFAULT', 'now'),
      fc.constant('9'.repeat(1_000_000)),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...METHODS.map(({ id }) => id)),
        fc.dictionary(fc.constantFrom(...names, 'other'), texts),
        (id, query) => {
          expect(isReadOrRefused(id, query)).toBe(true)
        },
      ),
    )
  })
})

function isReadOrRefused(id: MethodId, query: Record<string, string>): boolean {
  try {
    readParameters(findMethod(id), query)
    return true
  } catch (error) {
    return isStorageFailure(error) && error.status === 400
  }
}
