/**
 * With --hash-seed and without V8's decisions in other threads, a program makes the same compiled form each time.
 * V8 accepts a form only under the flags that made it, so the usual flags are restored before the form is written;
 * bin/hla.cjs writes it later in the exit.
 */
process.once('exit', () => {
  const { setFlagsFromString } = require('node:v8')
  for (const flag of ['--hash-seed=0', '--sparkplug', '--profile-guided-optimization'])
    setFlagsFromString(flag)
})
