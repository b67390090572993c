/** Access record on disk: its files, their state after a kill, and searches. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  type Access,
  type AccessRecord,
  openAccessRecord,
} from '../../../src/drive/persistence/access-record.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const DAY = 86_400_000
const START = Date.parse('2026-11-27T12:00:00Z')

function access(file: string, more: Partial<Access> = {}): Access {
  return { action: 'download', method: 'files.get', file, user: 3, client: 1, token: 'abcdefghij', ...more }
}

/** A record with its own clock. */
function opened(name: string, more: { fileBytes?: number; days?: number } = {}) {
  const clock = { now: START, days: more.days ?? 365 }
  const warnings: string[] = []
  const open = () =>
    openAccessRecord(temp(name), {
      days: () => clock.days,
      warn: (text) => warnings.push(text),
      now: () => clock.now,
      ...(more.fileBytes === undefined ? {} : { fileBytes: more.fileBytes }),
    })
  return { clock, warnings, open, record: open() }
}

const filesOf = (name: string) => readdirSync(temp(name)).filter((file) => file.endsWith('.jsonl'))
const found = async (record: AccessRecord, file?: string) =>
  (await record.page({ file }, 1000)).items.map((one) => `${one.file}×${one.times}`)

describe('the record of accesses', () => {
  test('is asked by file and by user, the newest first, page by page', async () => {
    const { record, clock } = opened('asked')
    for (let at = 0; at < 25; at += 1) {
      record.note(access(`file${at % 2}`, { user: at % 3 }))
      clock.now += 1000
    }
    expect((await record.page({}, 1000)).items.map(({ at }) => (at - START) / 1000)).toEqual(
      Array.from({ length: 25 }, (_, at) => 24 - at),
    )
    expect((await record.page({ user: 2 }, 1000)).items).toHaveLength(8)
    const walked: number[] = []
    let next: string | undefined
    do {
      const page = await record.page({ file: 'file1' }, 5, next)
      walked.push(...page.items.map(({ at }) => (at - START) / 1000))
      // new records do not shift the pages
      record.note(access('file1'))
      clock.now += 1000
      ;({ next } = page)
    } while (next !== undefined)
    expect(walked).toEqual(Array.from({ length: 12 }, (_, at) => 23 - 2 * at))
    const position = (await record.page({}, 5)).next ?? ''
    for (const none of ['../../x:1', `x${position}`, `${position}x`, ''])
      await expect(record.page({}, 5, none)).rejects.toThrow(`no such position: ${none}`)
    record.close()
  })

  test('joins equal accesses of a second, and asks once which link it was', async () => {
    const { record, clock } = opened('equal')
    const link = vi.fn<() => string>(() => 'folder')
    for (let at = 0; at < 100; at += 1) record.note(access('file', { user: 0 }), link)
    clock.now += 1000
    record.note(access('file', { user: 0 }), link)
    const { items } = await record.page({ file: 'file' }, 10)
    expect(items.map(({ times, link: by }) => [times, by])).toEqual([
      [1, 'folder'],
      [100, 'folder'],
    ])
    expect(link).toHaveBeenCalledTimes(2)
    record.close()
  })

  test('has on disk, without a timer, what was noted a second before the next access, or as one of 1000', () => {
    const { record, clock } = opened('held')
    record.note(access('first'))
    expect(existsSync(temp('held'))).toBe(false)
    clock.now += 1000
    record.note(access('second'))
    const path = join(temp('held'), '2026-11-27.000000.jsonl')
    expect(readFileSync(path, 'utf8')).toContain('"first"')
    for (let at = 0; at < 1000; at += 1) record.note(access(`many${at}`))
    expect(readFileSync(path, 'utf8')).toContain('"many998"')
    record.close()
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(1003)
  })

  test('has on disk, a second later, what was noted while nothing else comes', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { record } = opened('timed')
      for (const lines of [1, 2, 3]) {
        record.note(access(`file${lines}`))
        vi.advanceTimersByTime(1000)
        const path = join(temp('timed'), '2026-11-27.000000.jsonl')
        expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(lines + 1)
      }
      record.close()
    } finally {
      vi.useRealTimers()
    }
  })

  test('goes on in a file of its own each day, and where one is full', async () => {
    const { record, clock } = opened('rotated', { fileBytes: 1000 })
    for (let at = 0; at < 40; at += 1) {
      record.note(access(`file${at}`))
      clock.now += at === 19 ? DAY : 1000
    }
    record.close()
    const names = filesOf('rotated')
    // one line more than fits is the last of its file
    expect(names.map((name) => statSync(join(temp('rotated'), name)).size > 1200)).not.toContain(true)
    expect(names.slice(0, 3)).toEqual([0, 1, 2].map((number) => `2026-11-27.00000${number}.jsonl`))
    expect(names.filter((name) => name.startsWith('2026-11-27')).length).toBeGreaterThan(1)
    expect(names.filter((name) => name.startsWith('2026-11-28')).length).toBeGreaterThan(1)
    const again = opened('rotated', { fileBytes: 1000 })
    again.clock.now = clock.now
    expect(await found(again.record)).toEqual(Array.from({ length: 40 }, (_, at) => `file${39 - at}×1`))
    again.record.note(access('after'))
    // the day's last file is the one that goes on
    expect((await found(again.record)).slice(0, 2)).toEqual(['after×1', 'file39×1'])
    again.record.close()
    expect(filesOf('rotated').slice(0, names.length)).toEqual(names)
  })

  test('is kept as long as the limit says, 0 records nothing', async () => {
    const { record, clock } = opened('kept', { days: 2 })
    // files of others stay
    const others = ['0-2026-11-01.000000.jsonl', '2026-11-01.000000.jsonl.gz', '2026-11-01.jsonl']
    mkdirSync(temp('kept'))
    for (const name of others) writeFileSync(join(temp('kept'), name), 'nonsense\n')
    for (let day = 0; day < 5; day += 1) {
      record.note(access(`day${day}`))
      clock.now += DAY
    }
    record.note(access('today'))
    expect(await found(record)).toEqual(['today×1', 'day4×1', 'day3×1'])
    expect(readdirSync(temp('kept')).toSorted()).toEqual(
      [
        ...others,
        ...['2026-11-30', '2026-12-01', '2026-12-02'].map((day) => `${day}.000000.jsonl`),
      ].toSorted(),
    )
    expect(await record.page({}, 1000)).toMatchObject({ damaged: 0, lost: 0 })
    clock.days = 1
    expect(await found(record)).toEqual(['today×1', 'day4×1'])
    clock.days = 0
    record.note(access('unseen'))
    clock.now += 1000
    expect(await found(record, 'unseen')).toEqual([])
    clock.days = 2
    expect(await found(record, 'unseen')).toEqual([])
    record.close()
  })

  test('leaves out damaged lines and counts them; a cut one takes no other along', async () => {
    const folder = temp('damaged')
    const first = opened('damaged')
    first.record.note(access('whole'))
    first.record.close()
    const path = join(folder, '2026-11-27.000000.jsonl')
    const bad = [
      'nonsense',
      '{"at":1}',
      '{"at":1,"action":"download","file":"whole","user":3,',
      '\u0000\u0000',
      '{"at":x,"file":"whole"}',
    ]
    appendFileSync(path, `${bad.join('\n')}\n{"at":17,"action":"open","fi`)
    const { record, clock } = opened('damaged')
    clock.now += 1000
    record.note(access('after'))
    const all = await record.page({}, 1000)
    expect(all.items.map(({ file }) => file)).toEqual(['after', 'whole'])
    expect(all.damaged).toBe(bad.length + 1)
    expect((await record.page({ file: 'whole' }, 10)).items).toHaveLength(1)
    record.close()
  })

  test('says how many it could not write, and goes on when it can', async () => {
    const folder = temp('refused')
    const { record, clock, warnings } = opened('refused')
    // a file in place of the folder
    writeFileSync(folder, '')
    for (let at = 0; at < 50_010; at += 1) record.note(access(`file${at}`))
    clock.now += 1000
    record.note(access('late'))
    expect(warnings).toEqual([`the access record cannot be written to ${folder}: file already exists`])
    rmSync(folder)
    mkdirSync(folder)
    clock.now += 1000
    expect(await record.page({ file: 'file49999' }, 10)).toMatchObject({ items: [{ times: 1 }], lost: 11 })
    expect((await record.page({ file: 'late' }, 10)).items).toEqual([])
    record.close()
  })

  test('goes on after a day whose file could not be made', async () => {
    const folder = temp('no folder')
    const { record, clock, warnings } = opened('no folder')
    record.note(access('before'))
    clock.now += 1000
    record.note(access('kept'))
    renameSync(folder, `${folder}.away`)
    writeFileSync(folder, '')
    clock.now += DAY
    for (const file of ['next', 'after']) {
      record.note(access(file))
      clock.now += 1000
    }
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
    expect(await found(record)).toEqual(['after×1', 'next×1', 'kept×1', 'before×1'])
    expect(warnings).toHaveLength(1)
    record.close()
  })

  test('is cleaned up hourly while nothing is noted', () => {
    vi.useFakeTimers()
    try {
      const { record, clock, warnings } = opened('hourly', { days: 2 })
      record.note(access('old'))
      clock.now += 1000
      record.note(access('next'))
      expect(filesOf('hourly')).toHaveLength(1)
      clock.now = START + 2 * DAY
      vi.advanceTimersByTime(3_600_000)
      expect(filesOf('hourly')).toHaveLength(1)
      clock.now += DAY
      vi.advanceTimersByTime(3_599_999)
      expect(filesOf('hourly')).toHaveLength(1)
      vi.advanceTimersByTime(1)
      expect(filesOf('hourly')).toEqual([])
      rmSync(temp('hourly'), { recursive: true })
      writeFileSync(temp('hourly'), '')
      vi.advanceTimersByTime(3_600_000)
      const failed = `old entries of the access record cannot be removed from ${temp('hourly')}: not a directory`
      expect(warnings).toEqual([failed])
      record.close()
      vi.advanceTimersByTime(7_200_000)
      expect(warnings).toEqual([failed])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a file that goes while it is read is left out, one that cannot be read is an error', async () => {
    const { record } = opened('gone')
    record.note(access('here'))
    expect(await found(record)).toEqual(['here×1'])
    symlinkSync(temp('nowhere'), join(temp('gone'), '2026-11-26.000000.jsonl'))
    expect(await found(record)).toEqual(['here×1'])
    mkdirSync(join(temp('gone'), '2026-11-25.000000.jsonl'))
    await expect(record.page({}, 10)).rejects.toMatchObject({ code: 'EISDIR' })
    record.close()
  })

  test('keeps each access as it was, for its owner only', async () => {
    const { record, clock } = opened('whole')
    const first = { action: 'open', method: 'files.list', file: 'a', user: 0, client: 0 } as const
    record.note(first, () => 'folder')
    record.note({ ...first, action: 'change', user: 5, client: 2, token: 'abc' })
    clock.now += 5
    record.note({ ...first, action: 'change', user: 5, client: 2, token: 'abc' })
    const items = [
      { ...first, at: START, action: 'change', user: 5, client: 2, token: 'abc', times: 2 },
      { ...first, at: START, link: 'folder', times: 1 },
    ]
    expect(await record.page({}, 10)).toEqual({ items, next: undefined, damaged: 0, lost: 0 })
    const path = join(temp('whole'), '2026-11-27.000000.jsonl')
    expect([temp('whole'), path].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o600])
    const lines = readFileSync(path, 'utf8')
    expect(lines.split('\n').map((line) => (line === '' ? line : (JSON.parse(line) as unknown)))).toEqual([
      ...items.toReversed(),
      '',
    ])
    record.close()
    expect(readFileSync(path, 'utf8')).toBe(lines)
  })

  test('joins no accesses that differ in anything', async () => {
    const { record } = opened('differ')
    const others: readonly Partial<Access>[] = [
      {},
      { action: 'open' },
      { method: 'files.export' },
      { user: 4 },
      { client: 2 },
      { token: 'other' },
      { token: undefined },
    ]
    for (let times = 0; times < 2; times += 1) for (const more of others) record.note(access('a', more))
    record.note(access('b'))
    expect(await found(record)).toEqual(['b×1', ...others.map(() => 'a×2')])
    record.close()
  })

  const LINE = { at: START, action: 'share', method: 'm', file: 'a', user: 3, client: 1, times: 1 }
  test.for<[name: string, line: string, expected: object]>([
    ['an access', JSON.stringify(LINE), { items: [LINE] }],
    ['nothing', '', {}],
    ['what was lost', '{"at":1,"lost":4}', { lost: 4 }],
    ['a text as what was lost', '{"at":1,"lost":"4"}', { damaged: 1 }],
    ['a text as its time', JSON.stringify({ ...LINE, at: 'x' }), { damaged: 1 }],
    ['another action', JSON.stringify({ ...LINE, action: 'look' }), { damaged: 1 }],
    ['a number as its file', JSON.stringify({ ...LINE, file: 5 }), { damaged: 1 }],
    ['a text as its user', JSON.stringify({ ...LINE, user: '3' }), { damaged: 1 }],
    ['a text as its times', JSON.stringify({ ...LINE, times: '1' }), { damaged: 1 }],
    ['a line with a beginning of its own', ` ${JSON.stringify(LINE)}`, { damaged: 1 }],
    ['a line with an end of its own', `${JSON.stringify(LINE)} `, { damaged: 1 }],
  ])('a line with %s', async ([name, line, expected]) => {
    mkdirSync(temp(name))
    writeFileSync(join(temp(name), '2026-11-27.000000.jsonl'), `${line}\n`)
    const { record } = opened(name)
    const page = { items: [], next: undefined, damaged: 0, lost: 0, ...expected }
    expect(await record.page({}, 10)).toEqual(page)
    record.close()
  })

  test('counts what was lost whatever is searched, and finds a file and a user by their whole names', async () => {
    mkdirSync(temp('searched'))
    const lines = [
      LINE,
      { at: 1, lost: 2 },
      { ...LINE, file: 'ab', user: 33 },
      { ...LINE, user: 33 },
      { ...LINE, file: 'ab' },
      { at: 1, lost: 3 },
    ]
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    writeFileSync(join(temp('searched'), '2026-11-27.000000.jsonl'), text)
    const { record } = opened('searched')
    const searched = async (search: object) => {
      const { items, ...rest } = await record.page(search, 10)
      return [items.map(({ file, user }) => `${file} ${user}`), rest]
    }
    const rest = { next: undefined, damaged: 0, lost: 5 }
    expect(await searched({})).toEqual([['ab 3', 'a 33', 'ab 33', 'a 3'], rest])
    expect(await searched({ file: 'a' })).toEqual([['a 33', 'a 3'], rest])
    expect(await searched({ user: 3 })).toEqual([['ab 3', 'a 3'], rest])
    expect(await searched({ file: 'ab', user: 33 })).toEqual([['ab 33'], rest])
    expect(await searched({ file: 'b' })).toEqual([[], rest])
    record.close()
  })

  test('a search that takes long ends early, and goes on from there', async () => {
    mkdirSync(temp('long'))
    for (const day of [25, 26, 27])
      writeFileSync(
        join(temp('long'), `2026-11-${day}.000000.jsonl`),
        `${JSON.stringify({ ...LINE, file: `${day}` })}\n`.repeat(2),
      )
    const { record } = opened('long')
    const name = '2026-11-27.000000.jsonl'
    const none = { items: [], next: `${name}:2`, damaged: 0, lost: 0 }
    expect(await record.page({}, 10, undefined, 0)).toEqual(none)
    const filesAt = async (most: number, before?: string) => {
      const { items, next } = await record.page({}, most, before)
      return [items.map(({ file }) => file).join(' '), next]
    }
    expect(await filesAt(10, none.next)).toEqual(['27 27 26 26 25 25', undefined])
    expect(await filesAt(1)).toEqual(['27', `${name}:1`])
    expect(await filesAt(1, `${name}:1`)).toEqual(['27', '2026-11-26.000000.jsonl:2'])
    expect(await filesAt(3)).toEqual(['27 27 26', '2026-11-26.000000.jsonl:1'])
    expect(await filesAt(9, `${name}:0`)).toEqual(['26 26 25 25', undefined])
    // more lines than there are, and a file that is gone
    expect(await filesAt(9, `${name}:99`)).toEqual(['27 27 26 26 25 25', undefined])
    expect(await filesAt(9, '2026-11-26.000003.jsonl:7')).toEqual(['26 26 25 25', undefined])
    expect(await filesAt(6)).toEqual(['27 27 26 26 25 25', undefined])
    record.close()
  })
})
