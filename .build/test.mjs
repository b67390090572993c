// npm test: all but the slow files. npm test -- WING: every test of one wing. Further words go to Vitest.
import { spawnSync } from 'node:child_process'

const [first = '', ...rest] = process.argv.slice(2)
const isWing = /^[a-z]+$/.test(first)
const cut = isWing ? { HLA_TEST_WING: first } : { HLA_TEST_CUT: 'quick' }
const words = ['vitest', 'run', '--config', 'test/vitest.config.ts', ...(isWing || first === '' ? rest : [first, ...rest])]
process.exitCode = spawnSync('npx', words, { stdio: 'inherit', env: { ...process.env, ...cut } }).status ?? 1
