/** Releases read from folders, zip files and web addresses. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_RELEASE_URL, openSource } from '../../src/reference/published/release-source.ts'
import { readMacList, readMacListDate } from '../../src/reference/published/mac-list.ts'
import { refuseSlow } from '../../src/reference/published/url-files.ts'
import { checkFiles } from '../../src/reference/checks.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type FileServer, serve, serveFiles, serveFolder } from '../support/file-server.ts'
import {
  ALLELE_LIST,
  type Branch,
  published,
  smallBranch,
  withChecksums,
  within,
  writeFiles,
} from '../support/published-release.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { zipOf } from '../support/zip.ts'

const temp = tempFolder()

async function fetchNames(from: string, spelled: string): Promise<string[]> {
  const source = await openSource(from)
  try {
    const release = parseReleaseNumber(spelled)
    const files = await source.fetch(release)
    checkFiles(files, release)
    return files.map(({ name }) => name).sort()
  } finally {
    await source.close()
  }
}

const NEEDED = [
  'allelelist/Allelelist.3580.txt',
  'wmda/hla_nom.txt',
  'wmda/hla_nom_g.txt',
  'wmda/hla_nom_p.txt',
  'wmda/rel_dna_ser.txt',
  'wmda/rel_ser_ser.txt',
]

function withoutList(branch: Branch): Branch {
  return new Map([...branch].filter(([name]) => !name.startsWith('allelelist/')))
}

function otherList(minor: number): [string, Buffer] {
  const name = `allelelist/Allelelist.3${minor}0.txt`
  return [name, published(name, `3.${minor}.0`, '2024-07-01', ['HLA00001,A*01:01:01:01'])]
}

/** Every layout of the files, and the optional files that should be found in it. */
const layouts: Record<string, [files: Branch, more: string[]]> = {
  'branches side by side': [
    new Map([
      ...within('3580', withoutList(smallBranch('3.58.0'))),
      ...within('Latest', smallBranch('3.58.0')),
    ]),
    ['Deleted_alleles.txt'],
  ],
  'one branch checked out': [
    withChecksums(new Map([...smallBranch('3.58.0'), otherList(57), otherList(59)])),
    [
      'Deleted_alleles.txt',
      'allelelist/Allelelist.3570.txt',
      'allelelist/Allelelist.3590.txt',
      'wmda/md5checksum.txt',
    ],
  ],
  'loose files': [
    new Map([...smallBranch('3.58.0')].map(([name, bytes]) => [name.slice(name.indexOf('/') + 1), bytes])),
    ['Deleted_alleles.txt'],
  ],
  'the latest branch only': [
    new Map(within('Latest', withChecksums(smallBranch('3.58.0')))),
    ['Deleted_alleles.txt', 'wmda/md5checksum.txt'],
  ],
  'checksums in the latest branch only': [
    new Map([
      ...within('3580', smallBranch('3.58.0')),
      ...within('Latest', withChecksums(smallBranch('3.58.0'))),
    ]),
    ['Deleted_alleles.txt', 'wmda/md5checksum.txt'],
  ],
  'a newer latest branch': [
    new Map([
      ...within('3580', smallBranch('3.58.0')),
      ...within('Latest', withChecksums(smallBranch('3.60.0'))),
    ]),
    ['Deleted_alleles.txt'],
  ],
  'an unnumbered allele list': [
    new Map([
      ...withoutList(smallBranch('3.58.0')),
      ['Allelelist.txt', smallBranch('3.58.0').get('allelelist/Allelelist.3580.txt') ?? Buffer.of()],
    ]),
    ['Deleted_alleles.txt'],
  ],
  'a history instead of single lists': [
    new Map([
      ...smallBranch('3.58.0'),
      otherList(57),
      ['Allelelist_history.txt', Buffer.from('HLA_ID\t3580\n')],
    ]),
    ['Allelelist_history.txt', 'Deleted_alleles.txt'],
  ],
}

