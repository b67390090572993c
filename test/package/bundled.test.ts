/** The list of what is bundled: packages and versions of the lock file, each with its licence. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
}

// our own files
const sbom = JSON.parse(read('dist/sbom.cdx.json')) as {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
}
const lock = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, { readonly version: string }>>
}
const manifest = JSON.parse(read('package.json')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
> & {
  readonly version: string
}

const nameOf = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`)
const bundled = sbom.components.map(nameOf)

test('is CycloneDX, of this version', () => {
  expect([sbom.bomFormat, sbom.specVersion]).toEqual(['CycloneDX', '1.6'])
  expect(sbom.metadata.component).toMatchObject({ name: 'hla', version: manifest.version })
})

test('has the versions of the lock file', () => {
  const locked = new Set(
    Object.entries(lock.packages).map(
      ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`,
    ),
  )
  expect(bundled).toContain('fastify')
  expect(sbom.components.filter((one) => !locked.has(`${nameOf(one)}@${one.version}`))).toEqual([])
})

/** Packages that the program's sources import, except for their types alone. */
function imported(): string[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => read(join('src', file)))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?:^import (?!type\b)[^'"]*? from |\bimport\()'([^'.][^']*)'/gm)].map(
      ([, name]) => name ?? '',
    ),
  )
  const packages = names.filter((name) => !name.startsWith('node:'))
  return [
    ...new Set(
      packages.map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    ),
  ].toSorted()
}

test('names each package that is imported and not installed beside the program', () => {
  const installed = new Set(
    ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {}),
    ),
  )
  const names = imported()
  expect(names).toEqual(expect.arrayContaining(['fastify', 'saxes', 'undici']))
  expect(names.filter((name) => !installed.has(name) && !bundled.includes(name))).toEqual([])
  // what is installed is imported
  expect([...installed].filter((name) => !names.includes(name))).toEqual([])
})

test('has a licence for each', () => {
  const licences = read('dist/licences.txt')
    .split(/^-{80}\n/m)
    .map((text) => text.trim())
  expect(licences.map((text) => text.split('\n')[0])).toEqual(
    sbom.components.map(({ purl }) => purl).toSorted(),
  )
  expect(licences.filter((text) => text.length < 60)).toEqual([])
})
