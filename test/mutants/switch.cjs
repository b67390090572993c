/** Whether a fault is the one that is put in now (`fault` in a folder), and notes in `reached` where its place runs. */
const { appendFileSync, readFileSync } = require('node:fs')
const { threadId } = require('node:worker_threads')

module.exports = (folder) => {
  const seen = new Set()
  let now
  // a program may run without rights, files or room
  try {
    now = Number(readFileSync(`${folder}/fault`, 'utf8'))
  } catch {}
  return (fault) => {
    if (!seen.has(fault)) {
      seen.add(fault)
      try {
        appendFileSync(`${folder}/reached`, `${fault} ${process.pid}.${threadId}\n`)
      } catch {}
    }
    return fault === now
  }
}
