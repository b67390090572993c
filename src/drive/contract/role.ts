/** What a principal may do with an item: six roles in order (spec 11.4). */

/** Weakest first. An owner has in My Drive what an organizer has in a shared drive. */
const RANK = { reader: 1, commenter: 2, writer: 3, fileOrganizer: 4, organizer: 5, owner: 5 } as const

export type Role = keyof typeof RANK

export function isAtLeast(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed]
}

/** Of the roles that grants give the same caller, the one that counts. */
export function strongest(roles: readonly Role[]): Role | undefined {
  return roles.reduce<Role | undefined>(
    (best, role) => (best === undefined || RANK[role] > RANK[best] ? role : best),
    undefined,
  )
}

export function stronger(one: Role, other: Role): Role {
  return RANK[other] > RANK[one] ? other : one
}
