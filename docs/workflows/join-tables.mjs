#!/usr/bin/env node
/**
 * Joins the parts that hla converted into what one run would have written:  join-tables.mjs PARTS RESULTS OUTPUT
 * Every part must be there, be what was split, and be converted alike: else nothing is written.  [disk]
 */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { joinedRecord, openOutput, readJson, refuseUnlike, Refusal, runJoin, tell } from './joined-records.mjs'

const USAGE = `join-tables.mjs PARTS RESULTS OUTPUT
  PARTS    the folder that split-table.mjs filled
  RESULTS  a folder with what hla made of each part, under the same name, and its provenance (--provenance)
  OUTPUT   the table; OUTPUT.errors.csv is the report when cells failed, OUTPUT.joined.json says what it was made of`

const LF = 10

await runJoin('join-tables', () => joinTables(process.argv.slice(2)))

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
    const joined = joinedRecord(records, manifest.input, { name: basename(output), ...table.identity() })
    joined.summary.rows_split = manifest.rows
    const record = openOutput(`${output}.joined.json`)
    record.write(Buffer.from(`${JSON.stringify(joined, null, 2)}\n`))
    // all that can fail before the first name; the table last: where it is, the others are
    for (const file of [record, report, table]) file?.complete()
    if (report === undefined) rmSync(`${output}.errors.csv`, { force: true })
    for (const file of [report, record, table]) file?.finish()
    tell('join-tables', joined, 'parts')
  } catch (error) {
    for (const file of [table, report]) file?.abandon()
    throw error
  }
}

/** It is what was split, all of it was converted, and as the first part was. */
function checkPart(part, { sample }, record, first) {
  const { input, options, summary } = record
  const refuse = (why) => {
    throw new Refusal(`${part.result}: ${why}`)
  }
  if (input.sha256 !== part.sha256) refuse(`it was made of another table than ${part.name} (${input.name})`)
  if (basename(options.reading.planFrom ?? '') !== sample)
    refuse(`it was not read by the plan of the whole: --plan-from ${sample}`)
  refuseUnlike(part.result, 'part', record, first)
  const isAll =
    options.reading.dialect.comment === undefined ? summary.rows === part.rows : summary.rows <= part.rows
  if (!isAll) refuse(`${summary.rows} rows were converted of ${part.rows}`)
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
