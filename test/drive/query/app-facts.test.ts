import { describe, expect, test } from 'vitest'
import {
  collectTexts,
  localizeFacts,
  readApp,
  readAppFacts,
} from '../../../src/drive/protocol/bodies/app-facts.ts'

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

  const OBJECT = 'The description of a program must be a JSON object.'
  test.for([
    ['x', OBJECT, undefined],
    ['[]', OBJECT, undefined],
    ['null', OBJECT, undefined],
    ...['kind', 'id', 'name', 'authorized', 'hasDriveWideScope', 'colour'].map(
      (name) => [`{"${name}":"a"}`, `Unknown member of a program: ${name}.`, name] as const,
    ),
    ...[
      ['useByDefault', '"yes"'],
      ['useByDefault', '1'],
      ['shortDescription', '1'],
      ['shortDescription', 'true'],
      ['primaryMimeTypes', '"text/csv"'],
      ['icons', '[{"url":"x"}]'],
      ['icons', '[{"size":"16"}]'],
      ['icons', '["x"]'],
      ['localized', '{"de":"Tafel"}'],
      ['localized', '{"de":{"id":"x"}}'],
      ['localized', '[]'],
      ['localized', '"de"'],
      // one member beside a right one, in both orders
      ['primaryMimeTypes', '["text/csv",1]'],
      ['primaryMimeTypes', '[1,"text/csv"]'],
      ['icons', '[{"size":16},{"url":"x"}]'],
      ['icons', '[{"url":"x","size":16}]'],
      ['icons', '[{"size":16,"url":"x"}]'],
      ['localized', '{"de":{"name":"Tafel"},"fr":"table"}'],
      ['localized', '{"fr":"table","de":{"name":"Tafel"}}'],
      ['localized', '{"de":{"name":"Tafel","id":"x"}}'],
      ['localized', '{"de":{"id":"x","name":"Tafel"}}'],
      ['localized', '{"de":{"name":1}}'],
    ].map(
      ([name = '', value = '']) =>
        [
          `{"longDescription":"","${name}":${value}}`,
          `Invalid value for ${name} of a program.`,
          name,
        ] as const,
    ),
  ] as const)('refuses %s: %s', ([text, message, location]) => {
    const details = location === undefined ? {} : { location, locationType: 'parameter' }
    expect(() => readAppFacts(text)).toThrow(
      expect.objectContaining({ status: 400, reason: 'invalid', message, details }),
    )
  })

  test('takes all texts in another language', () => {
    const facts = { localized: { de: { name: 'a', shortDescription: 'b', longDescription: 'c' }, fr: {} } }
    expect(readAppFacts(JSON.stringify(facts))).toEqual(facts)
  })
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

test('collects the texts of several members, in their order', () => {
  const facts = { a: ['1', 2], b: 'x', c: ['3'] }
  expect(collectTexts(facts, 'c', 'b', 'a', 'none')).toEqual(['3', '1', '2'])
})

describe('localizeFacts', () => {
  const facts = {
    shortDescription: 'tables',
    longDescription: 'long',
    localized: { de: { shortDescription: 'Tabellen' }, 'de-CH': { longDescription: 'lang' } },
  }

  test.for<[string | undefined, string, string]>([
    ['de', 'Tabellen', 'long'],
    ['de-AT', 'Tabellen', 'long'],
    ['de_AT', 'Tabellen', 'long'],
    ['de-CH', 'tables', 'lang'],
    ['fr', 'tables', 'long'],
    ['toString', 'tables', 'long'],
    ['', 'tables', 'long'],
    [undefined, 'tables', 'long'],
  ])('in %s', ([language, shortDescription, longDescription]) =>
    expect(localizeFacts(facts, language)).toEqual({ shortDescription, longDescription }),
  )

  test('without other languages they are as they are', () => {
    expect(localizeFacts({ shortDescription: 'tables' }, 'de')).toEqual({ shortDescription: 'tables' })
  })
})