describe.for(Object.entries(layouts))('%s', ([name, [files, more]]) => {
  const expected = [...NEEDED, ...more].sort()

  test('as a folder', async () => {
    expect(await fetchNames(writeFiles(temp(name), files), '3.58.0')).toEqual(expected)
  })

  test('as a zip file with a folder around everything', async () => {
    writeFileSync(temp(`${name}.zip`), zipOf(within('IMGTHLA-3580', files)))
    expect(await fetchNames(temp(`${name}.zip`), '3.58.0')).toEqual(expected)
  })

  test('below a web address', async () => {
    const server = await serveFiles(within('base', files))
    expect(await fetchNames(`${server.url}base`, '3.58.0')).toEqual(expected)
    await server.close()
  })

  test('does not hold another release', async () => {
    const error = { code: 'not-found', message: expect.stringContaining('3.50.0') }
    await expect(fetchNames(writeFiles(temp(name), files), '3.50.0')).rejects.toMatchObject(error)
  })
})

describe('fetch', () => {
  test.for([
    ['3.0.0', '300', 'allelelist/Allelelist.300.txt', 'allelelist/Allelelist.300.txt'],
    ['3.0.0', '3000', 'allelelist/Allelelist.3000.txt', 'allelelist/Allelelist.300.txt'],
    ['3.13.0', '3130', 'allelelist/Allelelist.3131.txt', 'allelelist/Allelelist.3131.txt'],
    ['3.17.0', '3170', 'Allelelist.3170.txt', 'allelelist/Allelelist.3170.txt'],
  ] as const)('finds %s in branch %s with list %s', async ([release, branch, list, name]) => {
    const files = withoutList(smallBranch(release))
    const header = release === '3.13.0' ? '3.13.1' : release
    files.set(list, published(list, header, '2013-07-12', ALLELE_LIST))
    const folder = writeFiles(temp(`${branch}-${list.length}`), within(branch, files))
    expect(await fetchNames(folder, release)).toContain(name)
  })

  test('gives the bytes as they are, with where they came from, and reports progress', async () => {
    const files = within('3580', smallBranch('3.58.0'))
    const source = await openSource(writeFiles(temp('bytes'), files))
    const seen: number[] = []
    const fetched = await source.fetch(parseReleaseNumber('3580'), (progress) => seen.push(progress.files))
    const nom = fetched.find(({ name }) => name === 'wmda/hla_nom.txt')
    expect(nom?.bytes).toEqual(files.get('3580/wmda/hla_nom.txt'))
    expect(nom?.origin).toBe(`${temp('bytes')}/3580/wmda/hla_nom.txt`)
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('names the needed file that is missing', async () => {
    const files = within('3580', smallBranch('3.58.0'))
    files.delete('3580/wmda/rel_ser_ser.txt')
    await expect(fetchNames(writeFiles(temp('missing'), files), '3580')).rejects.toMatchObject({
      code: 'not-found',
      message: `${temp('missing')}/3580/wmda/rel_ser_ser.txt is missing`,
    })
  })

  test('takes a numbered branch at its word and lets the check find what is wrong', async () => {
    const folder = writeFiles(temp('wrong'), within('3580', smallBranch('3.57.0')))
    writeFiles(folder, within('3580', new Map([otherList(58)])))
    await expect(fetchNames(folder, '3580')).rejects.toMatchObject({ code: 'bad-release-file' })
  })

  test('shows a git-lfs pointer for what it is, even where the release is read from the file', async () => {
    const files = smallBranch('3.58.0').set('wmda/hla_nom.txt', Buffer.from('version https://git-lfs.github.com/spec/v1\n')) // prettier-ignore
    await expect(fetchNames(writeFiles(temp('lfs'), files), '3580')).rejects.toMatchObject({
      code: 'lfs-pointer',
    })
  })

  test.for(['nowhere', 'nowhere.zip'])('says that %s does not exist', async (name) => {
    await expect(openSource(temp(name))).rejects.toMatchObject({ code: 'not-found' })
  })

  test('says that a file is not a zip file', async () => {
    writeFileSync(temp('text.zip'), 'no zip file, but long enough to hold the end record of one')
    await expect(openSource(temp('text.zip'))).rejects.toMatchObject({ code: 'bad-release-file' })
  })
})

describe('available', () => {
  const files = new Map([
    ...within('300', smallBranch('3.0.0', '2010-04-01')),
    ...within('3580', smallBranch('3.58.0')),
    ...within(
      '3570',
      new Map([['wmda/hla_nom.txt', Buffer.from('version https://git-lfs.github.com/spec/v1\n')]]),
    ),
    ...within('Latest', smallBranch('3.59.0', '2025-01-14')),
  ])

  test('lists branches and what unnumbered folders hold, with their dates', async () => {
    const server = await serveFiles(files)
    writeFileSync(temp('available.zip'), zipOf(within('IMGTHLA', files)))
    for (const from of [writeFiles(temp('available'), files), temp('available.zip'), server.url]) {
      const source = await openSource(from)
      expect(await source.available()).toEqual([
        { label: '3.0.0', date: '2010-04-01' },
        { label: '3.57.0', date: undefined },
        { label: '3.58.0', date: '2024-10-09' },
        { label: '3.59.0', date: '2025-01-14' },
      ])
      expect(await source.newest()).toEqual({ label: '3.59.0', date: '2025-01-14' })
      await source.close()
    }
    await server.close()
  })

  test.for([
    ['the latest branch is behind', { Latest: '3.57.0', 3590: '3.59.0' }, '3.59.0'],
    ['there is no latest branch', { 3570: '3.57.0', 3580: '3.58.0' }, '3.58.0'],
    ['there is the latest branch alone', { Latest: '3.64.0' }, '3.64.0'],
    ['it is one branch', { '.': '3.58.0' }, '3.58.0'],
    ['there is nothing', {}, undefined],
  ] as const)('finds the newest where %s', async ([name, branches, newest]) => {
    const offered = new Map(
      Object.entries(branches).flatMap(([branch, version]) =>
        branch === '.' ? [...smallBranch(version)] : [...within(branch, smallBranch(version))],
      ),
    )
    mkdirSync(temp(name), { recursive: true })
    const server = await serveFiles(offered)
    for (const from of [writeFiles(temp(name), offered), server.url]) {
      const source = await openSource(from)
      expect((await source.newest())?.label).toBe(newest)
      expect((await source.available()).at(-1)?.label).toBe(newest)
      await source.close()
    }
    await server.close()
  })

  test.for([true, false])(
    'reads the first lines of files alone, whether ranges are known: %s',
    async (knowsRanges) => {
      const asked: string[] = []
      let sent = 0
      const start = published('hla_nom.txt', '3.58.0', '2024-10-09', [])
      function* parts() {
        for (let part = 0; part < 1000; part += 1) {
          sent += 1
          yield Buffer.concat([part === 0 ? start : Buffer.of(), Buffer.alloc(64 * 1024, 'A;1;;;;\n')])
        }
      }
      const server = await serve((request, response) => {
        asked.push(`${request.method} ${request.url}`)
        if (!/^\/(3580|Latest)\/wmda\/hla_nom.txt$/.test(request.url ?? ''))
          return void response.writeHead(404).end()
        if (!knowsRanges) return void Readable.from(parts()).pipe(response)
        expect(request.headers.range).toBe('bytes=0-1999')
        response.writeHead(206).end(start)
      })
      const source = await openSource(server.url)
      expect(await source.newest()).toEqual({ label: '3.58.0', date: '2024-10-09' })
      expect(asked.length).toBeLessThan(15)
      await source.close()
      await server.close()
      // only data already in transit is sent
      expect(sent).toBeLessThan(500)
    },
  )

  test('corrections are offered, and are the newest', async () => {
    const offered = new Map([
      ...within('3620', smallBranch('3.62.0')),
      ...within('3630', smallBranch('3.63.0')),
      ...within('3631', smallBranch('3.63.1')),
    ])
    const server = await serveFiles(new Map([...offered, ...within('Latest', smallBranch('3.63.0'))]))
    for (const from of [writeFiles(temp('corrected'), offered), server.url]) {
      const source = await openSource(from)
      expect((await source.available()).map(({ label }) => label)).toEqual(['3.62.0', '3.63.0', '3.63.1'])
      expect(await source.newest()).toMatchObject({ label: '3.63.1' })
      const names = (await source.fetch(parseReleaseNumber('3.63.1'))).map(({ name }) => name)
      expect(names).toContain('allelelist/Allelelist.3631.txt')
      await source.close()
    }
    await server.close()
  })

  test('a tag is read by its name', async () => {
    const tagged = new Map([
      ...within('v3.65.0-alpha', smallBranch('3.65.0')),
      ...within('3650', smallBranch('3.65.0', '2020-01-01')),
    ])
    const server = await serveFiles(tagged)
    for (const from of [writeFiles(temp('tagged'), tagged), server.url]) {
      const source = await openSource(from)
      const [nom] = await source.fetch(parseReleaseNumber('v3.65.0-alpha'))
      expect(nom?.origin).toContain('v3.65.0-alpha/wmda/hla_nom.txt')
      await expect(source.fetch(parseReleaseNumber('v3.64.0-alpha'))).rejects.toMatchObject({
        code: 'not-found',
      })
      await source.close()
    }
    await server.close()
  })

  test('over the network each list of another release is asked for once', async () => {
    const releases = ['3.29.0', '3.44.0', '3.53.0', '3.58.0']
    const files = new Map([
      ...releases.flatMap((release) => [
        ...within(parseReleaseNumber(release).compact, smallBranch(release)),
      ]),
      ...within(
        'Latest',
        new Map([
          ...smallBranch('3.58.0'),
          ...releases.map((release) => otherList(Number(release.split('.')[1]))),
        ]),
      ),
    ])
    const asked: string[] = []
    const server = await serve((request, response) => {
      const path = (request.url ?? '').slice(1)
      asked.push(path)
      const bytes = files.get(path)
      response.writeHead(bytes === undefined ? 404 : 200).end(request.method === 'HEAD' ? undefined : bytes)
    })
    const source = await openSource(server.url)
    const { label = '' } = (await source.newest()) ?? {}
    const fetched = await source.fetch(parseReleaseNumber(label))
    await source.close()
    await server.close()
    const lists = fetched.map(({ name }) => name).filter((name) => name.startsWith('allelelist/'))
    expect(lists.sort()).toEqual(
      releases.map((release) => `allelelist/Allelelist.${parseReleaseNumber(release).compact}.txt`),
    )
    expect(asked.length).toBeLessThan(200)
    const ofLists = asked.filter((path) => path.startsWith('Latest/allelelist/'))
    expect(ofLists).toEqual([...new Set(ofLists)])
  })

  test('a server that fails is said to, and is no list without the release', async () => {
    const server = await serve(
      (request, response) => void response.writeHead(request.url?.includes('3580') ? 500 : 404).end(),
    )
    const source = await openSource(server.url)
    await expect(source.available()).rejects.toMatchObject({ code: 'remote' })
    await source.close()
    await server.close()
  })
})

describe('a web address', () => {
  const servers: FileServer[] = []
  async function serving(handler: Parameters<typeof serve>[0]): Promise<string> {
    const server = await serve(handler)
    servers.push(server)
    return server.url
  }
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  test('is asked again when it is busy, and followed when it moves', async () => {
    const asked: string[] = []
    const url = await serving((request, response) => {
      asked.push(request.url ?? '')
      if (asked.length === 1) response.writeHead(503).end()
      else if (request.url === '/list') response.writeHead(302, { location: '/moved' }).end()
      else response.end('codes')
    })
    expect(await readMacList(`${url}list`)).toEqual(Buffer.from('codes'))
    expect(asked).toEqual(['/list', '/list', '/moved'])
  })

  test('that moves for ever is given up', async () => {
    let asked = 0
    const url = await serving(
      (_, response) => void response.writeHead(302, { location: `/${(asked += 1)}` }).end(),
    )
    await expect(readMacList(url)).rejects.toMatchObject({ code: 'remote' })
    expect(asked).toBeLessThan(10)
  })

  test.for([
    [403, 'remote', 1],
    [404, 'not-found', 1],
    [500, 'remote', 3],
  ] as const)('that answers %s gives %s', async ([status, code, attempts]) => {
    let asked = 0
    const url = await serving((_, response) => {
      asked += 1
      response.writeHead(status).end('sorry')
    })
    await expect(readMacList(`${url}numer.v3.zip`)).rejects.toMatchObject({ code })
    expect(asked).toBe(attempts)
  })

  test('is asked with GET where HEAD is refused', async () => {
    for (const status of [400, 403, 405, 501]) {
      const files = within('3580', smallBranch('3.58.0'))
      const url = await serving((request, response) => {
        const bytes = files.get((request.url ?? '').slice(1))
        if (request.method === 'HEAD') response.writeHead(status).end()
        else response.writeHead(bytes === undefined ? 404 : 200).end(bytes)
      })
      expect(await fetchNames(url, '3580')).toContain('wmda/hla_nom.txt')
    }
  })

  test('whose files have no end is given up before the memory is full', async () => {
    let sent = 0
    const start = published('hla_nom.txt', '3.58.0', '2024-10-09', [])
    function* endless() {
      yield start
      for (;;) {
        sent += 1
        yield Buffer.alloc(1024 * 1024, 'A;1;;;;\n')
      }
    }
    const url = await serving((request, response) => {
      if (request.method === 'HEAD') response.end()
      else
        Readable.from(endless())
          .on('error', () => undefined)
          .pipe(response)
    })
    const source = await openSource(url)
    const fetching = source.fetch(parseReleaseNumber('3580'))
    await expect(fetching).rejects.toMatchObject({
      code: 'bad-release-file',
      message: expect.stringContaining('is too large'),
    })
    await source.close()
    // six files at a time, plus data in transit
    expect(sent).toBeLessThan(320)
  })

  test.for([
    ['403', (response: ServerResponse): void => void response.writeHead(403).end()],
    ['404', (response: ServerResponse): void => void response.writeHead(404).end()],
    ['500', (response: ServerResponse): void => void response.writeHead(500).end()],
    ['nothing', (response: ServerResponse): void => void response.destroy()],
    [
      'half',
      (response: ServerResponse): void =>
        void response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy()),
    ],
  ] as const)('that answers %s: the error says what to do without the network', async ([, answer]) => {
    const url = await serving((_, response) => answer(response))
    const hint = expect.stringMatching(
      /hla data install --from, and the MAC list to hla data mac FILE or --mac$/,
    )
    await expect(readMacList(`${url}x`)).rejects.toMatchObject({ hint })
  })

  test.for(['ftp://ftp.ebi.ac.uk/pub/databases/ipd/imgt/hla/', 's3://bucket/IMGTHLA'])(
    'of another kind is named as what it is: %s',
    async (from) => {
      const error = {
        code: 'usage',
        message: `${from} is an address of ${from.split(':')[0]}; only http and https are supported`,
      }
      await expect(openSource(from)).rejects.toMatchObject(error)
      await expect(readMacList(from)).rejects.toMatchObject(error)
    },
  )

  test('that sends less than it promised gives truncated-file', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy())
    })
    const error = { code: 'truncated-file', message: `${url}x was cut off after 4 of 1000 bytes` }
    await expect(readMacList(`${url}x`)).rejects.toMatchObject(error)
  })

  test('nobody listens at gives remote', async () => {
    const server = await serve((_, response) => response.end())
    await server.close()
    const error = { code: 'remote', message: expect.stringContaining('cannot reach') }
    await expect(readMacList(server.url)).rejects.toMatchObject(error)
  })

  test('may be that of a zip file', async () => {
    const server = await serveFiles(
      new Map([['archive/3580.zip', zipOf(within('IMGTHLA-3580', smallBranch('3.58.0')))]]),
    )
    servers.push(server)
    expect(await fetchNames(`${server.url}archive/3580.zip`, '3580')).toContain('wmda/hla_nom.txt')
  })

  test('is the published repository when nothing else is said', () => {
    expect(DEFAULT_RELEASE_URL).toBe('https://raw.githubusercontent.com/ANHIG/IMGTHLA/')
  })
})

