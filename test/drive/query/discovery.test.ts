import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SCOPES } from '../../../src/drive/contract/failure.ts'
import { METHODS } from '../../../src/drive/contract/methods.ts'
import { discoveryDirectory, discoveryDocument } from '../../../src/drive/protocol/answers/discovery.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

const PUBLISHED = { base: 'https://drive.example.test', revision: '1.0.0', maxUpload: 5 * 1024 ** 4 }

interface Document extends Record<string, unknown> {
  readonly parameters: Record<string, Record<string, unknown>>
  readonly resources: Record<string, { readonly methods: Record<string, Record<string, unknown>> }>
}

function published(): Document {
  // as a client parses it
  return JSON.parse(JSON.stringify(discoveryDocument(PUBLISHED))) as Document
}

describe('discoveryDocument', () => {
  test('says where the service is', () => {
    expect(published()).toMatchObject({
      kind: 'discovery#restDescription',
      rootUrl: 'https://drive.example.test/',
      servicePath: 'drive/v2/',
      baseUrl: 'https://drive.example.test/drive/v2/',
      batchPath: 'batch/drive/v2',
      basePath: '/drive/v2/',
      discoveryVersion: 'v1',
      id: 'drive:v2',
      name: 'drive',
      version: 'v2',
      revision: '1.0.0',
      title: 'File storage',
      description: 'Stores files, folders and their history, and finds them again.',
      protocol: 'rest',
    })
  })

  test('describes every operation and every resource', () => {
    const { resources } = published()
    const methods = Object.values(resources).flatMap((resource) => Object.values(resource.methods))
    expect(methods).toHaveLength(METHODS.length)
    expect(
      methods.filter(({ description }) => typeof description !== 'string' || description === ''),
    ).toEqual([])
    expect(
      Object.values(resources).filter((resource) => Reflect.get(resource, 'description') === ''),
    ).toEqual([])
  })

  test('describes every scope', () => {
    const { scopes } = (published()['auth'] as { oauth2: { scopes: Record<string, object> } }).oauth2
    expect(Object.keys(scopes).toSorted()).toEqual([...SCOPES].toSorted())
    for (const described of Object.values(scopes))
      expect(described).toEqual({ description: expect.stringMatching(/^[A-Z].*\w$|^[A-Z].*\.$/) })
  })

  test('tells the largest upload that there is', () => {
    const document = discoveryDocument({ ...PUBLISHED, maxUpload: 1000 })
    expect(JSON.stringify(document).match(/"maxSize":"1000"/g)).toHaveLength(2)
  })

  test.skipIf(!hasShared)('is the published contract, but for our own words', () => {
    const skeleton = JSON.parse(
      readFileSync(sharedPath('storage/discovery-skeleton.json'), 'utf8'),
    ) as Document
    const { 'x-requiredBodyFields': _, ...contract } = skeleton
    const { revision, title, description, auth, ...ours } = published()
    expect([revision, title, description, auth].every((words) => words !== undefined)).toBe(true)
    for (const resource of Object.values(ours.resources)) Reflect.deleteProperty(resource, 'description')
    for (const resource of Object.values(ours.resources)) {
      for (const method of Object.values(resource.methods)) Reflect.deleteProperty(method, 'description')
    }
    const plain = JSON.stringify(contract).replaceAll('{BASE_URL}', PUBLISHED.base)
    const wanted = JSON.parse(plain) as Document
    // our answers are compact by default
    wanted.parameters['prettyPrint']!['default'] = 'false'
    expect(ours).toEqual(wanted)
  })
})

describe('discoveryDirectory', () => {
  test('lists this interface', () => {
    expect(discoveryDirectory('http://127.0.0.1:8080')).toEqual({
      kind: 'discovery#directoryList',
      discoveryVersion: 'v1',
      items: [
        {
          kind: 'discovery#directoryItem',
          id: 'drive:v2',
          name: 'drive',
          version: 'v2',
          title: 'File storage',
          description: 'Stores files, folders and their history, and finds them again.',
          discoveryRestUrl: 'http://127.0.0.1:8080/discovery/v1/apis/drive/v2/rest',
          discoveryLink: './apis/drive/v2/rest',
          documentationLink: 'http://127.0.0.1:8080/',
          preferred: true,
        },
      ],
    })
  })
})
