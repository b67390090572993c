#!/usr/bin/env node
/**
 * Joins the parts that hla converted into what one run would have written:  join-tables.mjs PARTS RESULTS OUTPUT
 * Every part must be there, be what was split, and be converted alike: else nothing is written.  [disk]
 */
import { createHash } from 'node:crypto'
import {
  closeSync, createReadStream, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync,
} from 'node:fs' // prettier-ignore
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

const USAGE = `join-tables.mjs PARTS RESULTS OUTPUT
  PARTS    the folder that split-table.mjs filled
  RESULTS  a folder with what hla made of each part, under the same name, and its provenance (--provenance)
  OUTPUT   the table; OUTPUT.errors.csv is the report when cells failed, OUTPUT.joined.json says what it was made of`

const LF = 10

class Refusal extends Error {}

try {
  await joinTables(process.argv.slice(2))
} catch (error) {
  // what is wrong with the parts or the disk; the rest is wrong with this program
  if (!(error instanceof Refusal) && !/^E[A-Z]+$/.test(error.code ?? '')) throw error
  process.stderr.write(`join-tables: ${error.message}\n`)
  process.exitCode = 1
}

async function joinTables(words) {
  const [folder, results, output] = words
  if (words.length !== 3) {
    process.stderr.write(`${USAGE}\n`)
    process.exit(2)
  }
  const manifest = readJson(join(folder, 'parts.json'), 'hla-parts/1')
  const parts = manifest.parts.map((part) => ({ ...part, result: join(results, part.name) }))
  const records = parts.map((part) => readJson(`${part.result}.hla.json`, 'hla-provenance/1'))
  for (const [at, part] of parts.entries()) checkPart(part, manifest, records[at], records[0])
  const failed = records.reduce((sum, { summary }) => sum + summary.status.error, 0)
  const table = openOutput(output)
  const report = failed === 0 ? undefined : openOutput(`${output}.errors.csv`)
  try {
    const state = { header: undefined, headerLines: manifest.header_lines, rows: 0 }
    for (const [at, part] of parts.entries()) {
      await appendTable(table, part, records[at], state)
      if (report !== undefined) appendReport(report, part, records[at], state)
      state.rows += records[at].summary.rows
    }
    const joined = joinedRecord(manifest, records, { name: basename(output), ...table.identity() })
    const record = openOutput(`${output}.joined.json`)
    record.write(Buffer.from(`${JSON.stringify(joined, null, 2)}\n`))
    // all that can fail before the first name; the table last: where it is, the others are
    for (const file of [record, report, table]) file?.complete()
    if (report === undefined) rmSync(`${output}.errors.csv`, { force: true })
    for (const file of [report, record, table]) file?.finish()
    tell(joined)
  } catch (error) {
    for (const file of [table, report]) file?.abandon()
    throw error
  }
}

function readJson(path, format) {
  if (!existsSync(path))
    throw new Refusal(`there is no ${path}: is that part converted, and with --provenance?`)
  let record
  try {
    record = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Refusal(`${path} is not JSON`)
  }
  if (record.format !== format) throw new Refusal(`${path} is not of the format ${format}`)
  return record
}

/** It is what was split, all of it was converted, and as the first part was. */
function checkPart(part, { sample }, record, first) {
  const { input, data, options, summary } = record
  const refuse = (why) => {
    throw new Refusal(`${part.result}: ${why}`)
  }
  if (input.sha256 !== part.sha256) refuse(`it was made of another table than ${part.name} (${input.name})`)
  if (basename(options.reading.planFrom ?? '') !== sample)
    refuse(`it was not read by the plan of the whole: --plan-from ${sample}`)
  const same = [
    ['hla', record.hla, first.hla],
    ['data', data.data_id ?? data.dataset, first.data.data_id ?? first.data.dataset],
    ['data files', data, first.data],
    ['options', comparable(options), comparable(first.options)],
    ['plan', record.plan, first.plan],
  ]
  for (const [what, own, of] of same)
    if (!isDeepStrictEqual(own, of))
      refuse(`its ${what} is not that of the first part: ${short(own)}, not ${short(of)}`)
  const isAll =
    options.reading.dialect.comment === undefined ? summary.rows === part.rows : summary.rows <= part.rows
  if (!isAll) refuse(`${summary.rows} rows were converted of ${part.rows}`)
}

/** Folders differ from machine to machine. */
function comparable({ reading, ...rest }) {
  return { ...rest, reading: { ...reading, planFrom: basename(reading.planFrom) } }
}

function short(value) {
  return typeof value === 'string'
    ? value
    : `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)}`
}

