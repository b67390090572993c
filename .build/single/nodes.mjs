/** The Node executables of single files: one npm package a platform, checked by SHA-256.  [disk, network, process] */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../description.mjs'

export const NODE_VERSION = '26.10.0'

/** SHA-256 of the Node executable. */
export const PLATFORMS = {
  'linux-x64': 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
  'linux-arm64': '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
}

const KEPT = join(ROOT, 'node_modules/.cache/nodes')

/** Path of the Node executable. @throws {Error} its checksum is wrong */
export function nodeFor(platform) {
  const file = join(KEPT, `node-${NODE_VERSION}-${platform}`)
  if (!existsSync(file)) fetchNode(platform, file)
  return file
}

function fetchNode(platform, file) {
  const folder = `${file}.part`
  mkdirSync(folder, { recursive: true })
  const run = (program, ...words) => execFileSync(program, words, { cwd: folder, encoding: 'utf8' }).trim()
  const packed = run('npm', 'pack', '--silent', `node-${platform}@${NODE_VERSION}`)
  run('tar', '-xzf', packed, 'package/bin/node')
  const found = join(folder, 'package/bin/node')
  const sum = createHash('sha256').update(readFileSync(found)).digest('hex')
  if (sum !== PLATFORMS[platform])
    throw new Error(`Node ${NODE_VERSION} for ${platform} is another one: sha256 ${sum}`)
  renameSync(found, file)
  run('rm', '-rf', folder)
}
