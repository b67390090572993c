/** The Debian package: for all architectures, using the installed Node.  [disk, process] */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { author, description, homepage, name, oldestNode, version } from '../description.mjs'
import { EPOCH } from './tree.mjs'

/** `tree`: the result of makeTree. */
export function makeDebian(tree, folder, file) {
  const root = join(folder, 'debian')
  const usr = join(root, 'usr')
  cpSync(tree, usr, { recursive: true, verbatimSymlinks: true })
  packManual(join(usr, 'lib/hla/man'), join(usr, 'share/man'))
  writeDocs(join(usr, 'share/doc', name))
  // the copyright file contains the licence
  rmSync(join(usr, 'lib/hla/LICENSE'))
  mkdirSync(join(root, 'DEBIAN'))
  writeFileSync(join(root, 'DEBIAN/control'), control(kilobytes(usr)))
  run('chmod', '-R', 'u=rwX,go=rX', root)
  writeFileSync(join(root, 'DEBIAN/md5sums'), sums(root))
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: EPOCH },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function control(size) {
  const lines = [
    `Package: ${name}`,
    `Version: ${version}-1`,
    'Section: science',
    'Priority: optional',
    'Architecture: all',
    `Depends: nodejs (>= ${oldestNode})`,
    `Installed-Size: ${size}`,
    `Maintainer: ${author}`,
    `Homepage: ${homepage}`,
    `Description: ${description[0].toLowerCase()}${description.slice(1)}`,
    ' Reads GL Strings, alleles, MACs, XX codes, antigens and old names, and reduces',
    ' them to G, P, lgx and other levels over any IPD-IMGT/HLA release. Converts',
    ' tables of donors, and serves the same answers over HTTP.',
  ]
  return `${lines.join('\n')}\n`
}

/** Compresses the manual pages, as Debian policy requires. */
function packManual(own, shared) {
  rmSync(shared, { recursive: true })
  for (const page of readdirSync(own)) {
    const folder = join(shared, `man${page.at(-1)}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, `${page}.gz`),
      execFileSync('gzip', ['-9n'], { input: readFileSync(join(own, page)) }),
    )
  }
}

function writeDocs(folder) {
  mkdirSync(folder, { recursive: true })
  const copyright = [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    `Upstream-Name: ${name}`,
    `Source: ${homepage}`,
    '',
    'Files: *',
    `Copyright: ${new Date(EPOCH * 1000).getUTCFullYear()} ${author.replace(/ <.*/, '')}`,
    'License: Apache-2.0',
    ' On Debian systems the text of the Apache License 2.0 is in',
    ' /usr/share/common-licenses/Apache-2.0.',
    ' .',
    ' The packages in /usr/lib/hla/node_modules are under their own licences, which are',
    ' beside them; those of bundled packages are in /usr/lib/hla/dist/licences.txt.',
  ]
  writeFileSync(join(folder, 'copyright'), `${copyright.join('\n')}\n`)
  const date = new Date(EPOCH * 1000).toUTCString().replace('GMT', '+0000')
  const change = `${name} (${version}-1) unstable; urgency=medium\n\n  * Release ${version}.\n\n -- ${author}  ${date}\n`
  writeFileSync(join(folder, 'changelog.Debian.gz'), execFileSync('gzip', ['-9n'], { input: change }))
}

function sums(root) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.startsWith('DEBIAN'))
    .toSorted()
  return execFileSync('md5sum', files, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
}

function kilobytes(folder) {
  return execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]
}

function run(program, ...words) {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
}
