/** Typings of a GL String by locus, each with its place. */
import { expect, test } from 'vitest'
import { glTypings } from '../../../src/table/sources/gl-rows.ts'

test.for([
  ['', ['']],
  ['  ', ['']],
  ['A*01:01', ['A1 A*01:01']],
  [' A*01:01+A*02:01 ', ['A1 A*01:01', 'A2 A*02:01']],
  ['A*01:01+A*02:01^B*07:02', ['A1 A*01:01', 'A2 A*02:01', 'B1 B*07:02']],
  ['A*01:01+A*02:01+A*03:01', ['A1 A*01:01', 'A2 A*02:01', 'A A*03:01']],
  ['DRB3*01:01+DRB4*01:01', ['DRB31 DRB3*01:01', 'DRB41 DRB4*01:01']],
  ['A*01:01/A*01:02+A*02:01', ['A1 A*01:01/A*01:02', 'A2 A*02:01']],
  ['A*01:01+A*02:01|A*01:02+A*02:01', ['A1 A*01:01+A*02:01|A*01:02+A*02:01']],
  ['A*01:01+A*02:01^B*07:02?B*08:01', ['GL1 A*01:01+A*02:01^B*07:02?B*08:01']],
  [' hla#3.29.0#A*01:01+A*02:01^B*07:02', ['A1 hla#3.29.0#A*01:01', 'A2 hla#3.29.0#A*02:01', 'B1 hla#3.29.0#B*07:02']],
  ['hla#3.29.0#A*01:01?B*07:02', ['GL1 hla#3.29.0#A*01:01?B*07:02']],
  ['foo+bar', ['GL1 foo+bar']],
] as const)('of %j', ([text, typings]) => {
  const shown = glTypings(text).map(({ locus, slot, typing }) => `${locus}${slot ?? ''} ${typing}`.trim())
  expect(shown).toEqual(typings)
}) // prettier-ignore
