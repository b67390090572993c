import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accessOf } from '../../../src/drive/api/requests/note-accesses.ts'
import { SCOPES } from '../../../src/drive/contract/failure.ts'
import { METHODS, findMethod } from '../../../src/drive/contract/methods.ts'
import { COMMON_PARAMETERS } from '../../../src/drive/contract/parameter.ts'
import {
  innerMembers,
  findMembers,
  type MemberShape,
  SCHEMA_NAMES,
} from '../../../src/drive/contract/schemas.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

describe('the table of methods', () => {
  test('there are 69 operations, each at its own address', () => {
    expect(METHODS).toHaveLength(69)
    expect(new Set(METHODS.map(({ httpMethod, path }) => `${httpMethod} ${path}`)).size).toBe(69)
  })

  test('an operation knows what it takes and gives', () => {
    const method = findMethod('files.insert')
    expect(method).toMatchObject({
      httpMethod: 'POST',
      path: 'files',
      request: 'File',
      response: 'File',
      scopes: ['drive', 'drive.appdata', 'drive.apps.readonly', 'drive.file'],
      hasUpload: true,
      hasDownload: false,
    })
    expect(method.parameters.get('visibility')).toEqual({
      name: 'visibility',
      type: 'string',
      standard: 'DEFAULT',
      values: ['DEFAULT', 'PRIVATE'],
      least: undefined,
      most: undefined,
      isRequired: false,
    })
    expect(findMethod('replies.get').pathParameters).toEqual(['fileId', 'commentId', 'replyId'])
    expect(findMethod('comments.list').parameters.get('maxResults')).toMatchObject({
      standard: '20',
      least: 0,
      most: 100,
    })
    expect(COMMON_PARAMETERS.get('alt')?.values).toEqual(['json', 'media', 'proto'])
  })

  test('only some operations have neither an answer nor a body', () => {
    const without = (member: 'request' | 'response') =>
      METHODS.filter((method) => method[member] === undefined).map(({ id }) => id)
    expect(without('response').filter((id) => !id.endsWith('.delete'))).toEqual([
      'channels.stop',
      'files.emptyTrash',
      'files.export',
    ])
    const bodiless = METHODS.filter(({ httpMethod }) => !['GET', 'DELETE'].includes(httpMethod))
    expect(bodiless.filter(({ id }) => without('request').includes(id)).map(({ id }) => id)).toEqual([
      'drives.hide',
      'drives.unhide',
      'files.touch',
      'files.trash',
      'files.untrash',
    ])
  })

  test('each operation has an HTTP method and some of the scopes', () => {
    const verbs = METHODS.map(({ httpMethod }) => httpMethod)
    expect([...new Set(verbs)].toSorted()).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT'])
    const all = METHODS.flatMap(({ scopes }) => scopes)
    expect([...new Set(all)].toSorted()).toEqual(SCOPES.toSorted())
    expect(METHODS.filter(({ scopes }) => scopes.length === 0)).toEqual([])
  })

  test('each schema in a member is one of the table', () => {
    const named = (shape: MemberShape): string[] => {
      if (shape.kind === 'schema') return [shape.name]
      if (shape.kind === 'array' || shape.kind === 'map') return named(shape.of)
      return shape.kind === 'object' ? [...shape.members.values()].flatMap((one) => named(one.shape)) : []
    }
    const all = SCHEMA_NAMES.flatMap((name) => [...findMembers(name).values()])
    const wrong = all
      .flatMap(({ shape }) => named(shape))
      .filter((one) => !SCHEMA_NAMES.some((name) => name === one))
    expect(wrong).toEqual([])
  })

  test('every member that has to be in a body is one that may be written', () => {
    const wrong = METHODS.filter(({ request, requiredMembers }) =>
      requiredMembers.some((path) => {
        const [first = '', second] = path.split('.')
        const member = request === undefined ? undefined : findMembers(request).get(first)
        if (member?.isWritable !== true) return true
        return second !== undefined && innerMembers(member.shape)?.get(second)?.isWritable !== true
      }),
    )
    expect(wrong).toEqual([])
  })
})

interface Skeleton {
  readonly schemas: Record<string, unknown>
  readonly resources: Record<string, { readonly methods: Record<string, unknown> }>
  readonly 'x-requiredBodyFields': Record<string, Record<string, string[]>>
}

describe.skipIf(!hasShared)('the tables beside the published contract', () => {
  const skeleton = (): Skeleton =>
    JSON.parse(readFileSync(sharedPath('storage/discovery-skeleton.json'), 'utf8')) as Skeleton

  test('have the same operations and schemas', () => {
    const { resources, schemas } = skeleton()
    const published = Object.entries(resources).flatMap(([resource, { methods }]) =>
      Object.keys(methods).map((name) => `${resource}.${name}`),
    )
    expect(METHODS.map(({ id }) => id).toSorted()).toEqual(published.toSorted())
    expect(SCHEMA_NAMES.toSorted()).toEqual(Object.keys(schemas).toSorted())
  })

  test('ask for the same members of bodies', () => {
    const published = Object.values(skeleton()['x-requiredBodyFields']).flatMap((members) =>
      Object.entries(members).flatMap(([member, ids]) => ids.map((id) => `${id} ${member}`)),
    )
    const ours = METHODS.flatMap(({ id, requiredMembers }) =>
      requiredMembers.map((member) => `drive.${id} ${member.split('.').at(-1)}`),
    )
    // operations that the contract leaves out
    expect(ours.toSorted()).toEqual(published.filter((line) => !line.includes('teamdrives')).toSorted())
  })
})

test.for([
  ['files.get', 'open'],
  ['files.list', 'open'],
  ['files.watch', 'open'],
  ['revisions.get', 'open'],
  ['permissions.list', 'open'],
  ['children.list', 'open'],
  ['files.export', 'download'],
  ['files.insert', 'change'],
  ['files.copy', 'change'],
  ['files.touch', 'change'],
  ['children.insert', 'change'],
  ['comments.delete', 'change'],
  ['permissions.insert', 'share'],
  ['permissions.delete', 'share'],
  ['about.get', undefined],
  ['changes.list', undefined],
  ['permissions.getIdForEmail', undefined],
  ['drives.insert', undefined],
] as const)('the record of accesses says of %s: %s', ([id, action]) => {
  expect(accessOf(findMethod(id))?.action).toBe(action)
})
