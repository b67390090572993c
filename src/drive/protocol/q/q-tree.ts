/** A search as a tree: tests joined by and, or, not. */

/** Half-open range of UTF-16 units in the text of the search. */
export type QPosition = readonly [start: number, end: number]

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

export type TextField =
  | 'title'
  | 'fullText'
  | 'mimeType'
  | 'fileExtension'
  | 'shortcutDetails.targetId'
  | 'visibility'
  | 'name'

export type DateField = 'modifiedDate' | 'createdDate' | 'lastViewedByMeDate' | 'sharedWithMeDate'

export type FlagField = 'trashed' | 'starred' | 'sharedWithMe' | 'hidden'

export type CountField = 'memberCount' | 'organizerCount'

export type Collection = 'parents' | 'owners' | 'writers' | 'readers' | 'labels'

export type QTest = (
  | {
      readonly kind: 'text'
      readonly field: TextField
      readonly op: '=' | '!=' | 'contains'
      readonly value: string
    }
  /** Milliseconds since 1970. */
  | { readonly kind: 'date'; readonly field: DateField; readonly op: Comparison; readonly value: number }
  /** `starred != true` is `starred` being false. */
  | { readonly kind: 'flag'; readonly field: FlagField; readonly value: boolean }
  | { readonly kind: 'count'; readonly field: CountField; readonly op: Comparison; readonly value: number }
  /** Aliases of folders are `root` and `appDataFolder` in this spelling. */
  | { readonly kind: 'member'; readonly of: Collection; readonly value: string }
  | {
      readonly kind: 'property'
      readonly key: string
      readonly value: string | undefined
      readonly visibility: 'PUBLIC' | 'PRIVATE' | undefined
    }
) & { readonly at: QPosition }

/** `and` and `or` have two parts or more, none of them of their own kind. */
export type QNode =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly QNode[] }
  | { readonly kind: 'not'; readonly inner: QNode }
  | QTest

/** `((a and b) and c)` is `a and b and c`. */
export function join(kind: 'and' | 'or', left: QNode, right: QNode): QNode {
  return {
    kind,
    parts: [left, right].flatMap((node) => (isJoin(node) && node.kind === kind ? node.parts : [node])),
  }
}

/** Every test, in the order of the text. */
export function* walkTests(node: QNode): Generator<QTest> {
  if (isJoin(node)) {
    for (const part of node.parts) yield* walkTests(part)
  } else if (node.kind === 'not') {
    yield* walkTests(node.inner)
  } else {
    yield node
  }
}

function isJoin(node: QNode): node is Extract<QNode, { readonly parts: unknown }> {
  return node.kind === 'and' || node.kind === 'or'
}