describe('a tar.gz file', () => {
  const branch = within('IMGTHLA-3.65.0-alpha', withChecksums(smallBranch('3.65.0')))
  const long = `IMGTHLA-3.65.0-alpha/${'deep/'.repeat(30)}x.txt`
  const packed = (...options: string[]) => {
    writeFiles(
      temp('packed'),
      new Map([
        ...branch,
        [long, Buffer.alloc(100_000)],
        ['IMGTHLA-3.65.0-alpha/A_gen.fasta', Buffer.alloc(3_000_000)],
      ]),
    )
    execFileSync('tar', [...options, '-czf', temp('tag.tar.gz'), 'IMGTHLA-3.65.0-alpha'], {
      cwd: temp('packed'),
    })
    return readFileSync(temp('tag.tar.gz'))
  }

  test.for(['--format=gnu', '--format=pax', '--format=ustar'])(
    'is read, here and over the network: %s',
    async (format) => {
      const bytes = packed(format)
      const names = await fetchNames(temp('tag.tar.gz'), 'v3.65.0-alpha')
      expect(names).toEqual(
        expect.arrayContaining([
          'wmda/hla_nom.txt',
          'wmda/md5checksum.txt',
          'allelelist/Allelelist.3650.txt',
        ]),
      )
      const server = await serveFiles(new Map([['v3.65.0-alpha.tar.gz', bytes]]))
      expect(await fetchNames(`${server.url}v3.65.0-alpha.tar.gz`, '3.65.0')).toEqual(names)
      await server.close()
    },
  )

  test.for([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'truncated-file'],
    ['of something else', () => gzipSync(Buffer.alloc(2000, 'x')), 'bad-release-file'],
    ['a shorter one', () => gzipSync(Buffer.alloc(200, 'x')), 'bad-release-file'],
    [
      'cut short before it was packed',
      (bytes: Buffer) => gzipSync(gunzipSync(bytes).subarray(0, 50_000)),
      'bad-release-file',
    ],
  ] as const)('%s is refused', async ([, damage, code]) => {
    writeFileSync(temp('bad.tar.gz'), damage(packed()))
    await expect(openSource(temp('bad.tar.gz'))).rejects.toMatchObject({ code })
  })
})

