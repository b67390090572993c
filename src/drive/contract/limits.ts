/** The limits of a store (spec 23) and their defaults. */

export interface Limit {
  readonly standard: number
  /** Smallest and largest value that an operator may set. */
  readonly least?: number
  readonly most?: number
  readonly of: string
}

/** Whole numbers. Changes take effect at once, unless the description says otherwise. */
export const LIMITS = {
  'folder-children': { standard: 500_000, of: 'items in a folder' },
  'folder-depth': { standard: 100, most: 1000, of: 'nesting depth of folders' },
  'drive-items': { standard: 400_000, of: 'items in a shared drive' },
  'title-bytes': { standard: 32_767, most: 32_767, of: 'title' },
  'description-characters': { standard: 25_000, most: 1_000_000, of: 'description' },
  'property-bytes': { standard: 124, most: 65_536, of: 'key and value of a property' },
  'app-properties': { standard: 30, of: 'public properties of a file; private ones of a program' },
  'file-properties': { standard: 100, of: 'properties of a file in total' },
  'free-metadata-bytes': {
    standard: 256 << 20,
    of: 'metadata of a user (titles, properties, about 1 KiB an item) that count against no quota',
  },
  'pinned-revisions': { standard: 200, of: 'pinned revisions of a file' },
  'comment-replies': { standard: 1000, of: 'replies to a comment, deleted ones included' },
  'item-permissions': { standard: 600, of: 'permissions of an item' },
  'folder-rules': { standard: 10, of: 'rules of a folder' },
  'store-rules': { standard: 1000, of: 'rules in all' },
  'rule-folders': { standard: 10_000, of: 'folders below a folder whose rule includes subfolders' },
  'rule-seconds': { standard: 600, most: 86_400, of: 'time a rule may take for one table' },
  'rule-bytes': { standard: 512 << 20, of: 'a table that a rule converts' },
  'user-channels': { standard: 1000, of: 'push channels of a user' },
  'user-uploads': { standard: 1000, of: 'unfinished uploads of a user' },
  'upload-days': { standard: 7, most: 365, of: 'lifetime of an unfinished upload' },
  'token-seconds': { standard: 3600, most: 86_400, of: 'lifetime of a token from /token' },
  'session-seconds': { standard: 43_200, most: 30 * 86_400, of: 'lifetime of a sign-in on the page' },
  'refresh-days': {
    standard: 180,
    most: 3650,
    of: 'time a signed-in program may be inactive',
  },
  'link-days': {
    standard: 0,
    least: 0,
    most: 366,
    of: 'lifetime of links for anyone made without an end; 0: no end',
  },
  'sign-in-failures': {
    standard: 10,
    most: 1000,
    of: 'wrong passwords of a user from one address in a quarter of an hour; 10 times as many from all addresses',
  },
  'administration-days': { standard: 730, most: 3650, of: 'time the administration log is kept' },
  'access-days': {
    standard: 365,
    least: 0,
    most: 3650,
    of: 'time the record of accesses is kept; 0: no record',
  },
  'generated-ids': { standard: 1000, most: 1000, of: 'ids in one answer' },
  'page-items': { standard: 1000, most: 1000, of: 'items in one page of a list' },
  'page-bytes': { standard: 8 << 20, of: 'JSON of one list page, or of one item' },
  'list-milliseconds': { standard: 5000, most: 3_600_000, of: 'time a list or search may take' },
  'query-bytes': { standard: 8192, most: 65_536, of: 'search (q)' },
  'batch-requests': { standard: 100, most: 1000, of: 'requests in a batch' },
  'batch-bytes': {
    standard: 64 << 20,
    of: 'total size of the answers of a batch; requests beyond it are refused',
  },
  'batch-milliseconds': { standard: 30_000, of: 'time a batch may take; requests after that are refused' },
  'table-bytes': {
    standard: 64 << 20,
    most: 1 << 30,
    of: 'unpacked size of a table to convert, and size of its export',
  },
  'table-milliseconds': { standard: 30_000, most: 600_000, of: 'time the conversion of a table may take' },
  // a small body is read as a whole
  'metadata-bytes': { standard: 1 << 20, least: 16_384, of: "metadata sent with a file's content" },
  'body-bytes': {
    standard: 1 << 20,
    least: 1024,
    most: 1 << 30,
    of: 'JSON body of a request; applies from the next start',
  },
  'header-bytes': {
    standard: 16_384,
    least: 1024,
    most: 1 << 20,
    of: 'headers of a request; applies from the next start',
  },
  'header-seconds': {
    standard: 15,
    most: 3600,
    of: 'time for the headers of a request, and JSON after them, to arrive; takes effect at the next start',
  },
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof LIMITS
export type Limits = Readonly<Record<LimitName, number>>

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[]
