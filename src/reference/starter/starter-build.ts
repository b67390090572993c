/**
 * Build step: compiles data/starter into dist, so that opening it is one read, and embeds in the library the package
 * files it reads.  [disk]
 */
import { packagePath, packageText, packageVersion } from '../../package-root.ts'
import { writeAtomically } from '../../io/atomic-write.ts'
import { STARTER_FILES, compiledStarter, compiledStarterCodes } from './open-starter.ts'

const release = compiledStarter()
const mac = compiledStarterCodes()
writeAtomically(packagePath('dist', STARTER_FILES.release), release)
writeAtomically(packagePath('dist', STARTER_FILES.mac), mac)

const held: Readonly<Record<string, Uint8Array | string>> = {
  'package.json': JSON.stringify({ version: packageVersion() }),
  [`dist/${STARTER_FILES.release}`]: release,
  [`dist/${STARTER_FILES.mac}`]: mac,
  // source of the catalogue of common alleles
  'data/starter/alleles.tsv': packageText('data/starter/alleles.tsv'),
}
const texts = Object.entries(held).map(([name, content]) => [name, Buffer.from(content).toString('base64')])
writeAtomically(
  packagePath('dist/lib/package-files.js'),
  `export const PACKAGE_FILES = ${JSON.stringify(Object.fromEntries(texts))}\n`,
)
