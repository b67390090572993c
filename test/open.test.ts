/** The library where no release is installed. */
import { expect, test } from 'vitest'
import { openOperations, openRelease } from '../src/open.ts'
import { tempFolder } from './support/temp.ts'

const temp = tempFolder()

test.for([
  ['openRelease', openRelease],
  ['openOperations', openOperations],
] as const)('%s names the remedy in its message', ([, open]) => {
  const { HLA_SYSTEM_DATA_DIR } = process.env
  process.env['HLA_SYSTEM_DATA_DIR'] = temp('none')
  try {
    expect(() => open('active', { dataDir: temp('none') })).toThrow(
      expect.objectContaining({
        code: 'no-data',
        message: expect.stringMatching(
          /^no nomenclature data installed: hla data install latest.*; the release 'starter' is built in$/,
        ),
      }),
    )
    expect(() => open('3.58.0', { dataDir: temp('none') })).toThrow(/hla data install 3\.58\.0/)
    expect(open('starter')).toBeDefined()
  } finally {
    if (HLA_SYSTEM_DATA_DIR === undefined) delete process.env['HLA_SYSTEM_DATA_DIR']
    else process.env['HLA_SYSTEM_DATA_DIR'] = HLA_SYSTEM_DATA_DIR
  }
})
