/** THE TABLE of what lists may take: where each is made, and for how long (docs/adr/0034). Times are ms. */

/** For what the service itself makes, between other requests: all must hold. */
export const LIGHT = {
  /** Items that the store ever had: all are looked at, and sorted, in about 10 ms. */
  items: 5000,
  page: 100,
  /** Characters of a search. */
  query: 500,
  /** Of a search, for one item: two looks into other tables. */
  cost: 17,
  orders: 2,
  /** In a turn of the event loop: then others are answered. */
  turn: 30,
  /** A user whose list took longer has it made in a process for a while. */
  surprising: 20,
} as const

/** For what is made in processes. How long one may take at most is the operator's: `list-milliseconds`. */
export const PROCESSES = {
  /** Most lists are made in a tenth of it. What takes longer is slow. */
  quick: 75,
  /** So many are made beside each other, of different users: those that are slow, and those of which nobody knows yet. */
  mostSlow: 2,
  mostQuick: 2,
  mostWaiting: 1000,
  mostWaitingOfUser: 100,
  /** MB of JavaScript. */
  memory: 256,
} as const

/** For so long a user whose list took longer than it should has the next made elsewhere, or waits among the slow. */
export const REMEMBERED = 10_000
