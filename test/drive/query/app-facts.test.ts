import { describe, expect, test } from 'vitest'
import { localizeFacts, readAppFacts } from '../../../src/drive/protocol/bodies/app-facts.ts'

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
  ])('refuses %s', (text) => expect(() => readAppFacts(text)).toThrow(/program/))
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
