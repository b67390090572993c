import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bodies } from '../../../src/drive/contract/bodies.ts'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { type MethodId, METHODS, findMethod } from '../../../src/drive/contract/methods.ts'
import { findMembers } from '../../../src/drive/contract/schemas.ts'
import { isRecord, readBody, readMethodBody } from '../../../src/drive/protocol/bodies/body.ts'

const UPDATE = { clears: true }
const INSERT = { clears: false }

describe('readBody', () => {
  test.for([
    ['', {}],
    ['  \n', {}],
    ['{}', {}],
    ['\uFEFF{"title":"x"}', { title: 'x' }],
    ['{"title":"x\uFEFFy"}', { title: 'x\uFEFFy' }],
    ['{"title":"x","id":"i","bogus":{"a":[]}}', { title: 'x', id: 'i' }],
    // members that clients send back unchanged
    [
      '{"kind":"drive#fileLink","etag":7,"fileSize":[],"selfLink":null,"capabilities":"x","title":"t"}',
      { title: 't' },
    ],
    ['{"parents":[{"kind":"drive#fileLink","id":"p","isRoot":"maybe"}]}', { parents: [{ id: 'p' }] }],
    ['{"parents":[],"properties":[]}', { parents: [], properties: [] }],
    ['{"parents":[null,{"id":"p"}]}', { parents: [{ id: 'p' }] }],
    ['{"title":null,"mimeType":null,"description":null,"parents":null}', {}],
    ['{"labels":{"starred":true,"hidden":true,"trashed":null}}', { labels: { starred: true } }],
    ['{"modifiedDate":"2012-01-02T03:04:05.678Z"}', { modifiedDate: Date.UTC(2012, 0, 2, 3, 4, 5, 678) }],
    ['{"title":"a","title":"b"}', { title: 'b' }],
    ['{"__proto__":{"title":"p"},"title":"t"}', { title: 't' }],
    ['{"shortcutDetails":{"targetId":"t","targetMimeType":"m"}}', { shortcutDetails: { targetId: 't' } }],
    [
      '{"properties":[{"key":"k","value":"","visibility":"PUBLIC","etag":"e"}]}',
      { properties: [{ key: 'k', value: '', visibility: 'PUBLIC' }] },
    ],
  ] as const)('a file %s is %j', ([text, expected]) => {
    expect(readBody('File', text, INSERT)).toEqual(expected)
    expect(readBody('File', Buffer.from(text), INSERT)).toEqual(expected)
  })

  test.for([
    ['{"description":null,"title":null,"folderColorRgb":null}', { description: null, folderColorRgb: null }],
    [
      '{"contentRestrictions":null,"lastViewedByMeDate":null}',
      { contentRestrictions: null, lastViewedByMeDate: null },
    ],
    ['{"labels":{"starred":null}}', { labels: {} }],
  ] as const)('an update %s is %j', ([text, expected]) => {
    expect(readBody('File', text, UPDATE)).toEqual(expected)
  })

  test.for([
    [
      'Channel',
      '{"id":"c","expiration":"1700000000000","params":{"ttl":"60","n":null},"payload":false}',
      { id: 'c', expiration: 1_700_000_000_000, params: { ttl: '60' }, payload: false },
    ],
    ['Channel', '{"expiration":1700000000000}', { expiration: 1_700_000_000_000 }],
    ['Drive', '{"backgroundImageFile":{"width":0.5}}', { backgroundImageFile: { width: 0.5 } }],
    [
      'ModifyLabelsRequest',
      '{"labelModifications":[{"labelId":"l","fieldModifications":[{"fieldId":"f","setIntegerValues":["1",2],"setDateValues":["2026-01-02"]}]}]}',
      {
        labelModifications: [
          {
            labelId: 'l',
            fieldModifications: [{ fieldId: 'f', setIntegerValues: [1, 2], setDateValues: ['2026-01-02'] }],
          },
        ],
      },
    ],
  ] as const)('a %s %s is %j', ([schema, text, expected]) => {
    expect(readBody(schema, text, INSERT)).toEqual(expected)
  })

  test.for<[text: string, message: string, schema?: keyof Bodies]>([
    ['{', 'Parse Error'],
    ['[]', 'Parse Error: the body must be an object'],
    ['null', 'Parse Error: the body must be an object'],
    ['"x"', 'Parse Error: the body must be an object'],
    ['{"title":7}', 'Parse Error: title must be a string'],
    ['{"title":{}}', 'Parse Error: title must be a string'],
    ['{"labels":[]}', 'Parse Error: labels must be an object'],
    ['{"labels":{"starred":"true"}}', 'Parse Error: labels.starred must be true or false'],
    ['{"parents":{"id":"p"}}', 'Parse Error: parents must be an array'],
    ['{"parents":["p"]}', 'Parse Error: parents must be an object'],
    ['{"modifiedDate":1}', 'Parse Error: modifiedDate must be a string'],
    ['{"title":"x"} x', 'Parse Error'],
    ['{"params":"ttl"}', 'Parse Error: params must be an object', 'Channel'],
    ['{"params":["60"]}', 'Parse Error: params must be an object', 'Channel'],
    ['{"params":{"ttl":60}}', 'Parse Error: params must be a string', 'Channel'],
    [
      '{"backgroundImageFile":{"width":"0.5"}}',
      'Parse Error: backgroundImageFile.width must be a number',
      'Drive',
    ],
  ])('%s is refused: %s', ([text, message, schema = 'File']) => {
    expect(() => readBody(schema, text, UPDATE)).toThrow(
      expect.objectContaining({ status: 400, reason: 'parseError', message }),
    )
  })

  test.for([
    ['{"title":"a\\u0000b"}', 'title', 'it has the character U+0000'],
    ['{"title":"\\ud800"}', 'title', 'it is not Unicode text'],
    ['{"modifiedDate":"yesterday"}', 'modifiedDate', 'it is not a date-time'],
    ['{"properties":[{"key":"\\u0000"}]}', 'properties.key', 'it has the character U+0000'],
  ] as const)('%s cannot be: %s, %s', ([text, location, why]) => {
    expect(() => readBody('File', text, UPDATE)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalid',
        message: `Invalid value for ${location}: ${why}`,
        details: { location, locationType: 'parameter' },
      }),
    )
  })

  test('bytes that are not UTF-8 are refused', () => {
    expect(() => readBody('File', Buffer.from([0x22, 0xff, 0x22]), INSERT)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'parseError',
        message: 'Parse Error: the body is not UTF-8',
      }),
    )
  })

  test('an expiration that is not a whole number is refused', () => {
    for (const given of ['"soon"', '1.5', '"1e3"', '1e40', '"99999999999999999999"']) {
      expect(() => readBody('Channel', `{"expiration":${given}}`, INSERT)).toThrow(
        expect.objectContaining({
          status: 400,
          reason: 'invalid',
          message: 'Invalid value for expiration: it is not an int64',
        }),
      )
    }
    for (const given of ['true', '[1]', '{}'])
      expect(() => readBody('Channel', `{"expiration":${given}}`, INSERT)).toThrow(
        expect.objectContaining({
          status: 400,
          reason: 'parseError',
          message: 'Parse Error: expiration must be a whole number',
        }),
      )
  })

  test.for([
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['"-9007199254740991"', Number.MIN_SAFE_INTEGER],
    ['"+5"', 5],
    ['9007199254740992', undefined],
    ['"-9007199254740992"', undefined],
  ] as const)('the whole number %s is %s', ([text, expected]) => {
    const read = () => readBody('Channel', `{"expiration":${text}}`, INSERT)
    if (expected === undefined) expect(read).toThrow('it is not an int64')
    else expect(read()).toEqual({ expiration: expected })
  })

  test('a date of a label is a day alone', () => {
    const set = (date: string) =>
      `{"labelModifications":[{"labelId":"l","fieldModifications":[{"fieldId":"f","setDateValues":["${date}"]}]}]}`
    const path = 'labelModifications.fieldModifications.setDateValues'
    for (const date of ['2026-01-02T00:00:00Z', '2026-13-01'])
      expect(() => readBody('ModifyLabelsRequest', set(date), INSERT)).toThrow(
        expect.objectContaining({ message: `Invalid value for ${path}: it is not a date` }),
      )
  })

  test('an object is neither null nor an array', () => {
    expect([{}, { a: 1 }, [], null, 'x', 1, undefined].map(isRecord)).toEqual([true, true, false, false, false, false, false]) // prettier-ignore
  })

  test('a megabyte of brackets is refused', () => {
    const text = `{"title":${'['.repeat(1_000_000)}`
    expect(() => readBody('File', text, INSERT)).toThrow('Parse Error')
    const whole = `{"title":"x","bogus":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
    expect(readBody('File', whole, INSERT)).toEqual({ title: 'x' })
  })
})

describe('readMethodBody', () => {
  test.for([
    ['children.insert', 'ChildReference', '{}', 'id'],
    ['parents.insert', 'ParentReference', '', 'id'],
    ['properties.insert', 'Property', '{"value":"v"}', 'key'],
    ['properties.insert', 'Property', '{"key":""}', 'key'],
    ['permissions.insert', 'Permission', '{"type":"user"}', 'role'],
    ['comments.patch', 'Comment', '{"content":null}', 'content'],
    ['drives.insert', 'Drive', '{}', 'name'],
    ['files.modifyLabels', 'ModifyLabelsRequest', '{"labelModifications":[{"labelId":"l"},{}]}', 'labelId'],
  ] as const)('%s wants a %s: %s lacks %s', ([id, schema, text, location]) => {
    expect(() => readMethodBody(findMethod(id), schema, text)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'required',
        details: { location, locationType: 'parameter' },
      }),
    )
  })

  test.for([
    ['files.modifyLabels', 'ModifyLabelsRequest', '{"labelModifications":[]}', { labelModifications: [] }],
    ['files.modifyLabels', 'ModifyLabelsRequest', '{}', {}],
    ['files.patch', 'File', '{"description":null}', { description: null }],
    ['files.insert', 'File', '{"description":null}', {}],
    ['replies.insert', 'CommentReply', '{"verb":"resolve"}', { verb: 'resolve' }],
  ] as const)('%s takes a %s %s', ([id, schema, text, expected]) => {
    expect(readMethodBody(findMethod(id), schema, text)).toEqual(expected)
  })

  test('any JSON is read or refused', () => {
    const withBodies = METHODS.filter(({ request }) => request !== undefined)
    const names = withBodies.flatMap(({ request }) => [...findMembers(request!).keys()])
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(null, 'x', [], {}, [{ id: 'p' }]))
    fc.assert(
      fc.property(
        fc.constantFrom(...withBodies),
        fc.dictionary(fc.constantFrom(...names), value),
        (method, body) => {
          expect(isReadOrRefused(method.id, JSON.stringify(body))).toBe(true)
        },
      ),
    )
    fc.assert(fc.property(fc.string(), (text) => isReadOrRefused('files.insert', text)))
  })
})

function isReadOrRefused(id: MethodId, text: string): boolean {
  const method = findMethod(id)
  try {
    // every request schema has a body type
    readMethodBody(method, method.request as keyof Bodies, text)
    return true
  } catch (error) {
    return isStorageFailure(error) && error.status === 400
  }
}

/** One body of each type, with every member set. */
const WHOLE: { readonly [Name in keyof Bodies]: Required<Bodies[Name]> } = {
  File: {
    id: 'i',
    title: 't',
    mimeType: 'a/b',
    description: 'd',
    labels: { starred: true, trashed: true, viewed: true, restricted: true },
    createdDate: 1,
    modifiedDate: 2,
    lastViewedByMeDate: 3,
    parents: [{ id: 'p' }],
    writersCanShare: true,
    copyRequiresWriterPermission: true,
    contentRestrictions: [{ readOnly: true, reason: 'r', ownerRestricted: true }],
    inheritedPermissionsDisabled: true,
    folderColorRgb: '#fff',
    properties: [{ key: 'k', value: 'v', visibility: 'PUBLIC' }],
    indexableText: { text: 'x' },
    thumbnail: { image: 'AA==', mimeType: 'image/png' },
    shortcutDetails: { targetId: 't' },
  },
  ChildReference: { id: 'c' },
  ParentReference: { id: 'p' },
  Property: { key: 'k', value: 'v', visibility: 'PUBLIC' },
  Permission: {
    id: 'i',
    type: 'user',
    role: 'reader',
    additionalRoles: ['commenter'],
    value: 'a@b',
    withLink: true,
    expirationDate: 1,
    view: 'v',
    inheritedPermissionsDisabled: true,
  },
  Comment: { content: 'c', anchor: 'a', context: { type: 't', value: 'v' } },
  CommentReply: { content: 'c', verb: 'resolve' },
  Revision: { pinned: true, published: true, publishAuto: true, publishedOutsideDomain: true },
  Channel: {
    id: 'i',
    type: 'web_hook',
    address: 'https://a',
    token: 't',
    expiration: 1,
    payload: true,
    params: { ttl: '1' },
    resourceId: 'r',
  },
  Drive: {
    name: 'n',
    themeId: 't',
    colorRgb: '#fff',
    backgroundImageFile: { id: 'i', width: 1, xCoordinate: 0.5, yCoordinate: 0.5 },
    restrictions: {
      adminManagedRestrictions: true,
      copyRequiresWriterPermission: true,
      domainUsersOnly: true,
      driveMembersOnly: true,
      sharingFoldersRequiresOrganizerPermission: true,
    },
  },
  ModifyLabelsRequest: {
    labelModifications: [
      {
        labelId: 'l',
        removeLabel: true,
        fieldModifications: [
          {
            fieldId: 'f',
            setDateValues: ['2026-01-02'],
            setIntegerValues: [1],
            setSelectionValues: ['s'],
            setTextValues: ['t'],
            setUserValues: ['u'],
            unsetValues: true,
          },
        ],
      },
    ],
  },
}

// the keys have the type of the table
describe.each(Object.keys(WHOLE) as (keyof Bodies)[])('a %s', (schema) => {
  test('is read with every member that its type has, and no other is writable', () => {
    const dates = new Set(['createdDate', 'modifiedDate', 'lastViewedByMeDate', 'expirationDate'])
    const text = JSON.stringify(WHOLE[schema], (name, value: unknown) =>
      dates.has(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
    )
    expect(readBody(schema, text, INSERT)).toEqual(WHOLE[schema])
    const writable = [...findMembers(schema)].filter(([, { isWritable }]) => isWritable).map(([name]) => name)
    expect(writable.toSorted()).toEqual(Object.keys(WHOLE[schema]).toSorted())
  })
})
