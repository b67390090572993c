/** Notes that a region runs: a byte of the file of the test that this process belongs to (reached.ts). Linux only. */
const { openSync, readFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')

const RUNS = Buffer.from([1])
let file

module.exports = () => {
  // once a region and thread
  const seen = (globalThis.noteSeen = new Uint8Array(1 << 20))
  return (region) => {
    if (seen[region] === 1) return
    seen[region] = 1
    // a program may run without rights, files or room
    try {
      file ??= openSync(belongsTo(process.pid), 'r+')
      writeSync(file, RUNS, 0, 1, region)
    } catch {}
  }
}

/** The notes of the process, or of one that started it (test/support/note-reached.ts). A number is given to several processes, one after the other, so their start counts, too. */
function belongsTo(pid) {
  if (pid <= 1) return join(__dirname, 'tests', 'none')
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent, start] = [fields[1], fields[19]]
  try {
    return readFileSync(join(__dirname, 'processes', `${pid}-${start}`), 'utf8')
  } catch {
    return belongsTo(Number(parent))
  }
}
