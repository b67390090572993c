import { describe, expect, test } from 'vitest'
import { localizeFacts, readApp, readAppFacts } from '../../../src/drive/protocol/bodies/app-facts.ts'

describe('readAppFacts', () => {
  test('takes members of the resource', () => {
    const facts = {
      primaryMimeTypes: ['text/csv'],
      icons: [{ category: 'application', iconUrl: 'https://a.example/i.png', size: 16 }],
      useByDefault: true,
      localized: { de: { name: 'Tafel' } },
    }
    expect(readAppFacts(JSON.stringify(facts))).toEqual(facts)
  })

  test.for([
    'x',
    '[]',
    '{"id":"a"}',
    '{"authorized":true}',
    '{"colour":"red"}',
    '{"useByDefault":"yes"}',
    '{"primaryMimeTypes":"text/csv"}',
    '{"icons":[{"url":"x"}]}',
    '{"localized":{"de":"Tafel"}}',
    '{"localized":{"de":{"id":"x"}}}',
    // one member beside a right one, in both orders
    '{"primaryMimeTypes":["text/csv",1]}',
    '{"primaryMimeTypes":[1,"text/csv"]}',
    '{"icons":[{"size":16},{"url":"x"}]}',
    '{"icons":[{"url":"x","size":16}]}',
    '{"icons":[{"size":16,"url":"x"}]}',
    '{"localized":{"de":{"name":"Tafel"},"fr":"table"}}',
    '{"localized":{"fr":"table","de":{"name":"Tafel"}}}',
    '{"localized":{"de":{"name":"Tafel","id":"x"}}}',
    '{"localized":{"de":{"id":"x","name":"Tafel"}}}',
    '{"localized":{"de":{"name":1}}}',
  ])('refuses %s', (text) => expect(() => readAppFacts(text)).toThrow(/program/))
})

describe('readApp', () => {
  test('reads the name apart from the other members', () => {
    expect(readApp('{"name":"Tables","useByDefault":true}')).toEqual({
      name: 'Tables',
      facts: { useByDefault: true },
    })
    expect(readApp('{}')).toEqual({ name: undefined, facts: {} })
  })

  test.for(['{"name":""}', '{"name":1}', '{"name":null}'])('refuses %s', (text) => {
    const message = 'Invalid value for name of a program.'
    const details = { location: 'name', locationType: 'parameter' }
    expect(() => readApp(text)).toThrow(
      expect.objectContaining({ status: 400, reason: 'invalid', message, details }),
    )
  })

  test.for([readApp, readAppFacts])('%o takes 64 KiB and no more', (read) => {
    const text = '{"useByDefault":true}'.padEnd(65_536)
    expect(() => read(text)).not.toThrow()
    const message = 'The description of a program is longer than 65536 characters.'
    expect(() => read(`${text} `)).toThrow(
      expect.objectContaining({ status: 400, reason: 'invalid', message }),
    )
  })
})

describe('factsIn', () => {
  const facts = { shortDescription: 'tables', localized: { de: { shortDescription: 'Tabellen' } } }

  test.for<[string | undefined, string]>([
    ['de', 'Tabellen'],
    ['de-AT', 'Tabellen'],
    ['fr', 'tables'],
    [undefined, 'tables'],
  ])('%s', ([language, text]) => expect(localizeFacts(facts, language)).toEqual({ shortDescription: text }))
})
