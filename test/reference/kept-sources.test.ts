/** Published files as installed: a file removed later is reported, and not mistaken for one without the line. */
import type { InstalledMacList } from '../../src/reference/store/manifest.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptSources } from '../../src/reference/store/kept-sources.ts'
import { type ReleaseManifest, sha256Of } from '../../src/reference/store/manifest.ts'
import { errorOf } from '../support/errors.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

test('a file that is there, one that never was, and two that are gone', () => {
  const folder = temp('release.bin')
  mkdirSync(join(folder, 'src/wmda'), { recursive: true })
  const path = join(folder, 'src/wmda/hla_nom.txt')
  const text = 'A*;01:01;;;;\n'
  writeFileSync(path, text)
  // the only fields of both that are read
  const manifest = {
    files: [
      { name: 'wmda/hla_nom.txt', sha256: sha256Of(Buffer.from(text)) },
      { name: 'wmda/hla_nom_g.txt' },
    ],
  } as unknown as ReleaseManifest
  const list = {
    path: join(folder, 'codes.bin'),
    manifest: { source: { name: 'numer.v3.txt' } },
  } as unknown as InstalledMacList
  const sources = keptSources(folder, manifest, list)
  expect(sources('hla_nom.txt')).toBe(text)
  expect(sources('hla_nom_p.txt')).toBeUndefined()
  const codes = 'AB\t01/02\n'
  const kept = {
    path: join(folder, 'kept.bin'),
    manifest: { source: { name: 'numer.v3.txt', sha256: sha256Of(Buffer.from(codes)) } },
  } as unknown as InstalledMacList
  writeFileSync(join(folder, 'kept.txt'), codes)
  expect(keptSources(folder, manifest, kept)('numer.v3.txt')).toBe(codes)
  for (const name of ['hla_nom_g.txt', 'numer.v3.txt'])
    expect(errorOf(() => sources(name))).toMatchObject({ code: 'no-data', offending: name })
  writeFileSync(path, text.replace('01:01', '01:03'))
  expect(errorOf(() => sources('hla_nom.txt'))).toMatchObject({ code: 'checksum-mismatch', offending: path })
})