describe('readMacList', () => {
  const text = Buffer.from('LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n')

  test.for([
    ['numer.v3.txt', text],
    ['numer.v3.zip', zipOf(new Map([['numer.v3.txt', text]]))],
    ['numer.v3.txt.gz', gzipSync(text)],
    ['named-wrongly.txt', gzipSync(text)],
  ] as const)('unpacks %s', async ([name, bytes]) => {
    writeFileSync(temp(name), bytes)
    expect(await readMacList(temp(name))).toEqual(text)
  })

  const long = Buffer.concat([
    text,
    Buffer.from(Array.from({ length: 300_000 }, (_, at) => `B${at}`).join('\n')),
  ])
  test.for([
    ['dated.txt', text],
    ['dated.txt.gz', gzipSync(long)],
    ['dated-stored.zip', zipOf(new Map([['numer.v3.txt', long]]))],
    ['dated.zip', zipOf(new Map([['numer.v3.txt', long]]), true)],
  ] as const)('tells the date of %s, here and over the network', async ([name, bytes]) => {
    writeFileSync(temp(name), bytes)
    expect(await readMacListDate(temp(name))).toBe('2020-07-11')
    const server = await serveFiles(new Map([[name, bytes]]))
    expect(await readMacListDate(server.url + name)).toBe('2020-07-11')
    await server.close()
  })

  test.for([
    ['undated.txt', Buffer.from('AB\t01/02\n'), 'bad-release-file'],
    ['undated.zip', zipOf(new Map([['numer.v3.txt', Buffer.from('<html>')]]), true), 'bad-release-file'],
    ['undated-pointer.zip', Buffer.from('version https://git-lfs.github.com/spec/v1\n'), 'lfs-pointer'],
    ['undated-absent.zip', undefined, 'not-found'],
  ] as const)('has no date for %s', async ([name, bytes, code]) => {
    if (bytes) writeFileSync(temp(name), bytes)
    await expect(readMacListDate(temp(name))).rejects.toMatchObject({ code })
  })

  test.for([
    ['absent.zip', undefined, 'not-found'],
    ['cut.gz', gzipSync(text).subarray(0, 30), 'truncated-file'],
    ['empty.zip', zipOf(new Map()), 'bad-release-file'],
    ['pointer.zip', Buffer.from('version https://git-lfs.github.com/spec/v1\n'), 'lfs-pointer'],
  ] as const)('refuses %s', async ([name, bytes, code]) => {
    if (bytes) writeFileSync(temp(name), bytes)
    await expect(readMacList(temp(name))).rejects.toMatchObject({ code })
  })

  test('refuses a zip file with other data than it has a checksum of', async () => {
    const zip = zipOf(new Map([['numer.v3.txt', text]]))
    const at = zip.indexOf('01/02')
    zip[at + 1] = (zip[at + 1] ?? 0) ^ 2
    writeFileSync(temp('damaged.zip'), zip)
    const error = {
      code: 'bad-release-file',
      message: expect.stringContaining('its checksum does not match'),
    }
    await expect(readMacList(temp('damaged.zip'))).rejects.toMatchObject(error)
  })

  test('refuses a file that is larger than any list, without reading it', async () => {
    writeFileSync(temp('sparse'), '')
    truncateSync(temp('sparse'), 2 ** 30)
    const error = { code: 'bad-release-file', message: expect.stringContaining('is too large') }
    await expect(readMacList(temp('sparse'))).rejects.toMatchObject(error)
    mkdirSync(temp('sparse-release/wmda'), { recursive: true })
    renameSync(temp('sparse'), temp('sparse-release/wmda/hla_nom.txt'))
    const source = await openSource(temp('sparse-release'))
    await expect(source.fetch(parseReleaseNumber('3.58.0'))).rejects.toMatchObject(error)
  })

  test('gives up a server that sends a byte a second', () => {
    expect(() => refuseSlow('http://slow/', 29, 29_000)).not.toThrow()
    expect(() => refuseSlow('http://slow/', 40_000, 31_000)).not.toThrow()
    const error = { code: 'remote', message: 'http://slow/ is too slow: 31 bytes in 31 s' }
    expect(() => refuseSlow('http://slow/', 31, 31_000)).toThrow(expect.objectContaining(error))
  })
})

describe.skipIf(!hasShared)('the published repository', () => {
  let server: FileServer
  beforeAll(async () => void (server = await serveFolder(sharedPath('upstream'))))
  afterAll(() => server.close())

  test('is read alike from a folder and from the web', async () => {
    const folder = await fetchNames(sharedPath('upstream/IMGTHLA'), '3.58.0')
    expect(folder).toHaveLength(5 + 59 + 3 + 1)
    expect(await fetchNames(`${server.url}IMGTHLA/`, '3.58.0')).toEqual(folder)
  })

  test('offers four releases', async () => {
    const source = await openSource(sharedPath('upstream/IMGTHLA'))
    const offered = await source.available()
    expect(offered.map(({ label, date }) => `${label} ${date}`)).toEqual([
      '3.29.0 2017-07-10',
      '3.44.0 2021-04-20',
      '3.53.0 2023-07-12',
      '3.58.0 2024-10-09',
    ])
  })
})
