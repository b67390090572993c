/**
 * A program that is started with --hash-seed and without what V8 decides in other threads makes the same compiled form each time. V8 takes
 * a form only under the flags it was made under: those of everybody, by the time it is written (bin/hla.cjs writes it later at the exit).
 */
process.once('exit', () => {
  const { setFlagsFromString } = require('node:v8')
  for (const flag of ['--hash-seed=0', '--sparkplug', '--profile-guided-optimization'])
    setFlagsFromString(flag)
})
