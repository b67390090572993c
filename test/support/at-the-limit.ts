/** Calls with exactly the amount of a limit, and with one more. */
export function atTheLimit<Made>(
  make: (size: number) => Made,
  limit: number,
): readonly [most: Made, more: Made] {
  return [make(limit), make(limit + 1)]
}