/** The part without its header, which is that of the first; while it is copied it is looked at. */
async function appendTable(table, part, { output }, state) {
  const hash = createHash('sha256')
  let [bytes, lines, last] = [0, 0, LF]
  let held = Buffer.alloc(0)
  let isBelow = state.headerLines === 0
  for await (const chunk of createReadStream(part.result, { highWaterMark: 1 << 20 })) {
    hash.update(chunk)
    bytes += chunk.length
    last = chunk.at(-1)
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) lines += 1
    if (state.headerLines === 0 && bytes === chunk.length) refuseMark(part, chunk, table.size() === 0)
    if (isBelow) {
      table.write(chunk)
      continue
    }
    held = Buffer.concat([held, chunk])
    const end = endOfLines(held, state.headerLines)
    if (end === undefined) continue
    isBelow = true
    takeHeader(table, part, held.subarray(0, end), state)
    table.write(held.subarray(end))
  }
  if (last !== LF) lines += 1
  if (bytes !== output.bytes || hash.digest('hex') !== output.sha256)
    throw new Refusal(`${part.result} is not what its provenance describes`)
  if (lines !== part.lines + state.headerLines)
    throw new Refusal(
      `${part.result} has ${lines} lines; ${part.lines} and ${state.headerLines} of the header went in`,
    )
}

/** Where no header is taken off, a byte order mark would get into the table. */
function refuseMark(part, chunk, isFirst) {
  if (!isFirst && chunk.subarray(0, 3).toString('hex') === 'efbbbf')
    throw new Refusal(
      `${part.result} begins with a byte order mark: --bom add does not go with parts without a header`,
    )
}

function endOfLines(bytes, count) {
  let at = -1
  for (let line = 0; line < count; line += 1) {
    at = bytes.indexOf(LF, at + 1)
    if (at < 0) return undefined
  }
  return at + 1
}

function takeHeader(table, part, header, state) {
  if (state.header === undefined) {
    state.header = Buffer.from(header)
    table.write(state.header)
  } else if (!state.header.equals(header))
    throw new Refusal(`${part.result} has another header than the first part`)
}

/** Rows and lines are counted from the beginning of the whole table. */
function appendReport(report, part, { summary }, { rows, headerLines }) {
  // of an earlier run, perhaps
  if (summary.status.error === 0) return
  const path = `${part.result}.errors.csv`
  const [head, ...records] = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  if (report.size() === 0) report.write(Buffer.from(`${head}\n`))
  for (const record of records) {
    const [, row, line, rest] = /^(\d+),(\d+)(,.*)$/.exec(record) ?? []
    if (row === undefined)
      throw new Refusal(`${path} is not a report that can be joined: ${record.slice(0, 40)}`)
    const lineOfAll = Number(line) + part.first_line - headerLines - 1
    report.write(Buffer.from(`${Number(row) + rows},${lineOfAll}${rest}\n`))
  }
}

function joinedRecord({ input, rows }, records, output) {
  const [{ hla, data, options, plan }] = records
  return {
    format: 'hla-joined/1',
    hla,
    data,
    options: comparable(options),
    plan,
    input,
    output,
    summary: { ...records.map(({ summary }) => summary).reduce(added), rows_split: rows },
    started: records.map(({ started }) => started).sort()[0],
    ended: records
      .map(({ ended }) => ended)
      .sort()
      .at(-1),
    parts: records.map(({ input: of, output: made, summary, node, started, ended, exit }) => ({
      input: of, output: made, rows: summary.rows, node, started, ended, exit,
    })), // prettier-ignore
  }
}

/** Distinct typings of two parts may be the same: nobody knows how many there are of both. */
function added(a, b) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const sum = (name) => {
    const [one, other] = [a[name] ?? 0, b[name] ?? 0]
    if (name === 'distinct') return null
    return typeof one === 'object' || typeof other === 'object' ? added(one || {}, other || {}) : one + other
  }
  return Object.fromEntries(names.map((name) => [name, sum(name)]))
}

function tell({ output, summary, parts, data }) {
  const { rows, typings, status } = summary
  const of = data.data_id ?? `${data.release} ${data.dataset}`
  process.stderr.write(
    `join-tables: ${output.name}: ${rows} rows, ${typings} typings, ${status.error} failed; ${parts.length} parts, all of ${of}\n`,
  )
}

/** Complete under its name, or not there. */
function openOutput(path) {
  const hidden = join(dirname(path), `.${basename(path)}.part`)
  const handle = openSync(hidden, 'w')
  const hash = createHash('sha256')
  let bytes = 0
  return {
    write(block) {
      hash.update(block)
      bytes += block.length
      for (let at = 0; at < block.length;) at += writeSync(handle, block, at)
    },
    size: () => bytes,
    identity: () => ({ bytes, sha256: hash.copy().digest('hex') }),
    complete() {
      fsyncSync(handle)
      closeSync(handle)
    },
    finish: () => renameSync(hidden, path),
    abandon: () => rmSync(hidden, { force: true }),
  }
}
