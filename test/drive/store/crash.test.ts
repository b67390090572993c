import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { bundled } from '../../support/bundled.ts'
import { nothingTold, powerLossLayer, problemsOf, startLoad, type Told } from '../../support/crash.ts'
import { IS_LONG, IS_QUICK } from '../../support/rounds.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const load = bundled('test/support/store-load.ts')
const writer = bundled('test/support/store-writer.ts')
const verify = bundled('test/support/store-verify.ts')
const layer = powerLossLayer(temp('power-loss.so'))

const allTold = new Map<string, Told>()

function toldOf(folder: string): Told {
  const told = allTold.get(folder) ?? nothingTold()
  allTold.set(folder, told)
  return told
}

describe('kill -9 under load', () => {
  const rounds = IS_LONG ? 50 : IS_QUICK ? 3 : 10

  test(
    `${rounds} times: nothing that was acknowledged is lost, nothing is half there`,
    { timeout: 600_000 },
    async () => {
      const folder = temp('killed')
      const told = nothingTold()
      for (let round = 0; round < rounds; round++) {
        const { child, started, ended } = startLoad(load, [folder, writer, `r${round}`], told)
        await started
        // files are acknowledged long before the first block of an upload is
        if (round === 0) await expect.poll(() => told.uploads.length, { timeout: 60_000 }).toBeGreaterThan(0)
        await sleep(Math.random() * 200)
        child.kill('SIGKILL')
        expect(await ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
        expect(problemsOf(verify, folder, told)).toEqual([])
      }
      expect(told.files.length).toBeGreaterThan(rounds)
    },
  )
})

describe.skipIf(layer === undefined)('loss of power', () => {
  test('the layer does lose what was not synced', () => {
    const folder = temp('layer')
    mkdirSync(folder)
    const write = (name: string, sync: string) =>
      `const ${name} = fs.openSync('${folder}/${name}', 'w'); fs.writeSync(${name}, '1'); ${sync}`
    const script = `const fs = require('fs');
      ${write('synced', `fs.fsyncSync(synced); const d = fs.openSync('${folder}', 'r'); fs.fsyncSync(d)`)}
      ${write('nameless', 'fs.fsyncSync(nameless)')}; fs.writeSync(synced, '2'); fs.writeSync(synced, '3')`
    // the power fails at the ninth and last operation
    const env = { ...process.env, LD_PRELOAD: layer, POWER_FOLDER: folder, POWER_AT: '9' }
    expect(spawnSync(process.execPath, ['-e', script], { env }).status).toBe(137)
    expect(readdirSync(folder)).toEqual(['synced'])
    expect(readFileSync(join(folder, 'synced'), 'latin1')).toMatch(/^1\0?2?$/)
  })

  test.runIf(IS_LONG)(
    '200 times: what was acknowledged had been on disk',
    { timeout: 1_800_000 },
    async () => {
      for (let round = 0; round < 200; round++) {
        // the same store for ten rounds, then a new one
        const folder = temp(`powerless ${round - (round % 10)}`)
        const told = toldOf(folder)
        const at = 1 + Math.floor(Math.random() ** 2 * 20_000)
        const env = { LD_PRELOAD: layer ?? '', POWER_FOLDER: folder, POWER_AT: String(at) }
        const { ended } = startLoad(load, [folder, writer, `p${round}`], told, env)
        expect(await ended, `at operation ${at}`).toMatchObject({ status: 137 })
        expect(problemsOf(verify, folder, told), `at operation ${at}`).toEqual([])
      }
    },
  )

  const steps = IS_LONG ? 3 : IS_QUICK ? 120 : 30
  test(`while a store is being made, every ${steps} operations`, { timeout: 600_000 }, async () => {
    for (let at = 1; at < 360; at += steps) {
      const folder = temp(`made until ${at}`)
      const told = nothingTold()
      const env = { LD_PRELOAD: layer ?? '', POWER_FOLDER: folder, POWER_AT: String(at) }
      expect(await startLoad(load, [folder, writer, 'm'], told, env).ended).toMatchObject({ status: 137 })
      expect(problemsOf(verify, folder, told), `at operation ${at}`).toEqual([])
    }
  })

  test('a sync that fails ends the service: it is not tried again', async () => {
    const told = nothingTold()
    const folder = temp('io error')
    const env = { LD_PRELOAD: layer ?? '', POWER_FOLDER: folder, SYNC_FAILS_AT: '300' }
    const { ended } = startLoad(load, [folder, writer, 'e'], told, env)
    expect(await ended).toMatchObject({
      signal: 'SIGKILL',
      stderr: expect.stringContaining('broken: ') as unknown,
    })
    expect(problemsOf(verify, folder, told)).toEqual([])
  })
})
