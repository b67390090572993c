#!/usr/bin/env node
/**
 * Splits a table into parts of whole rows, each with the header:  split-table.mjs TABLE FOLDER PARTS
 * Only at line ends, and only where each of them ends a row: any other table is refused before anything is written.  [disk]
 */
import { createHash } from 'node:crypto'
import {
  closeSync, createReadStream, fsyncSync, mkdirSync, openSync, readdirSync, readSync, renameSync, writeSync,
} from 'node:fs' // prettier-ignore
import { basename, extname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { parseArgs } from 'node:util'
import * as zlib from 'node:zlib'

const USAGE = `split-table.mjs TABLE FOLDER PARTS [--header-lines N] [--quote CHAR|none]
  TABLE           plain, gzip or zstd; UTF-8 or another encoding in which a line feed is one byte
  FOLDER          gets part-0001.csv ..., sample.csv (the first rows, for hla --plan-from) and, last, parts.json
  --header-lines  lines at the top that every part needs: 1 unless given; 0 for a table without a header`

const LF = 10
const CR = 13
/** More than hla looks at before it decides how a table is read. */
const SAMPLE = { rows: 1100, bytes: 1 << 20 }

class Refusal extends Error {}

try {
  await splitTable(asked())
} catch (error) {
  const { code = '', message } = error
  const isUsage = code.startsWith('ERR_PARSE_ARGS')
  // what is wrong with the table, its packing or the disk; the rest is wrong with this program
  if (!isUsage && !(error instanceof Refusal) && !/^(E[A-Z]+|Z_\w+|ZSTD_\w+)$/.test(code)) throw error
  process.stderr.write(`split-table: ${message}\n`)
  process.exitCode = isUsage ? 2 : 1
}

function asked() {
  const options = {
    'header-lines': { type: 'string', default: '1' },
    quote: { type: 'string', default: '"' },
  }
  const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: true })
  const [table, folder, parts] = positionals
  const numbers = /^[1-9]\d{0,3} \d+$/
  if (positionals.length !== 3 || !numbers.test(`${parts} ${values['header-lines']}`)) {
    process.stderr.write(`${USAGE}\n`)
    process.exit(2)
  }
  const quote = values.quote === 'none' ? undefined : values.quote.charCodeAt(0)
  return { table, folder, parts: Number(parts), headerLines: Number(values['header-lines']), quote }
}

async function splitTable({ table, folder, parts, headerLines, quote }) {
  const survey = await surveyed(table, headerLines, quote)
  if (survey.lines < parts) throw new Refusal(`${table}: ${survey.lines} rows cannot be ${parts} parts`)
  mkdirSync(folder, { recursive: true })
  const [old] = readdirSync(folder).filter((name) => /^(part-\d{4}|sample)(\..*)?$|^parts\.json$/.test(name))
  if (old !== undefined) throw new Refusal(`${folder} holds ${old}: remove what an earlier run left there`)
  await writeParts(table, folder, { parts, headerLines, survey })
}

/** All of the table is looked at first. */
async function surveyed(table, headerLines, quote) {
  const hash = createHash('sha256')
  const found = { bytes: 0, lines: 0, rows: 0 }
  let [line, quotes, isEmpty, last] = [1, 0, true, LF]
  const endLine = () => {
    if (quotes % 2 === 1) refuseLine(table, line)
    if (line > headerLines) found.lines += 1
    if (line > headerLines && !isEmpty) found.rows += 1
    line += 1
    quotes = 0
    isEmpty = true
  }
  for await (const chunk of unpacked(table)) {
    hash.update(chunk)
    found.bytes += chunk.length
    for (let at = 0; at < chunk.length; at += 1) {
      last = chunk[at]
      if (last === LF) endLine()
      else if (last !== CR) isEmpty = false
      if (last === quote) quotes += 1
      if (last === 0)
        throw new Refusal(`${table}:${line}: a zero byte. UTF-16 must be made UTF-8 first (iconv)`)
    }
  }
  if (last !== LF) endLine()
  if (found.lines === 0)
    throw new Refusal(`${table} has no rows, or other line ends than line feeds: convert it in one run`)
  return { ...found, sha256: hash.digest('hex') }
}

function refuseLine(table, line) {
  throw new Refusal(
    `${table}:${line}: an odd number of quotation marks. Either a quoted field goes on in the next line, and lines are not rows; ` +
      'or quotes mean nothing in this table: --quote none here and for hla. Otherwise convert it in one run',
  )
}

