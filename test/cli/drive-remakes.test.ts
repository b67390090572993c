/** A server rebuilds its copy only a bounded number of times. */
import { describe, expect, test } from 'vitest'
import { remakeLimit } from '../../src/client/drive/cli/server/serve.ts'

const MINUTE = 60_000

describe('a copy that is damaged', () => {
  test('again and again ends the server, with the last reason', () => {
    const remade = remakeLimit('/srv/store')
    for (let at = 0; at < 20; at += 1) remade(at * MINUTE, 'a bit')
    expect(() => remade(20 * MINUTE, 'another bit')).toThrow(
      'the copy of the store was damaged 21 times within an hour: another bit',
    )
  })

  test('now and then is made anew each time', () => {
    const remade = remakeLimit('/srv/store')
    for (let at = 0; at < 200; at += 1) expect(() => remade(at * 3.1 * MINUTE, 'a bit')).not.toThrow()
  })
})