async function writeParts(table, folder, { parts, headerLines, survey }) {
  const suffix = extname(basename(table).replace(/\.(gz|zst)$/i, ''))
  const named = (name) => `${name}${suffix}`
  const sizes = Array.from(
    { length: parts },
    (_, at) => Math.floor((survey.lines * (at + 1)) / parts) - Math.floor((survey.lines * at) / parts),
  )
  const written = []
  const hash = createHash('sha256')
  let [header, line, left] = [Buffer.alloc(0), 0, 0]
  let part, sample
  for await (const { bytes, isEmpty } of linesOf(table, hash)) {
    line += 1
    if (line <= headerLines) {
      header = Buffer.concat([header, bytes])
      continue
    }
    if (left === 0) {
      if (part !== undefined) written.push(part.finish())
      part = openPart(
        join(folder, named(`part-${String(written.length + 1).padStart(4, '0')}`)),
        header,
        line,
      )
      left = sizes[written.length]
    }
    left -= 1
    part.add(bytes, isEmpty)
    if (sample === undefined) sample = openPart(join(folder, named('sample')), header, line)
    if (sample.isShort()) sample.add(bytes, isEmpty)
  }
  const isSame = hash.digest('hex') === survey.sha256
  if (!isSame) throw new Refusal(`${table} was changed while it was read`)
  written.push(part.finish())
  const record = {
    format: 'hla-parts/1',
    input: { name: basename(table), bytes: survey.bytes, sha256: survey.sha256 },
    header_lines: headerLines,
    lines: survey.lines,
    rows: survey.rows,
    sample: sample.finish().name,
    parts: written,
  }
  // last: without it the parts are not all there
  const manifest = openFile(join(folder, 'parts.json'))
  manifest.write(Buffer.from(`${JSON.stringify(record, null, 2)}\n`))
  manifest.finish()
}

function openPart(path, header, firstLine) {
  const file = openFile(path)
  const counts = { lines: 0, rows: 0 }
  file.write(header)
  return {
    add(bytes, isEmpty) {
      file.write(bytes)
      counts.lines += 1
      if (!isEmpty) counts.rows += 1
    },
    isShort: () => counts.rows < SAMPLE.rows || file.size() < SAMPLE.bytes,
    finish: () => ({ name: basename(path), first_line: firstLine, ...counts, ...file.finish() }),
  }
}

/** Complete under its name, or not there. */
function openFile(path) {
  const hidden = `${path}.tmp`
  const handle = openSync(hidden, 'w')
  const hash = createHash('sha256')
  let [size, waiting, held] = [0, [], 0]
  const flush = () => {
    const block = Buffer.concat(waiting)
    hash.update(block)
    for (let at = 0; at < block.length;) at += writeSync(handle, block, at)
    ;[waiting, held] = [[], 0]
  }
  return {
    write(bytes) {
      waiting.push(bytes)
      held += bytes.length
      size += bytes.length
      if (held >= 1 << 20) flush()
    },
    size: () => size,
    finish() {
      flush()
      fsyncSync(handle)
      closeSync(handle)
      renameSync(hidden, path)
      return { bytes: size, sha256: hash.digest('hex') }
    },
  }
}

/** With their ends. */
async function* linesOf(table, hash) {
  let held = []
  const made = (bytes) => ({ bytes, isEmpty: bytes.every((byte) => byte === LF || byte === CR) })
  for await (const chunk of unpacked(table)) {
    hash.update(chunk)
    let from = 0
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      yield made(
        held.length === 0
          ? chunk.subarray(from, at + 1)
          : Buffer.concat([...held, chunk.subarray(from, at + 1)]),
      )
      ;[held, from] = [[], at + 1]
    }
    if (from < chunk.length) held.push(chunk.subarray(from))
  }
  if (held.length > 0) yield made(Buffer.concat(held))
}

/** By its content, not its name. */
function unpacked(table) {
  const stored = createReadStream(table, { highWaterMark: 1 << 20 })
  const unpack = unpackerOf(table)
  // what goes wrong with the file comes out of the stream that is read
  return unpack === undefined ? stored : pipeline(stored, unpack, () => undefined)
}

function unpackerOf(table) {
  const first = Buffer.alloc(4)
  const handle = openSync(table, 'r')
  readSync(handle, first)
  closeSync(handle)
  const magic = first.toString('hex')
  if (magic.startsWith('1f8b')) return zlib.createGunzip()
  if (magic !== '28b52ffd') return undefined
  if (zlib.createZstdDecompress === undefined) throw new Refusal(`${table} is zstd, which needs Node 22.15`)
  return zlib.createZstdDecompress()
}
